import { differenceOf } from '../../engine/text-difference.ts';
import { type Judgement, quote, showing, type Violation, violates, violatesByStatus } from '../../engine/violation.ts';
import { askedId, idOf, type PetCall } from '../calls.ts';
import type { NewPet } from '../inputs/body.ts';
import { ownerOf } from '../oracle.ts';
import { AGREED_FIELDS, type Created, fieldText, type PetReply, type Subject } from '../reply.ts';
import { onAnimal, type PetRule, shown, told } from './rule.ts';

/** Part 2: in every success (of one operation, if one is named), this part of the body fits the schema. */
function fitsSchema(code: string, expected: string, subject: Subject, only?: PetCall['operation']): PetRule {
  return (reply) => {
    if (!reply.isSuccess || (only ?? reply.call.operation) !== reply.call.operation) return 'irrelevant';
    const [fault] = reply.faultsOf(subject);
    if (fault !== undefined) {
      const violation = violates(reply, code, fault.message, expected, fault.found);
      return reply.call.operation === 'listPets' ? showing(violation, reply, elementOf(fault.pointer)) : violation;
    }
    return reply.animals.length > 0 || subject === 'page' ? 'holds' : 'irrelevant';
  };
}

/** The pointer of the element of an array that a pointer leads into. */
const elementOf = (pointer: string): string => pointer.split('/').slice(0, 2).join('/');

const STATUS_OR_NONE = 'available, pending, sold, or no status';
export const hasAStatusOfTheEnumeration = fitsSchema('status-value', STATUS_OR_NONE, 'status');
export const hasAName = fitsSchema('name', 'a name that is a string', 'name');
export const hasACategoryId = fitsSchema('category-id', 'a categoryId that is an int64', 'categoryId');
export const hasAnId = fitsSchema('id', 'an id that is an int64', 'id');
export const isAPageOfAnimals = fitsSchema('page', 'an array of animals', 'page');
export const isTheCreatedAnimal = fitsSchema('created', 'the created animal', 'animal', 'createPet');
export const isAnAnimal = fitsSchema('animal', 'the animal', 'animal', 'getPet');

/** Part 2: an id is assigned once, and to an animal that did not exist before. */
export const hasAnIdOfItsOwn: PetRule = (reply, model) => {
  const id = reply.animals[0]?.id;
  if (reply.call.operation !== 'createPet' || id === undefined) return 'irrelevant';
  const own = model.find(id)?.exchange;
  const earlier = own ?? model.seenBefore(id, reply.exchange.sentAt);
  if (earlier === undefined) return 'holds';
  const whose = own === undefined ? 'an animal that was shown before' : 'an animal created earlier in this run';
  return violates(reply, 'id-twice', `id ${id} already belongs to ${whose}`, 'a new id', `${id} again`, earlier);
};

/** Part 4.2: the 201 to a valid body holds this field as it was sent. */
export function comesBackAsSent(field: 'name' | 'categoryId' | 'status'): PetRule {
  return (reply) => {
    const { call } = reply;
    const [animal] = reply.animals;
    if (call.operation !== 'createPet' || call.body.kind !== 'valid' || animal === undefined) return 'irrelevant';
    // How a body is written is to blame where that is what is unusual about it.
    if (call.body.requirement === 'CREATE-12') return 'irrelevant';
    const sent = call.body.pet[field];
    // A name or categoryId that is missing, or of another type, is another requirement's concern.
    if (sent === undefined || (animal[field] === undefined && field !== 'status')) return 'irrelevant';
    if (animal[field] === sent) return 'holds';
    const message = `the ${field} came back changed`;
    if (field === 'status') {
      return violates(reply, 'status-changed', message, shown(sent), told('status', animal));
    }
    const [expected, actual] = [shown(sent), told(field, animal)];
    if (field === 'categoryId') return violates(reply, 'category-changed', message, expected, actual);
    const where = differenceOf(`${sent}`, animal.name ?? '');
    return violates(reply, 'name-changed', `${message} ${where}`, expected, actual);
  };
}

/** Part 2: getPet and listPets show an animal with the fields that its 201 gave. */
export const agreesWithIts201: PetRule = onAnimal((animal, reply, model) => {
  const { operation } = reply.call;
  const created = model.find(animal.id);
  if (operation === 'createPet' || created === undefined) return 'irrelevant';
  // What a refused request has changed, and a status that was omitted, are other requirements' concern.
  if (model.refusalOf(animal) !== undefined) return 'irrelevant';
  const fields = AGREED_FIELDS.filter((name) => name !== 'status' || !created.isStatusOmitted);
  const field = fields.find((name) => created[name] !== animal[name]);
  if (field === undefined) return 'holds';
  const message = `${operation} shows another ${field} of animal ${animal.id} than its 201`;
  return violates(reply, 'disagreement', message, told(field, created), told(field, animal), created.exchange);
});

