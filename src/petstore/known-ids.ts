import { createPet } from './calls.ts';
import { type NewPet, validBody } from './inputs/body.ts';
import type { KnownIds } from './inputs/written-id.ts';
import type { Created } from './reply.ts';
import { IN_CHUNKS, oneOfEach } from './space/get-requests.ts';
import { sideBySide } from './together.ts';
import type { Vocabulary } from './vocabulary.ts';

type Needed = Pick<Vocabulary, 'api' | 'collection' | 'naming' | 'aPet'>;

/** What the run knows of ids, for requests of animals that it need not have added just now. */
export async function knownIds(vocabulary: Needed): Promise<KnownIds> {
  return idsSoFar(vocabulary, await vocabulary.collection.aFoundAnimal());
}

/** As {@link knownIds}, by an animal of the run's own that need not have been found yet. */
export const idsSoFar = (vocabulary: Needed, own: bigint): KnownIds => idsBeside(vocabulary, own, [], () => own);

/** As {@link knownIds}, and what the list shows of animals of others. */
export async function knownIdsOfAll(vocabulary: Needed): Promise<KnownIds> {
  const finding = vocabulary.collection.aFoundAnimal();
  const looking = vocabulary.collection.animalsOfOthers();
  await sideBySide(finding, looking);
  const [own, others] = [await finding, await looking];
  return idsBeside(
    vocabulary,
    own,
    others.map(({ animal }) => animal.id),
    () => own,
  );
}

/** Whether the digits of an id are those of another number in base eight. */
const isOtherInOctal = (id: bigint): boolean => id >= 10n && /^[0-7]+$/.test(`${id}`);

function idsBeside({ collection }: Needed, own: bigint, others: readonly bigint[], made: KnownIds['made']): KnownIds {
  const { created } = collection.model;
  const newest = created.reduce((largest, { id }) => (id > largest ? id : largest), own);
  const octal = created.reduce(
    (least, { id }) => (isOtherInOctal(id) && (id < least || least === own) ? id : least),
    own,
  );
  return { own, octal, newest, others, made };
}

/** The known ids, by making: an animal of each is added once it is asked for. */
export function idsGivenNow({ api, aPet, naming }: Needed, known: KnownIds): (making?: string) => Promise<KnownIds> {
  const pets = oneOfEach(() => aPet('available'), naming);
  const ids = new Map<string, Promise<bigint>>();
  const add = async (pet: NewPet, inChunks: boolean): Promise<bigint> => {
    if (!inChunks) return (await api.create(pet)).id;
    const reply = await api.send(createPet(validBody(pet), api.key, { name: 'in chunks', chunked: true }));
    // A body without a length may be refused.
    return reply.created?.id ?? (await api.create(pet)).id;
  };
  return async (making) => {
    const pet = making === undefined ? undefined : pets.get(making);
    if (making === undefined || pet === undefined) return known;
    const added = ids.get(making) ?? add(pet, making === IN_CHUNKS);
    ids.set(making, added);
    const id = await added;
    return { ...known, made: () => id };
  };
}

/** Goes through the animals in leaps, so that every request asks for another one. */
const LEAP = 13;

const byName = (animals: readonly Created[]): readonly Created[] =>
  animals.toSorted((one, other) => (one.name < other.name ? -1 : 1));

/**
 * As {@link knownIds}, where animals that the run has added stand for those of each making: by turns one of the first
 * animals of the run, and any.
 */
export async function idsGivenLongAgo(vocabulary: Needed): Promise<KnownIds> {
  const { collection } = vocabulary;
  const ages = [collection.firstAnimals, collection.model.created].map(byName);
  const isAlike: Readonly<Record<string, (animal: Created) => boolean>> = {
    'pending, in a negative category': ({ status, categoryId }) => status === 'pending' && categoryId < 0n,
    'sold, with an unusual name and category': ({ name, categoryId }) =>
      /[^\x20-\x7e]/.test(name) && !Number.isSafeInteger(Number(categoryId)),
  };
  const own = await collection.aFoundAnimal();
  let asked = 0;
  return idsBeside(vocabulary, own, [], (making) => {
    const ofAge = ages[asked % ages.length] ?? [];
    const alike = ofAge.filter(isAlike[making] ?? (() => true));
    const animals = alike.length > 0 ? alike : ofAge;
    asked += 1;
    return animals[(asked * LEAP) % Math.max(1, animals.length)]?.id ?? own;
  });
}
