import type { Collection } from '../known/collection.ts';
import { markedNames } from '../known/marks.ts';
import { type Call, operationOf } from '../reading/call.ts';
import { type Names, needsCookie, needsFree, needsId } from '../reading/fill.ts';

/** How far apart rows choose their animals, so that two in a row ask for different ones. */
const STRIDE = 13;
/** How many animals of the run rows choose from. */
const CHOICES = 24;
const FREE_FROM = 600_000_000n;
const FREE_STEP = 1_000_003n;

/** What the names in calls stand for: it depends only on the tag of the run, the number of the row and what is known. */
export class RowNames {
  readonly #known: Collection;
  readonly #number: string;
  #rows = 0;

  /** @param number four digits */
  constructor(known: Collection, number: string) {
    this.#known = known;
    this.#number = number;
  }

  /** The number of another row. */
  newRow(): number {
    this.#rows += 1;
    return this.#rows;
  }

  /** The values of a call's names in a row; undefined if it needs an animal and there is none. */
  of(call: Call, row: number, id?: bigint): Names | undefined {
    const chosen = id ?? (needsId(call) ? this.#chosenId(row) : undefined);
    if (needsId(call) && chosen === undefined) return undefined;
    const { tag, cookies } = this.#known;
    return {
      ...markedNames(tag, this.#number, row),
      ...(chosen !== undefined && { ID: `${chosen}` }),
      ...(needsCookie(call) && cookies.text !== undefined && { COOKIE: cookies.text }),
      ...(needsFree(call) && { FREE: `${this.#freeId(row)}` }),
    };
  }

  /** Names for sending a call again: a creation is a new one. */
  again(call: Call, names: Names): Names {
    if (!operationOf(call).adds) return names;
    const id = names['ID'] === undefined ? undefined : BigInt(names['ID']);
    return this.of(call, this.newRow(), id) ?? names;
  }

  #chosenId(row: number): bigint | undefined {
    const own = this.#known.ownAnimals.slice(0, CHOICES);
    return own[(row * STRIDE) % Math.max(1, own.length)]?.id;
  }

  #freeId(row: number): bigint {
    for (let at = BigInt(row); ; at += 997n) {
      const id = FREE_FROM + ((at * FREE_STEP) % 1_400_000_000n);
      if (this.#known.ids.isFree(id)) return id;
      if (at > BigInt(row) + 60_000n) return 2n ** 61n + at;
    }
  }
}
