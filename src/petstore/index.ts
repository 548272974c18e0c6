/** The vocabulary that suites are written in. */

export { INT64_MAX } from '../contract/exact-integer.ts';
export { quote } from '../engine/violation.ts';
export type { Credential } from '../http/credential.ts';
export type { Api } from './api.ts';
export { createPet, getPet, isMalformed, type ListCall, listPets, type PetCall } from './calls.ts';
export { LIMIT, PET_STATUSES, REMOVAL_DATE_IN_WORDS } from './contract-facts.ts';
export * from './inputs/body.ts';
export * from './inputs/credentials.ts';
export * from './inputs/ids.ts';
export * from './inputs/int64.ts';
export * from './inputs/invalid-bodies.ts';
export * from './inputs/limits.ts';
export * from './inputs/names.ts';
export * from './inputs/new-pets.ts';
export * from './inputs/open-bodies.ts';
export * from './inputs/valid-forms.ts';
export { followSequence, operationSequences } from './operation-sequence.ts';
export { orderOf, type Page } from './reply.ts';
export { ENCODINGS, LIST_QUERIES, type ListRequest } from './space/list-queries.ts';
export { check, NOBODYS_ID, type PetCheck, type Vocabulary } from './vocabulary.ts';