/** Part 2: getPet and listPets show an animal under the id that its 201 gave. */
export const isUnderItsOwnId: PetRule = onAnimal((animal, reply, model) => {
  const { operation } = reply.call;
  if (operation === 'createPet' || animal.id === undefined) return 'irrelevant';
  const elsewhere = model.createdUnderOtherId(animal);
  if (elsewhere === undefined) return 'irrelevant';
  const message = `${operation} shows the animal that was created with the id ${elsewhere.id} under another one`;
  const violation = violates(reply, 'other-id', message, `${elsewhere.id}`, `${animal.id}`, elsewhere.exchange);
  // Of two animals that were given one id, the page may show both: it is known by the first.
  const first = model.find(elsewhere.id)?.exchange;
  const isAnother = first !== undefined && first !== elsewhere.exchange;
  return isAnother ? { ...violation, proof: [first, ...violation.proof] } : violation;
});

/** Parts 4.2 and 5: no animal was made of a request that was refused, for its body or for its key, nor changed by it. */
export function isNotOfARefused(because: 'body' | 'key'): PetRule {
  return onAnimal((animal, reply, model) => {
    const refusal = model.refusalOf(animal);
    if (refusal?.because !== because) return model.refusals.because.has(because) ? 'holds' : 'irrelevant';
    const own = model.find(animal.id);
    if (own !== undefined) {
      const message = `the animal ${own.id} was changed by ${REFUSED[because]}`;
      return violates(reply, 'refused-but-stored', message, quote(own.name), told('name', animal), refusal.exchange);
    }
    const what = { body: 'made of a body that was refused', key: 'added although its key was refused' }[because];
    const message = `an animal was ${what} (id ${animal.id ?? 'unknown'})`;
    return violates(reply, 'refused-but-stored', message, 'no such animal', 'the animal', refusal.exchange);
  });
}

/** Parts 4.2 and 5: an animal is the same before and after a refused request with its name, or its id. */
export function isUnchangedByWhatWasRefused(before: PetReply, refused: PetReply, after: PetReply): Judgement {
  const [old, now] = [before.animals[0], after.animals[0]];
  const field = AGREED_FIELDS.find((name) => old?.[name] !== now?.[name]);
  if (field === undefined || now === undefined) return 'holds';
  const message = `the animal ${now.id} was changed by ${REFUSED[refused.call.credential.valid ? 'body' : 'key']}: its ${field}`;
  const violation = violates(after, 'refused-but-stored', message, told(field, old), told(field, now));
  return { ...violation, proof: [before.exchange, refused.exchange, after.exchange] };
}

const REFUSED = { body: 'a body that was refused', key: 'a request whose key was refused' } as const;

/** Part 4.3: the animal that comes back has exactly the id that was asked for. */
export const hasTheIdAskedFor: PetRule = (reply) => {
  const asked = idOf(reply.call);
  const id = reply.animals[0]?.id;
  if (asked === undefined || id === undefined) return 'irrelevant';
  if (id === asked) return 'holds';
  return violates(reply, 'another-id', `getPet of ${asked} returned animal ${id}`, `${asked}`, `${id}`);
};

/** Part 4.3: an id in an unusual spelling may be read as the number that it is, and as no other. */
export const isReadAsItsNumber: PetRule = (reply) => {
  const { call } = reply;
  const asked = call.operation === 'getPet' && call.credential.valid ? askedId(call) : undefined;
  const id = reply.animals[0]?.id;
  if (asked?.kind !== 'odd' || id === undefined) return 'irrelevant';
  if (id === asked.id) return 'holds';
  const message = `answers ${call.description} with animal ${id}`;
  return violates(reply, 'another-id', message, `${asked.id}, 404 or 400`, `${id}`);
};

/** An animal that exists is not answered with 404. */
export function isNotMissing(id: bigint, reply: PetReply): Judgement {
  if (reply.status !== 404) return 'holds';
  return violatesByStatus(reply, 'status', `answers 404 to an animal that exists (${id})`, [200]);
}

/** An animal that the list shows is found. */
export function isFoundAsListed(id: bigint, page: PetReply, reply: PetReply): Judgement {
  if (reply.status !== 404) return 'holds';
  const message = `answers 404 to animal ${id}, which the list shows`;
  const violation = violatesByStatus(reply, 'listed-not-found', message, [200], '200', page.exchange);
  const listed = page.animals.find((animal) => animal.id === id);
  return showing(violation, page, listed?.source?.pointer ?? '');
}

/** Part 4.3: an animal of others that is found was found all the time, as what is removed never comes back. */
export const wasNeverMissing: PetRule = (reply, model) => {
  const id = idOf(reply.call);
  if (id === undefined || reply.animals[0]?.id !== id || model.getPetMayBeGone) return 'irrelevant';
  const missing = model.notFoundBefore(id, reply.exchange.sentAt);
  if (missing === undefined) return 'irrelevant';
  const message = `animal ${id} was seen, then not found, and is found now`;
  const violation = violates(reply, 'missing-between', message, '200 every time', '404 in between', missing);
  const seen = model.seenBefore(id, missing.sentAt);
  return { ...violation, proof: [...(seen === undefined ? [] : [seen]), ...violation.proof] };
};

