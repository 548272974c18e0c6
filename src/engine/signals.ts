import type { Exchange } from '../http/exchange.ts';
import type { Call } from '../petstore/call.ts';
import type { ShrinkEvidence } from '../report/model/result.ts';
import type { Breach } from './breach.ts';

/** How a check ends before its last line. Each is caught by the judge, which makes an outcome of it. */

/** Where in a check a sample stands, so that it can be sent again: the how-manieth property, and fast-check's path. */
export interface SamplePlace {
  readonly property: number;
  readonly path: string;
}

/** What is known of a broken rule beyond its first proof. */
export interface BrokenDetails {
  /** The call whose reply alone shows it. */
  readonly call?: Call;
  readonly place?: SamplePlace;
  readonly shrunk?: ShrinkEvidence;
  readonly frequency?: { readonly violated: number; readonly judged: number };
}

/** The rule of the check is broken; `proof` ends with the exchange that shows it. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly breach: Breach;
  readonly proof: readonly Exchange[];
  readonly details: BrokenDetails;
  constructor(breach: Breach, proof: readonly Exchange[], details: BrokenDetails = {}) {
    super(breach.message);
    this.breach = breach;
    this.proof = proof;
    this.details = details;
  }
}

/** The rule could not be judged; `see` is the requirement that owns what stood in the way. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  readonly code: string;
  readonly see: string | undefined;
  readonly byOption: boolean;
  constructor(code: string, reason: string, extra: { readonly see?: string; readonly byOption?: boolean } = {}) {
    super(reason);
    this.code = code;
    this.see = extra.see;
    this.byOption = extra.byOption ?? false;
  }
}

/** The rule does not apply to this service today. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** The suite contradicts itself; never a verdict on the service. */
export class HarnessFault extends Error {
  override readonly name = 'HarnessFault';
}
