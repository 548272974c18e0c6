import type { Fault } from '../steps.ts';
import { answerKeyFaults } from './answer-key.ts';
import { authenticationFaults } from './authentication.ts';
import { crashFaults } from './crashes.ts';
import { creationFaults } from './creation.ts';
import { errorFaults } from './errors.ts';
import { fetchingFaults } from './fetching.ts';
import { filteringFaults } from './filtering.ts';
import { identifierFaults } from './identifiers.ts';
import { intermittentFaults } from './intermittent.ts';
import { listingFaults } from './listing.ts';
import { transportFaults } from './transport.ts';
import { valueFaults } from './values.ts';
import { wireFaults } from './wire.ts';

/** Every fault that the reference service can be given, by part of the specification. */
export const FAULTS: readonly Fault[] = [
  ...authenticationFaults,
  ...listingFaults,
  ...filteringFaults,
  ...creationFaults,
  ...valueFaults,
  ...identifierFaults,
  ...fetchingFaults,
  ...errorFaults,
  ...wireFaults,
  ...crashFaults,
  ...transportFaults,
  ...intermittentFaults,
  ...answerKeyFaults,
];

/** The fault of that name, or undefined. */
export const findFault = (name: string): Fault | undefined => FAULTS.find((fault) => fault.name === name);
