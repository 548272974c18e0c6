import type { Exchange } from '../reading/exchange.ts';
import { valuesOf } from '../reading/members.ts';
import type { Reading } from '../reading/reading.ts';
import { differingMember, isComplete, type Seen, type ShownAnimal } from './seen.ts';

/** An animal that a run has created, as its 201 showed it, with the texts of its members. */
export interface CreatedAnimal {
  /** In decimal digits. */
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** If this share is gone, somebody emptied the collection. */
const NEARLY_ALL = 0.9;

/** How this run first found an animal of an earlier run. */
interface FirstSighting {
  readonly entry: CreatedAnimal;
  readonly exchange: Exchange;
  readonly state: 'unchanged' | 'changed' | 'gone';
}

/** What earlier runs created, and how this one first found it. Part of the collection, and learns with it. */
export class Recall {
  readonly #entries: ReadonlyMap<bigint, CreatedAnimal>;
  readonly #sightings = new Map<bigint, FirstSighting>();

  constructor(entries: readonly CreatedAnimal[]) {
    const whole = entries.filter((entry) => isComplete(animalOf(entry)));
    this.#entries = new Map(whole.map((entry) => [BigInt(entry.id), entry]));
  }

  /** The ids that were not checked yet, or not found unchanged; none after a reset. */
  get due(): readonly bigint[] {
    return this.isReset ? [] : [...this.#entries.keys()].filter((id) => this.#sightings.get(id)?.state !== 'unchanged');
  }

  /** The animals that were first found in this state. */
  inState(end: FirstSighting['state']): readonly FirstSighting[] {
    return [...this.#sightings.values()].filter((look) => look.state === end);
  }

  get isReset(): boolean {
    return this.#sightings.size > 0 && this.inState('gone').length >= NEARLY_ALL * this.#sightings.size;
  }

  /** The sentence that the conclusion starts with after a reset. */
  get resetSentence(): string | undefined {
    const gone = this.isReset ? this.inState('gone') : [];
    const how = `${gone.length} of ${this.#sightings.size} animals of an earlier run`;
    return gone[0] && `The collection was reset: ${how} (${minuteOf(gone[0].entry)}) are gone.`;
  }

  /** A rechecked animal, with the exchanges that first showed it and an unchanged one; undefined after a reset. */
  sightingToRecheck(id: bigint | undefined): (FirstSighting & { readonly earlier: readonly Exchange[] }) | undefined {
    const look = id === undefined || this.isReset ? undefined : this.#sightings.get(id);
    return look && { ...look, earlier: [this.inState('unchanged')[0], look].flatMap((one) => one?.exchange ?? []) };
  }

  learn({ reading, shape, animals: [animal], exchange }: Seen): void {
    const id = plainIdOf(reading);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (entry === undefined || id === undefined || shape === undefined || this.#sightings.has(id)) return;
    const isGone = animal === undefined || areUnrelated(animal.name, entry.fields['name']);
    const state = isGone ? 'gone' : differingMember(animal, animalOf(entry)) === undefined ? 'unchanged' : 'changed';
    this.#sightings.set(id, { entry, exchange, state });
  }
}

/** The id that is requested with the right key in plain digits: in another spelling, it need not be found. */
export const plainIdOf = ({ id, key }: Reading): bigint | undefined =>
  key.kind === 'right' && id?.kind === 'valid' ? id.id : undefined;
export const minuteOf = ({ createdAt }: CreatedAnimal): string =>
  `${createdAt.slice(0, 10)} at ${createdAt.slice(11, 16)} UTC`;

/** The animal of an entry, as a response would show it. */
export const animalOf = ({ id, fields }: CreatedAnimal): ShownAnimal => ({
  id: BigInt(id),
  pointer: '',
  ...valuesOf(fields),
});

/** Whether neither of two names is part of the other, ignoring case and punctuation. */
function areUnrelated(...names: readonly (string | undefined)[]): boolean {
  const [one = '', other = ''] = names.map((name = '') => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return !one.includes(other) && !other.includes(one);
}
