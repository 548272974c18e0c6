import type { Exchange } from '../http/exchange.ts';
import { excerpt } from '../report/text.ts';
import { get } from './call.ts';
import type { Collection } from './collection.ts';
import type { Rule } from './requirement.ts';
import type { Script } from './script.ts';
import { differing, isWhole, type Seen, type Shown, shownMember } from './seen.ts';

const MOST = 25;
const LONGEST = 1_000;
/** Where so large a part is gone, somebody has emptied the collection. */
const NEARLY_ALL = 0.9;

/** An animal that a run created, as its 201 showed it; numbers in decimal digits. */
export interface RememberedEntry {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  /** ISO 8601 in UTC. */
  readonly addedAt: string;
}

/** What the next run is to look at, of as many kinds as possible; none where this one has created nothing. */
export function toRemember({ own, tag, recall }: Collection): readonly RememberedEntry[] {
  const kinds = new Map<string, RememberedEntry[]>();
  for (const { id, name, categoryId, status, isStatusOmitted, exchange } of own) {
    if (!name.includes(tag) || name.length > LONGEST || /\p{Surrogate}/u.test(name)) continue;
    const kind = [status, isStatusOmitted, /^[\w ]+$/.test(name), categoryId > 0n, `${categoryId}`.length > 15].join();
    const fields = { name, categoryId: `${categoryId}`, ...(status !== undefined && { status }) };
    const addedAt = new Date(performance.timeOrigin + exchange.answeredAt).toISOString();
    kinds.set(kind, [...(kinds.get(kind) ?? []), { id: `${id}`, fields, addedAt }]);
  }
  const rounds = Array.from({ length: MOST }, (_, at) => [...kinds.values()].flatMap((alike) => alike[at] ?? []));
  return kinds.size === 0 ? [] : [...rounds.flat(), ...recall.as('unchanged').map(({ entry }) => entry)].slice(0, MOST);
}

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
    this.#entries = new Map(entries.map((entry) => [BigInt(entry.id), entry]));
  }

  /** Those that were not looked at, and then those that were not found as they were. */
  get due(): readonly bigint[] {
    const isDue = (id: bigint): boolean => this.#looks.get(id)?.end !== 'unchanged';
    return this.isReset ? [] : [...this.#entries.keys()].filter(isDue);
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
    const [first, ...others] = this.isReset ? this.as('gone') : [];
    return (
      first &&
      `The collection was reset: ${others.length + 1} of ${this.#looks.size} animals of an earlier run (${minuteOf(first.entry)}) are gone.`
    );
  }

  /** One that is looked at again, with the exchanges that showed it, and another one as it was; not after a reset. */
  again(id: bigint | undefined): (Look & { readonly earlier: readonly Exchange[] }) | undefined {
    const look = id === undefined || this.isReset ? undefined : this.#looks.get(id);
    return look && { ...look, earlier: [this.as('unchanged')[0], look].flatMap((one) => one?.exchange ?? []) };
  }

  learn({ reading: { id, key }, shape, animals: [animal], exchange }: Seen): void {
    const entry = id?.id === undefined || key.kind !== 'right' ? undefined : this.#entries.get(id.id);
    if (entry === undefined || id?.id === undefined || shape === undefined || this.#looks.has(id.id)) return;
    const isGone = animal === undefined || isAnother(animal.name, entry.fields['name']);
    const end = isGone ? 'gone' : differing(animal, shownBy(entry)) === undefined ? 'unchanged' : 'changed';
    this.#looks.set(id.id, { entry, exchange, end });
  }
}

const minuteOf = ({ addedAt }: RememberedEntry): string => `${addedAt.slice(0, 10)} at ${addedAt.slice(11, 16)} UTC`;
const nameOf = (entry: RememberedEntry): string =>
  `animal ${entry.id}, which an earlier run created on ${minuteOf(entry)} as ${excerpt(JSON.stringify(entry.fields), 200)},`;

function shownBy({ id, fields: { name, categoryId = '0', status } }: RememberedEntry): Shown {
  return { id: BigInt(id), name, categoryId: BigInt(categoryId), status, place: '' };
}

/** Whether a name has nothing of another: neither is a part of the other, whatever the case and the signs. */
function isAnother(...names: readonly (string | undefined)[]): boolean {
  const [one = '', other = ''] = names.map((name = '') => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return !one.includes(other) && !other.includes(one);
}

/** For GET-4. */
export const isStillThere: Rule = ({ reading: { id }, status }, { recall }) => {
  const look = status === 404 ? recall.again(id?.id) : undefined;
  return look && { says: `${nameOf(look.entry)} is not found`, earlier: look.earlier };
};

/** For RES-9. */
export const isStillTheSame: Rule = ({ animals }, { recall }) => {
  for (const animal of animals) {
    const look = recall.again(animal.id);
    const member = look && isWhole(animal) ? differing(animal, shownBy(look.entry)) : undefined;
    if (look === undefined || member === undefined) continue;
    const says = `${nameOf(look.entry)} now has the ${member} ${shownMember(animal, member)}`;
    return { says, member, earlier: look.earlier };
  }
  return undefined;
};

/** Whether an exchange is about one that is looked at again. */
export const isOfAnEarlierRun = ({ reading: { id, key } }: Seen, { recall }: Collection): boolean =>
  key.kind === 'right' && recall.again(id?.id) !== undefined;

/** All of them, and those that were not found as they were once more. */
export const RECALL: Script = {
  stages: ['found'],
  run: async ({ known, together }) => {
    for (let round = 0; round < 2; round += 1) await together(known.recall.due.map((id) => ({ call: get(), id })));
  },
};
