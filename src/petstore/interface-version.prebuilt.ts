import { valueAt } from '../contract/json-pointer.ts';
import { CONTRACT_FILE, readDocument } from '../contract/read-document.ts';

/** The version that spec/openapi.yaml says it is. */
export const INTERFACE_VERSION: string = String(valueAt(readDocument(CONTRACT_FILE), '/info/version'));
