/** The vocabulary that suites are written in. */

export { INT64_MAX } from '../contract/exact-integer.ts';
export { quote } from '../engine/violation.ts';
export { adds, isRefused, readingOf, refusesEach, sentInChunks } from './adding.ts';
export type { Api } from './api.ts';
export { createPet, getPet, isMalformed, type ListCall, listPets, type PetCall, withKey } from './calls.ts';
export { LIMIT, PET_STATUSES, REMOVAL_DATE_IN_WORDS } from './contract-facts.ts';
export * from './inputs/body.ts';
export * from './inputs/credentials.ts';
export * from './inputs/ids.ts';
export * from './inputs/in-turn.ts';
export * from './inputs/int64.ts';
export * from './inputs/invalid-bodies.ts';
export * from './inputs/limits.ts';
export * from './inputs/names.ts';
export * from './inputs/new-pets.ts';
export * from './inputs/open-bodies.ts';
export * from './inputs/valid-forms.ts';
export { idsGivenLongAgo, idsGivenNow, knownIds, knownIdsOfAll } from './known-ids.ts';
export { followSequence, operationSequences } from './operation-sequence.ts';
export { orderOf, type Page } from './reply.ts';
export { GET_REQUESTS } from './space/get-requests.ts';
export { callsOf, KEY_REQUESTS, KEYS_AFTER_OTHERS, KEYS_ALONE, OPERATIONS } from './space/keys.ts';
export { ENCODINGS, LIST_QUERIES, type ListRequest } from './space/list-queries.ts';
export { NEW_PETS, WRITTEN_FORMS } from './space/new-pets.ts';
export { DEFECTIVE_BODIES, MALFORMED_BODIES, REFUSED_MEDIA } from './space/refused-bodies.ts';
export { FORMS_IN_TURN, FORMS_OF_A_GET, FORMS_OF_TRUST } from './space/request-forms.ts';
export { check, type PetCheck, type Vocabulary } from './vocabulary.ts';
