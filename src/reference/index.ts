import { agedFaults } from './faults/aged.ts';
import { authFaults } from './faults/auth.ts';
import { createFaults } from './faults/create.ts';
import { errorFaults } from './faults/err.ts';
import { getFaults } from './faults/get.ts';
import { limitFaults } from './faults/lim.ts';
import { listFaults } from './faults/list.ts';
import { lostFaults } from './faults/lost.ts';
import { resourceFaults } from './faults/res.ts';
import { serviceFaults } from './faults/serv.ts';
import { stateFaults } from './faults/state.ts';
import { versionFaults } from './faults/vers.ts';
import type { Fault, Variant } from './steps.ts';
import { bodyVariants } from './variants/bodies.ts';
import { choiceVariants } from './variants/choices.ts';
import { collectionVariants } from './variants/collections.ts';
import { combinedVariants } from './variants/combined.ts';
import { connectionVariants } from './variants/connections.ts';
import { crowdVariants } from './variants/crowds.ts';
import { gateVariants } from './variants/gates.ts';
import { gatewayVariants } from './variants/gateways.ts';
import { lateListVariants } from './variants/late-lists.ts';
import { messageVariants } from './variants/messages.ts';
import { otherCallersVariants } from './variants/others.ts';
import { pageVariants } from './variants/pages.ts';
import { pairVariants } from './variants/pairs.ts';
import { queryVariants } from './variants/queries.ts';
import { replicaVariants } from './variants/replicas.ts';
import { shortPageVariants } from './variants/short-pages.ts';
import { throttlingVariants } from './variants/throttling.ts';
import { transportVariants } from './variants/transport.ts';

export { type ReferenceOptions, startReference } from './server.ts';
export type { Fault, Variant } from './steps.ts';

/** Every fault that the reference service can be given, in the order of the specification's parts. */
export const FAULTS: readonly Fault[] = [
  ...serviceFaults,
  ...resourceFaults,
  ...stateFaults,
  ...listFaults,
  ...createFaults,
  ...getFaults,
  ...authFaults,
  ...errorFaults,
  ...limitFaults,
  ...versionFaults,
  ...lostFaults,
  ...agedFaults,
];

/** Every other correct choice that the reference service can make. */
export const VARIANTS: readonly Variant[] = [
  ...choiceVariants,
  ...collectionVariants,
  ...transportVariants,
  ...connectionVariants,
  ...throttlingVariants,
  ...queryVariants,
  ...bodyVariants,
  ...pageVariants,
  ...replicaVariants,
  ...otherCallersVariants,
  ...messageVariants,
  ...gateVariants,
  ...shortPageVariants,
  ...lateListVariants,
  ...gatewayVariants,
  ...crowdVariants,
  ...combinedVariants,
  ...pairVariants,
];

export const findFault = (name: string): Fault | undefined => FAULTS.find((fault) => fault.name === name);
export const findVariant = (name: string): Variant | undefined => VARIANTS.find((variant) => variant.name === name);
