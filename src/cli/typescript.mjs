// Lets Node import the TypeScript sources of this package as they stand.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
