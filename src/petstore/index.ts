/** The vocabulary that suites are written in. */

export { INT64_MAX } from '../contract/exact-integer.ts';
export { quote } from '../engine/violation.ts';
export { adds, isRefused, readingOf, refusesEach, sentInChunks, takesAReading } from './adding.ts';
export type { Api } from './api.ts';
export { createPet, getPet, isMalformed, listPets, type PetCall } from './calls.ts';
export { LIMIT, PET_STATUSES, REMOVAL_DATE_IN_WORDS } from './contract-facts.ts';
export { defaultPages } from './first-look.ts';
export * from './inputs/body.ts';
export { type KeyCredential, type KeyRequirement, NO_KEY } from './inputs/credential.ts';
export * from './inputs/credentials.ts';
export * from './inputs/ids.ts';
export * from './inputs/in-turn.ts';
export * from './inputs/int64.ts';
export * from './inputs/invalid-bodies.ts';
export * from './inputs/limits.ts';
export * from './inputs/names.ts';
export { inOtherCases, tellingNearMisses } from './inputs/near-misses.ts';
export * from './inputs/new-pets.ts';
export * from './inputs/nobodys-id.ts';
export * from './inputs/open-bodies.ts';
export * from './inputs/percent.ts';
export { limitInWords } from './inputs/spelling.ts';
export * from './inputs/valid-forms.ts';
export { idsGivenLongAgo, idsGivenNow, idsSoFar, knownIds, knownIdsOfAll } from './known-ids.ts';
export { followSequence, operationSequences } from './operation-sequence.ts';
export { delayInWords, type Pages } from './pages.ts';
export { orderOf, type PetReply } from './reply.ts';
export { ALL_CONNECTIONS, ALONE, IN_COMPANY } from './space/circumstances.ts';
export { anyEncoding, ENCODINGS, INSIDE_ONLY, LOOSE_AT_AN_END, WAYS_TO_WRITE_TWO } from './space/encodings.ts';
export { GET_REQUESTS, ids } from './space/get-requests.ts';
export {
  anyCallOf,
  creatingWithCharset,
  credentialFor,
  KEY_REQUESTS,
  keys,
  OPERATIONS,
} from './space/keys.ts';
export {
  fitting,
  LIST_QUERIES,
  type ListRequest,
  queries,
} from './space/list-queries.ts';
export { additions, NEW_PETS, WRITTEN_FORMS } from './space/new-pets.ts';
export { DEFECTIVE_BODIES, defectsOf, MALFORMED_BODIES, REFUSED_MEDIA } from './space/refused-bodies.ts';
export {
  ALL_FORMS_OF_A_GET,
  CODED_THEN_PLAIN,
  FORMS_OF_A_GET,
  FORMS_OF_TRUST,
  FORMS_THAT_NAME_A_CODING,
} from './space/request-forms.ts';
export { sideBySide } from './together.ts';
export { check, type PetCheck, type Vocabulary } from './vocabulary.ts';
