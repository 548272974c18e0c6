/** What is sent: valid and invalid values of every kind, as the suites use them. */

export * from './body.ts';
export { NO_KEY } from './credential.ts';
export * from './credentials.ts';
export * from './ids.ts';
export * from './int64.ts';
export * from './invalid-bodies.ts';
export * from './limits.ts';
export * from './name-template.ts';
export * from './names.ts';
export { inOtherCases, revealingNearMisses } from './near-misses.ts';
export * from './new-pets.ts';
export * from './nobodys-id.ts';
export * from './open-bodies.ts';
export * from './percent.ts';
export { limitInWords } from './spelling.ts';
export * from './valid-forms.ts';
export { type KnownIds, writtenId } from './written-id.ts';
