import type { Exchange } from '../http/exchange.ts';
import type { RememberedEntry } from './fill.ts';
import type { Reading } from './reading.ts';
import { differing, type Seen, type Shown } from './seen.ts';

/** Where so large a part is gone, somebody has emptied the collection. */
const NEARLY_ALL = 0.9;

/** How an animal of an earlier run was found at first. */
interface Look {
  readonly entry: RememberedEntry;
  readonly exchange: Exchange;
  readonly end: 'unchanged' | 'changed' | 'gone';
}

/** What earlier runs created, and how this one found it at first. Part of the collection, and learns with it. */
export class Recall {
  readonly #entries: ReadonlyMap<bigint, RememberedEntry>;
  readonly #looks = new Map<bigint, Look>();

  constructor(entries: readonly RememberedEntry[]) {
    const whole = entries.filter(({ fields }) => /^-?\d{1,19}$/.test(fields['categoryId'] ?? ''));
    this.#entries = new Map(whole.map((entry) => [BigInt(entry.id), entry]));
  }

  /** Those that were not looked at, and then those that were not found as they were. */
  get due(): readonly bigint[] {
    return this.isReset ? [] : [...this.#entries.keys()].filter((id) => this.#looks.get(id)?.end !== 'unchanged');
  }

  /** Those that were found so at first. */
  as(end: Look['end']): readonly Look[] {
    return [...this.#looks.values()].filter((look) => look.end === end);
  }

  get isReset(): boolean {
    return this.#looks.size > 0 && this.as('gone').length >= NEARLY_ALL * this.#looks.size;
  }

  /** What the reader of the result must know first. */
  get resetSentence(): string | undefined {
    const gone = this.isReset ? this.as('gone') : [];
    const how = `${gone.length} of ${this.#looks.size} animals of an earlier run`;
    return gone[0] && `The collection was reset: ${how} (${minuteOf(gone[0].entry)}) are gone.`;
  }

  /** One that is looked at again, with the exchanges that showed it, and another one as it was; not after a reset. */
  again(id: bigint | undefined): (Look & { readonly earlier: readonly Exchange[] }) | undefined {
    const look = id === undefined || this.isReset ? undefined : this.#looks.get(id);
    return look && { ...look, earlier: [this.as('unchanged')[0], look].flatMap((one) => one?.exchange ?? []) };
  }

  learn({ reading, shape, animals: [animal], exchange }: Seen): void {
    const id = plainIdOf(reading);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (entry === undefined || id === undefined || shape === undefined || this.#looks.has(id)) return;
    const isGone = animal === undefined || isAnother(animal.name, entry.fields['name']);
    const end = isGone ? 'gone' : differing(animal, shownBy(entry)) === undefined ? 'unchanged' : 'changed';
    this.#looks.set(id, { entry, exchange, end });
  }
}

/** The id that is asked for with the right key, in its plain spelling: others need not be found. */
export const plainIdOf = ({ id, key }: Reading): bigint | undefined =>
  key.kind === 'right' && id?.kind === 'valid' ? id.id : undefined;
export const minuteOf = ({ addedAt }: RememberedEntry): string =>
  `${addedAt.slice(0, 10)} at ${addedAt.slice(11, 16)} UTC`;

/** An animal as it was kept. */
export function shownBy({ id, fields: { name, categoryId = '0', status } }: RememberedEntry): Shown {
  return { id: BigInt(id), name, categoryId: BigInt(categoryId), status, place: '' };
}

/** Whether a name has nothing of another: neither is a part of the other, whatever the case and the signs. */
function isAnother(...names: readonly (string | undefined)[]): boolean {
  const [one = '', other = ''] = names.map((name = '') => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return !one.includes(other) && !other.includes(one);
}
