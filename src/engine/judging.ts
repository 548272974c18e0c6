import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Call } from '../petstore/call.ts';
import { kindOf } from '../petstore/kind-of-request.ts';
import type { Knowledge } from '../petstore/knowledge.ts';
import type { Reply } from '../petstore/reply.ts';
import type { Breach } from './breach.ts';
import type { Check, Rule } from './check.ts';

/** A breach of one check's rule, with the exchange that shows it and the one that it stands against, if any. */
export interface Finding {
  readonly breach: Breach;
  readonly proof: readonly Exchange[];
  /** The call that was judged, where one reply alone shows the breach. */
  readonly call?: Call;
}

/** How one check's rule fared over the whole run. */
export interface Tally {
  judged: number;
  violated: number;
  /** The finding with the shortest request: the easiest to read. */
  plainest: Finding | undefined;
  /** One more finding of each other code, so that one rule's different faults are all told. */
  readonly others: Map<string, Finding>;
  /** Kinds of request whose answer broke the rule. */
  readonly brokenKinds: Set<string>;
  /** True once a kind of request was answered rightly after it had been answered wrongly. */
  intermittent: boolean;
}

const FINDING_CODES_KEPT = 5;
const BROKEN_KINDS_KEPT = 500;

/**
 * Holds every reply against every rule. A breach belongs to the check that owns the rule, whichever check sent the
 * request; so a fault turns red the checks that it concerns, and an odd answer in passing is not lost.
 */
export class Judging {
  readonly contract: Contract;
  readonly knowledge: Knowledge;
  readonly #rules: readonly { readonly check: Check; readonly rule: Rule }[];
  readonly #tallies = new Map<string, Tally>();

  constructor(checks: readonly Check[], contract: Contract, knowledge: Knowledge) {
    this.contract = contract;
    this.knowledge = knowledge;
    this.#rules = checks.flatMap((check) => (check.always === undefined ? [] : [{ check, rule: check.always }]));
  }

  /** Judges a reply by every rule; returns the breach of the rule that belongs to `owner`, if there is one. */
  judge(reply: Reply, owner: Check): Finding | undefined {
    let own: Finding | undefined;
    for (const { check, rule } of this.#rules) {
      const judgement = rule(reply, this.knowledge);
      if (judgement === 'silent') continue;
      if (judgement === 'holds') {
        const tally = this.tally(check.id);
        tally.judged += 1;
        if (tally.brokenKinds.size > 0 && !tally.intermittent) {
          tally.intermittent = tally.brokenKinds.has(kindOf(reply.call));
        }
        continue;
      }
      const proof = judgement.against === undefined ? [reply.exchange] : [judgement.against, reply.exchange];
      const finding = { breach: judgement, proof, call: reply.call };
      this.report(check.id, finding);
      if (check.id === owner.id) own = finding;
    }
    this.knowledge.observe(reply);
    return own;
  }

  /** Counts a breach for the check that owns the rule. */
  report(checkId: string, finding: Finding): void {
    const tally = this.tally(checkId);
    tally.judged += 1;
    tally.violated += 1;
    if (finding.call !== undefined && tally.brokenKinds.size < BROKEN_KINDS_KEPT) {
      tally.brokenKinds.add(kindOf(finding.call));
    }
    const first = tally.plainest;
    if (first === undefined || size(finding) < size(first)) tally.plainest = finding;
    if (tally.others.size < FINDING_CODES_KEPT && !tally.others.has(finding.breach.code)) {
      tally.others.set(finding.breach.code, finding);
    }
  }

  tally(checkId: string): Tally {
    const known = this.#tallies.get(checkId);
    if (known !== undefined) return known;
    const fresh: Tally = {
      judged: 0,
      violated: 0,
      plainest: undefined,
      others: new Map(),
      brokenKinds: new Set(),
      intermittent: false,
    };
    this.#tallies.set(checkId, fresh);
    return fresh;
  }
}

function size({ proof }: Finding): number {
  const request = proof.at(-1)?.request;
  return (request?.path.length ?? 0) + (request?.body?.length ?? 0);
}
