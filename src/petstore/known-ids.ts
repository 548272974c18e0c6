import { InconclusiveError } from '../engine/outcome-errors.ts';
import type { KnownIds } from './inputs/ids.ts';
import type { Created } from './reply.ts';
import { oneOfEach } from './space/get-requests.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Most animals of others whose ids are asked for. */
const MOST_OF_OTHERS = 12;

type Needed = Pick<Vocabulary, 'api' | 'collection' | 'naming' | 'aPet'>;

/** What the run knows of ids. @param made the animals of each making; one that exists stands for all of them where not given */
export async function knownIds({ api, collection }: Needed, made?: KnownIds['made']): Promise<KnownIds> {
  const own = await collection.anAnimal();
  await api.get(own);
  const { created } = collection.model;
  const newest = created.reduce((largest, { id }) => (id > largest ? id : largest), own);
  const others = await collection.othersAnimals(MOST_OF_OTHERS);
  return { own, newest, others: others.map(({ id }) => id), made: made ?? (() => own) };
}

/** What the run knows of ids, where an animal of each making is added now. */
export async function idsGivenNow(vocabulary: Needed): Promise<KnownIds> {
  const { api, aPet, naming } = vocabulary;
  const ids = new Map<string, bigint>();
  const known = await knownIds(vocabulary, (making) => ids.get(making) ?? known.own);
  const pets = [...oneOfEach(() => aPet('available'), naming)];
  await Promise.all(pets.map(async ([making, pet]) => ids.set(making, (await api.create(pet)).id)));
  return known;
}

/** What the run knows of ids, where the animals that it added so far stand for those of each making. */
export function idsGivenLongAgo(vocabulary: Needed): Promise<KnownIds> {
  const added = vocabulary.collection.model.created.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const makings = [...oneOfEach(() => ({ name: '', categoryId: 1n }), vocabulary.naming).keys()];
  const isAlike: Readonly<Record<string, (animal: Created) => boolean>> = {
    pending: ({ status }) => status === 'pending',
    sold: ({ status }) => status === 'sold',
    'in a category beyond a double': ({ categoryId }) => categoryId > 2n ** 53n,
    'in a negative category': ({ categoryId }) => categoryId < 0n,
    'with an odd name': ({ name }) => /[^\x20-\x7e]/.test(name),
  };
  return knownIds(vocabulary, (making) => {
    const alike = added.filter(isAlike[making] ?? (() => true));
    const at = makings.indexOf(making);
    const animal = alike[at % Math.max(1, alike.length)] ?? added[at % Math.max(1, added.length)];
    if (animal === undefined) throw new InconclusiveError('too-few', 'the run has added no animal');
    return animal.id;
  });
}
