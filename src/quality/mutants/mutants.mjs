// The entry of `npm run mutants`: loads the TypeScript sources.
import '../../cli/typescript.mjs';

await import('./main.ts');