/** An animal that the list shows is fetched with the same fields. */
export function isFetchedAsListed(id: bigint, page: PetReply, reply: PetReply): Judgement {
  const listed = page.animals.find((animal) => animal.id === id);
  const [animal] = reply.animals;
  if (listed === undefined || animal === undefined) return 'holds';
  const field = AGREED_FIELDS.find((name) => animal[name] !== listed[name]);
  if (field === undefined) return 'holds';
  const message = `the list shows another ${field} of animal ${id} than getPet`;
  const [expected, actual] = [told(field, animal), told(field, listed)];
  const violation = violates(reply, 'listed-otherwise', message, expected, actual, page.exchange);
  return showing(violation, page, listed.source?.pointer ?? '');
}

/** An animal that the run added is still there. */
export function isNotLost({ id, exchange }: Created, reply: PetReply): Judgement {
  if (reply.status !== 404) return reply.isSuccess ? 'holds' : 'irrelevant';
  return violatesByStatus(reply, 'lost', `animal ${id} is gone`, [200], '200', exchange);
}

/** The id in a 201 is that of the animal: getPet finds it, and under the name that was sent. */
export function isKnownByItsId(pet: NewPet, { id, exchange }: Created, reply: PetReply): Judgement {
  const name = reply.animals[0]?.name;
  if (reply.status !== 404 && !reply.isSuccess) return 'irrelevant';
  if (reply.isSuccess && name === pet.name) return 'holds';
  const message = `the id ${id} in the 201 is not the id of the animal`;
  const actual = reply.animals[0] === undefined ? 'no animal' : told('name', reply.animals[0]);
  return violates(reply, 'assigned-id', message, quote(pet.name), actual, exchange);
}

/** Two 201s name two animals. */
export function areTwoAnimals(first: PetReply, second: PetReply): Judgement {
  const id = second.animals[0]?.id;
  if (id === undefined || first.animals[0]?.id !== id) return 'holds';
  return violates(second, 'one-animal', 'the second 201 names the first animal', 'another id', `${id}`, first.exchange);
}

/** Part 3: an omitted status is absent or a PetStatus, and all operations agree on it. */
export const agreesOnAnOmittedStatus: PetRule = onAnimal((animal, reply, model) => {
  const { operation } = reply.call;
  const earlier = operation === 'createPet' ? undefined : model.find(animal.id);
  const created = earlier ?? reply.created;
  if (created?.isStatusOmitted !== true) return 'irrelevant';
  const actual = told('status', animal);
  if (animal.status === undefined && fieldText(animal, 'status') !== undefined) {
    const message = 'an omitted status is neither absent nor a PetStatus';
    return violates(reply, 'status-value', message, 'a PetStatus, or none', actual, earlier?.exchange);
  }
  if (animal.status === created.status) return 'holds';
  const message = `the 201 and ${operation} disagree on a status that was omitted`;
  return violates(reply, 'disagreement', message, told('status', created), actual, earlier?.exchange);
});

/** What is wrong where two animals of one sequence of calls were given one id. */
export function idGivenTwice(twin: Created, reply: PetReply): Violation {
  const message = `two animals of one sequence were given the id ${twin.id}`;
  return violates(reply, 'model', message, 'another id', `${twin.id}`, twin.exchange);
}

/** getPet answers with the animal that was added under this id. */
export function isStill(pet: NewPet, { id, exchange }: Created, reply: PetReply): Judgement {
  const name = reply.animals[0]?.name;
  if (name === pet.name) return 'holds';
  const [expected, actual] = [quote(pet.name), told('name', reply.animals[0])];
  return violates(reply, 'model', `animal ${id} has become another one`, expected, actual, exchange);
}

/**
 * Part 9: until its removal date, getPet works: an animal that exists is not said to be gone.
 *
 * @param hasSucceeded whether getPet has worked before: what is not found is then an animal
 */
export const isNotRemovedEarly =
  (hasSucceeded: boolean) =>
  (reply: PetReply): Judgement => {
    const { status } = reply;
    if (status === 404 && hasSucceeded) return 'irrelevant';
    return status === 404 || status === 410 ? removedEarly(reply) : 'holds';
  };

/** Part 9: until its removal date, no animal of the run's own is gone from getPet for good, or moved elsewhere. */
export const worksUntilItsRemoval: PetRule = (reply, model) => {
  const created = model.find(idOf(reply.call));
  if (created === undefined || model.getPetMayBeGone) return 'irrelevant';
  if (ownerOf(reply, model) === 'VERS-3') return removedEarly(reply, created);
  return reply.status === 200 ? 'holds' : 'irrelevant';
};

function removedEarly(reply: PetReply, created?: Created): Violation {
  const { status } = reply;
  const message = `getPet answers ${status} before its removal date`;
  return violatesByStatus(reply, 'removed-early', message, [200], '200', created?.exchange);
}
