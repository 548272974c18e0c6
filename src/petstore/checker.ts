import type { Checked, Doubt, Recording, Violation } from '../engine/checked.ts';
import type { Exchange } from '../http/exchange.ts';
import { missing } from '../http/failures.ts';
import { get } from './call.ts';
import type { Collection } from './collection.ts';
import { REMOVAL_DATE } from './contract-facts.ts';
import { expected as expectedOf, shapeOf, statusesInWords } from './expected.ts';
import type { OwnAnimal } from './facts.ts';
import type { Terms } from './fill.ts';
import { read } from './reading.ts';
import type { Requirement, Verdict } from './requirement.ts';
import { observe, type Seen } from './seen.ts';

/** Checks every exchange against every rule, in the order in which they ended; then the collection learns from it. */
export class Checker {
  readonly known: Collection;
  readonly #requirements: readonly Requirement[];
  readonly #terms: Terms;

  constructor(requirements: readonly Requirement[], terms: Terms, known: Collection) {
    this.#requirements = requirements;
    this.#terms = terms;
    this.known = known;
  }

  check(exchange: Exchange): { readonly checked: Checked; readonly seen: Seen } {
    const reading = read(exchange.request, this.#terms);
    const idState = this.known.idStateBefore(reading, exchange.sentAt);
    const seen = observe(exchange, reading, idState, this.#mayBeGone);
    const { expected, status, shape } = seen;
    const tested = new Set<string>([expected.requirement]);
    const violations: Violation[] = [];
    const recorded: Recording[] = [];
    if (shape === undefined && this.#requirements.some(({ id }) => id === expected.requirement))
      violations.push(unexpected(seen, this.#creationReliedOn(seen)));
    for (const { id, about, when, broken, records } of this.#requirements) {
      if (when?.(seen, this.known) === false) continue;
      const reads = records?.(seen, this.known);
      if (reads !== undefined) recorded.push({ requirement: id, reading: reads });
      if (broken === undefined || (about === 'status') !== (shape === undefined)) {
        if (broken !== undefined && about === 'status') tested.add(id);
        continue;
      }
      tested.add(id);
      const verdict = broken(seen, this.known);
      const violation = violationOf(id, about, verdict);
      if (violation !== undefined) violations.push(violation);
    }
    if (status !== undefined && shape !== undefined) {
      for (const { requirement, point } of reading.points)
        recorded.push({ requirement, reading: `answers ${status} to ${point}` });
    }
    const checked: Checked = {
      exchange,
      violations,
      tested,
      recorded,
      requirement: expected.requirement,
      mustBe: expected.mustBe,
      expected: statusesInWords(expected),
      unusual: reading.unusual,
      kind: `${reading.operation} ${reading.key.kind} ${reading.kind} ${reading.requirement} ${expected.mustBe}`,
      isControl: expected.mustBe === 'accepted' && shape !== undefined && status !== undefined && status < 300,
      isAboutKey: reading.key.kind === 'bad',
      doubts: this.#doubts(seen),
    };
    this.known.learn(seen);
    return { checked, seen };
  }

  /** The creation of the requested animal, if without it the response would be permitted or violate another requirement. */
  #creationReliedOn({ reading, exchange, expected, status }: Seen): OwnAnimal | undefined {
    const own = this.known.ownBefore(reading.id?.id, exchange.sentAt);
    if (own === undefined) return undefined;
    const withoutIt = expectedOf(reading, 'unknown', this.#mayBeGone);
    const isSame = withoutIt.requirement === expected.requirement && withoutIt.mustBe === expected.mustBe;
    const isWrongWithoutIt = status === undefined || shapeOf(withoutIt.permitted, status) === undefined;
    return isSame && isWrongWithoutIt ? undefined : own;
  }

  get #mayBeGone(): boolean {
    return this.#terms.today >= REMOVAL_DATE;
  }

  /** Animals that a page omits, or that are shown in two ways: replication delay, a cache or another client may explain it. */
  #doubts(seen: Seen): readonly Doubt[] {
    const { reading, exchange, length } = seen;
    const callOf = ({ call, names }: Exchange) => ({ call, names });
    const { inDoubt } = this.known;
    const key = (exchange.quiet ? inDoubt.openOmissionKey(seen) : undefined) ?? inDoubt.conflictKey(seen);
    if (key !== undefined) return [{ key, calls: inDoubt.sequenceOf(seen).map(callOf), isUrgent: false }];
    const page = exchange.quiet ? undefined : inDoubt.conflictingPage(seen);
    if (page !== undefined) {
      return [{ key: `${reading.id?.id}`, calls: [exchange, page, exchange].map(callOf), isUrgent: false }];
    }
    const { query } = reading;
    if (query === undefined || seen.shape !== 'page') return [];
    const omitted = inDoubt.possiblyOmitted(seen).filter((own) => {
      const before = inDoubt.omission(query.text, own.id);
      return before === undefined || !inDoubt.isLasting(before);
    });
    if (omitted.length > 0) return [{ key: query.text, calls: [callOf(exchange)], isUrgent: length === 0 }];
    const other = exchange.quiet ? undefined : inDoubt.otherClientsOmission(seen);
    if (other === undefined) return [];
    const fetch = { call: get(), names: { ID: `${other.animal.id}` } };
    return [{ key: `${query.text} ${other.animal.id}`, calls: [fetch, callOf(exchange), fetch], isUrgent: false }];
  }
}

function violationOf(requirement: string, about: Violation['about'], verdict: Verdict): Violation | undefined {
  if (verdict === false || verdict === undefined) return undefined;
  const broken = typeof verdict === 'string' ? { says: verdict } : verdict;
  return { requirement, about, earlier: [], ...broken };
}

/** A status that is not permitted, or no response at all. */
function unexpected({ exchange, expected, status, reading }: Seen, own: OwnAnimal | undefined): Violation {
  const { outcome } = exchange;
  const got = outcome.kind === 'failure' ? `gets ${missing(outcome)}: ${outcome.sentence}` : `answers ${status}`;
  return {
    requirement: expected.requirement,
    about: 'status',
    says: `${reading.operation} ${got} where ${statusesInWords(expected)} is right`,
    earlier: own === undefined ? [] : [own.exchange],
  };
}
