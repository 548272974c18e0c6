import { REMOVAL_DATE } from '../contract/contract-facts.ts';
import { shortened } from '../http/message.ts';
import type { Collection } from '../known/collection.ts';
import type { OwnAnimal } from '../known/facts.ts';
import { observe, type Seen } from '../known/seen.ts';
import { operationOf } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { expected as expectedOf, shapeOf, statusesInWords } from '../reading/expected.ts';
import type { Terms } from '../reading/fill.ts';
import { count } from '../text.ts';
import { Asked } from './asked.ts';
import type { Checked, OpenQuestion, Recording, Tested, Violation } from './checked.ts';
import type { Requirement } from './requirement.ts';
import { type Broken, isQuestion, type Question, type RuleResult } from './rule.ts';

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
  readonly #asked: Asked;

  constructor(requirements: readonly Requirement[], terms: Terms, known: Collection) {
    this.#requirements = requirements;
    this.#terms = terms;
    this.known = known;
    this.#asked = new Asked(terms.settleMs);
  }

  check(exchange: Exchange): Learned {
    const { reading } = exchange;
    const idState = this.known.idStateBefore(reading, exchange.sentAt);
    const seen = observe(exchange, idState, this.#mayBeGone);
    const { expected, status, shape } = seen;
    const tested: Tested[] = [];
    const violations: Violation[] = [];
    const said: OpenQuestion[] = [];
    const recorded: Recording[] = [];
    const isStatusWrong = status !== undefined && shape === undefined;
    const isWhole = exchange.outcome.kind === 'answer';
    if ((isWhole || isStatusWrong) && this.#requirements.some(({ id }) => id === expected.requirement)) {
      tested.push({ requirement: expected.requirement, rule: undefined, holds: !isStatusWrong });
      if (isStatusWrong) violations.push(this.#unexpected(seen));
    }
    for (const { id, says: rule, about, when, broken, records } of this.#requirements) {
      if (!isWhole && about !== 'connection' && !(isStatusWrong && about === 'status')) continue;
      if (when?.(seen, this.known) === false) continue;
      const reads = records?.(seen, this.known);
      if (reads !== undefined) recorded.push({ requirement: id, reading: reads });
      if (broken === undefined || (isStatusWrong && (about === 'message' || about === 'content'))) continue;
      const result = broken(seen, this.known);
      if (isQuestion(result)) said.push({ ...result, requirement: id });
      const found = this.#concluded(result, exchange);
      if (found === undefined) continue;
      // A permitted status breaks no rule about one.
      const holds = found === false || (about === 'status' && !isStatusWrong);
      tested.push({ requirement: id, rule, holds });
      if (holds) continue;
      const { says, member, at, operation, earlier = [] } = found;
      violations.push({ requirement: id, about, says, member, at, operation, earlier });
    }
    if (isWhole && shape !== undefined) {
      for (const { requirement, text } of reading.points)
        recorded.push({ requirement, reading: `answers ${status} to ${text}` });
    }
    // The 201 that gave an animal its id, and what breaks a rule, are needed whole.
    const isNeeded = operationOf(exchange.call).adds || violations.length > 0;
    const outcome = isNeeded ? exchange.outcome : shortened(exchange.outcome);
    const kept = outcome === exchange.outcome ? exchange : { ...exchange, outcome };
    const checked: Checked = {
      exchange: kept,
      expected,
      violations,
      tested,
      recorded,
      questions: said.filter(({ key }) => this.#asked.lasting(key) === undefined),
    };
    for (const key of exchange.again ?? []) {
      const same = said.find((question) => question.key === key);
      this.#asked.learn(key, same && this.known.sequences.upTo(kept, same.again.length));
    }
    this.known.learn({ ...seen, exchange: kept });
    return { checked, seen };
  }

  /** What is wrong, if anything: a question is a violation once the answers have said the same again and again. */
  #concluded(result: RuleResult, { again = [] }: Exchange): Broken | false | undefined {
    if (typeof result === 'string') return { says: result };
    if (!isQuestion(result)) return result;
    const { says, earlier = [], key, isMoot, ...broken }: Question = result;
    const lasting = again.includes(key) && isMoot !== true ? this.#asked.lasting(key) : undefined;
    if (lasting === undefined) return undefined;
    const times = count(lasting.length + 1, 'response');
    return { ...broken, says: `${says}, in ${times} in a row`, earlier: [...earlier, ...lasting.flat()] };
  }

  /** A status that is not permitted. */
  #unexpected(seen: Seen): Violation {
    const { expected, status, reading } = seen;
    const own = this.#creationReliedOn(seen);
    return {
      requirement: expected.requirement,
      about: 'status',
      says: `${reading.operation} answers ${status} where ${statusesInWords(expected)} is right`,
      earlier: own === undefined ? [] : this.known.historyOf(own),
    };
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
