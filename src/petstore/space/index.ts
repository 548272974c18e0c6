/** The request spaces, and what checks cover of them. */

export { anyOf } from '../../engine/request-space.ts';
export * from './circumstances.ts';
export * from './encodings.ts';
export * from './get-requests.ts';
export * from './keys.ts';
export * from './list-queries.ts';
export * from './new-pets.ts';
export * from './refused-bodies.ts';
export * from './request-forms.ts';
