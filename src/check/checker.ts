import { REMOVAL_DATE } from '../contract/contract-facts.ts';
import type { Collection } from '../known/collection.ts';
import type { OwnAnimal } from '../known/facts.ts';
import { observe, type Seen } from '../known/seen.ts';
import { isPlainCall } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { expected as expectedOf, shapeOf, statusesInWords } from '../reading/expected.ts';
import type { Terms } from '../reading/fill.ts';
import type { Reading } from '../reading/reading.ts';
import type { Checked, Recording, Unsure, Violation } from './checked.ts';
import type { Requirement } from './requirement.ts';

/** The result of checking an exchange, and what it shows, which is too large to keep. */
export interface Learned {
  readonly checked: Checked;
  readonly seen: Seen;
}

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

  check(exchange: Exchange): Learned {
    const { reading } = exchange;
    const idState = this.known.idStateBefore(reading, exchange.sentAt);
    const seen = observe(exchange, idState, this.#mayBeGone);
    const { expected, status, shape } = seen;
    const tested = new Set<string>();
    const violations: Violation[] = [];
    const said: Unsure[] = [];
    const recorded: Recording[] = [];
    const isStatusWrong = status !== undefined && shape === undefined;
    const isWhole = exchange.outcome.kind === 'answer';
    if (isWhole || isStatusWrong) tested.add(expected.requirement);
    if (isStatusWrong && this.#requirements.some(({ id }) => id === expected.requirement))
      violations.push(unexpected(seen, this.#creationReliedOn(seen)));
    for (const { id, about, when, broken, records } of this.#requirements) {
      if (!isWhole && about !== 'connection' && !(isStatusWrong && about === 'status')) continue;
      if (when?.(seen, this.known) === false) continue;
      const reads = records?.(seen, this.known);
      if (reads !== undefined) recorded.push({ requirement: id, reading: reads });
      if (broken === undefined) continue;
      const isAbout = about === 'connection' || (about === 'status') === isStatusWrong;
      if (isAbout || about === 'status') tested.add(id);
      const verdict = isAbout ? broken(seen, this.known) : undefined;
      if (verdict === undefined || verdict === false) continue;
      const found = typeof verdict === 'string' ? { says: verdict } : verdict;
      if (found.unsure !== undefined) said.push(found.unsure);
      if (found.unsure !== undefined && found.isLasting !== true) continue;
      const { says, member, at, operation, earlier = [] } = found;
      violations.push({ requirement: id, about, says, member, at, operation, earlier });
    }
    if (isWhole && shape !== undefined) {
      for (const { requirement, text } of reading.points)
        recorded.push({ requirement, reading: `answers ${status} to ${text}` });
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
      isPlain: isPlainCall(exchange.call),
      kind: `${reading.operation} ${reading.key.kind} ${reading.kind} ${reading.requirement} ${expected.mustBe}`,
      sent: sentApartFromKey(reading),
      isControl: expected.mustBe === 'accepted' && shape !== undefined && status !== undefined && status < 300,
      wrongKey: reading.key.wrongKey,
      isKeyOpen: reading.key.kind === 'open',
      unsure: said.filter(({ key }) => this.known.repeated.lasting(key) === undefined),
    };
    if (exchange.again !== undefined) {
      const same = said.find(({ key }) => key === exchange.again);
      this.known.repeated.learn(exchange.again, same && this.known.sequence(seen, same.again.length));
    }
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
}

/** A status that is not permitted. */
function unexpected({ expected, status, reading }: Seen, own: OwnAnimal | undefined): Violation {
  return {
    requirement: expected.requirement,
    about: 'status',
    says: `${reading.operation} answers ${status} where ${statusesInWords(expected)} is right`,
    earlier: own === undefined ? [] : [own.exchange],
  };
}

const sentApartFromKey = ({ query, id, body, kind }: Reading): string =>
  `${kind} ${(query ?? id ?? body)?.requirement}`;
