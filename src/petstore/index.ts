/** The vocabulary that suites are written in. */

export { INT64_MAX } from '../contract/exact-integer.ts';
export { quote } from '../engine/violation.ts';
export { adds, isRefused, readingOf, refusesEach, sentInChunks, takesAReading } from './adding.ts';
export type { Api } from './api.ts';
export { createPet, getPet, isMalformed, listPets, type PetCall } from './calls.ts';
export { LIMIT, PET_STATUSES, REMOVAL_DATE_IN_WORDS } from './contract-facts.ts';
export { defaultPages } from './first-look.ts';
export { type InvalidBody, type NewPet, validBody } from './inputs/body.ts';
export type { KeyCredential, KeyRequirement } from './inputs/credential.ts';
export { inTurn } from './inputs/in-turn.ts';
export { idsGivenLongAgo, idsGivenNow, idsSoFar, knownIds, knownIdsOfAll } from './known-ids.ts';
export { followSequence, operationSequences } from './operation-sequence.ts';
export { delayInWords, type Pages } from './pages.ts';
export { recalls } from './remembered.ts';
export { orderOf, type PetReply } from './reply.ts';
export { ids } from './space/get-requests.ts';
export { keys } from './space/keys.ts';
export { queries } from './space/list-queries.ts';
export { additions } from './space/new-pets.ts';
export { defectsOf } from './space/refused-bodies.ts';
export { sideBySide } from './together.ts';
export { check, type PetCheck, type Vocabulary } from './vocabulary.ts';
