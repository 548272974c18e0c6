export { FAULTS, findFault } from './faults/all.ts';
export type { ReferenceOptions, RunningReference } from './service.ts';
export { startReference } from './service.ts';
export type { Change, Fault, Variant } from './steps.ts';
export { findVariant, VARIANTS } from './variants/all.ts';
