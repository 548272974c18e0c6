import { dereference } from './dereference.ts';
import { CONTRACT_FILE, readDocument } from './read-document.ts';

/** spec/openapi.yaml as it stands. */
export const DOCUMENT: unknown = readDocument(CONTRACT_FILE);

/** The same with every reference resolved. */
export const DEREFERENCED: unknown = await dereference(CONTRACT_FILE);
