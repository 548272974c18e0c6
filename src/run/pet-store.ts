import { Checker, type Learned } from '../check/checker.ts';
import type { Requirement } from '../check/requirement.ts';
import { LIMIT } from '../contract/contract-facts.ts';
import { cutBody } from '../http/message.ts';
import { Collection } from '../known/collection.ts';
import { markedNames } from '../known/marks.ts';
import type { CreatedAnimal } from '../known/recall.ts';
import { type Call, OPERATIONS, operationOf } from '../reading/call.ts';
import { type Exchange, type Filled, filled } from '../reading/exchange.ts';
import { expected } from '../reading/expected.ts';
import { fill, type Names, needsCookie, needsFree, needsId, type Terms } from '../reading/fill.ts';
import { type Reading, read } from '../reading/reading.ts';
import type { Row } from './plan.ts';

/** How far apart rows choose their animals, so that two in a row ask for different ones. */
const STRIDE = 13;
/** How many animals of the run rows choose from. */
const CHOICES = 24;
/** What names stand for where only the reading of a call matters. */
const ANY_NAMES = { ...markedNames('any', '0000', 0), ID: '1', FREE: '1' };
const FREE_FROM = 600_000_000n;
const FREE_STEP = 1_000_003n;

/** The Pet Store that a run tests: what is sent to it, checked and known of it. Names depend only on the tag of the run and the number of the row. */
export class PetStore {
  readonly known: Collection;
  readonly #checker: Checker;
  readonly #terms: Terms;
  readonly #number: string;
  #rows = 0;

  /** @param tag five letters and digits, unique to the run @param remembered animals that an earlier run created */
  constructor(
    requirements: readonly Requirement[],
    terms: Terms,
    tag: string,
    number: string,
    remembered: readonly CreatedAnimal[] = [],
  ) {
    this.#terms = terms;
    this.#number = number;
    this.known = new Collection({ settleMs: terms.settleMs, tag, remembered });
    this.#checker = new Checker(requirements, terms, this.known);
  }

  /** The number of another row. */
  newRow(): number {
    this.#rows += 1;
    return this.#rows;
  }

  /** The values of a call's names in a row; undefined if it needs an animal and there is none. */
  namesFor(call: Call, row: number, id?: bigint): Names | undefined {
    const chosen = id ?? (needsId(call) ? this.#chosenId(row) : undefined);
    if (needsId(call) && chosen === undefined) return undefined;
    return {
      ...markedNames(this.known.tag, this.#number, row),
      ...(chosen !== undefined && { ID: `${chosen}` }),
      ...(needsCookie(call) && this.known.cookies.text !== undefined && { COOKIE: this.known.cookies.text }),
      ...(needsFree(call) && { FREE: `${this.#freeId(row)}` }),
    };
  }

  /** The bytes of a call; undefined if it cannot be made with this key, or there is no animal that it could name. */
  fill(call: Call, names: Names): Filled | undefined {
    return filled(call, names, this.#terms);
  }

  check(exchange: Exchange): Learned {
    const learned = this.#checker.check(exchange);
    // The 201 that gave an animal its id is needed whole.
    const isNeeded = operationOf(exchange.call).adds || learned.checked.violations.length > 0;
    if (exchange.outcome.kind === 'answer' && !isNeeded) cutBody(exchange.outcome);
    return learned;
  }

  /** Whether a call may be accepted or must be, by its reading alone. */
  expectationOf(reading: Reading): string {
    const { mustBe } = expected(reading, 'unknown', false);
    return mustBe === 'either' ? 'may be accepted' : `must be ${mustBe}`;
  }

  /** Whether a request may add an animal, by its reading alone. */
  mayAdd(reading: Reading): boolean {
    return OPERATIONS[reading.operation].adds && this.expectationOf(reading) !== 'must be rejected';
  }

  /** A new row for a call; undefined if it cannot be sent with this key, or not by a run that adds nothing. */
  rowOf(call: Call, isReadOnly: boolean): Pick<Row, 'number' | 'adds' | 'names'> | undefined {
    const names = needsId(call);
    const request = isReadOnly && (names || operationOf(call).adds) ? undefined : fill(call, ANY_NAMES, this.#terms);
    if (request === undefined) return undefined;
    // What reads only adds nothing, whatever it says.
    const adds = call.method !== 'GET' && this.mayAdd(read(request, this.#terms));
    return { number: this.newRow(), adds, names };
  }

  /** Names for sending a call again: a creation is a new one. */
  namesAgain(call: Call, names: Names): Names {
    if (!operationOf(call).adds) return names;
    const id = names['ID'] === undefined ? undefined : BigInt(names['ID']);
    return this.namesFor(call, this.newRow(), id) ?? names;
  }

  /** How many animals of a status are still needed for a full page and one more. */
  missingForFull(status: string): number {
    const own = this.known.ownAnimals.filter((animal) => animal.status === status).length;
    const listed = this.known.largestPage(`limit=100&status=${status}`)?.length ?? 0;
    return Math.max(0, LIMIT.maximum + 1 - Math.max(own, listed));
  }

  #chosenId(row: number): bigint | undefined {
    const own = this.known.ownAnimals.slice(0, CHOICES);
    return own[(row * STRIDE) % Math.max(1, own.length)]?.id;
  }

  #freeId(row: number): bigint {
    for (let at = BigInt(row); ; at += 997n) {
      const id = FREE_FROM + ((at * FREE_STEP) % 1_400_000_000n);
      if (this.known.ids.isFree(id)) return id;
      if (at > BigInt(row) + 60_000n) return 2n ** 61n + at;
    }
  }
}
