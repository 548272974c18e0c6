import { grouped } from '../report/model/text.ts';
import { createPet, type RequestForm } from './calls.ts';
import { bytesOf, type InvalidBody, type OpenBody, type ValidBody, validBody } from './inputs/body.ts';
import { writtenAs } from './inputs/valid-forms.ts';
import type { PetReply } from './reply.ts';
import { isTaken } from './rules/bodies.ts';
import { ownerOfAny } from './rules/owner.ts';
import { isDocumented } from './rules/responses.ts';
import { type Addition, type AdditionPart, only, petOf, USUAL_ADDITION } from './space/new-pets.ts';
import { type Refused, refusedBody } from './space/refused-bodies.ts';
import type { Vocabulary } from './vocabulary.ts';

const IN_CHUNKS: RequestForm = { name: 'in chunks', chunked: true };

/** The requirement that each part of a valid body belongs to. */
const OWNERS: Readonly<Record<AdditionPart, string>> = {
  name: 'RES-6',
  category: 'RES-7',
  status: 'STATE-1',
  writing: 'CREATE-12',
  framing: 'CREATE-16',
};

const PARTS: readonly AdditionPart[] = ['name', 'category', 'status', 'writing', 'framing'];

const unusualParts = ({ unusual }: Addition): readonly AdditionPart[] =>
  PARTS.filter((part) => unusual[part] !== undefined);

function bodyOf(addition: Addition, { naming, aPet }: Vocabulary): ValidBody {
  const pet = petOf(addition, aPet(), naming.categories);
  const parts = unusualParts(addition);
  const [part] = parts;
  const { writing, unusual, hasLongName } = addition;
  const { length } = pet.name;
  const words = (one: AdditionPart): string | undefined =>
    one === 'name' && hasLongName ? `a name of ${grouped(length)} UTF-16 code units` : unusual[one];
  // Of how it is sent, the form says it.
  const labels = parts.filter((one) => one !== 'framing').map(words);
  return {
    kind: 'valid',
    label: labels.length === 0 ? 'a valid body' : `a valid body (${labels.join('; ')})`,
    bytes: bytesOf(writtenAs(pet, writing)),
    contentType: writing.contentType,
    pet,
    requirement: part === undefined ? 'CREATE-1' : OWNERS[part],
    isCrossed: parts.length > 1,
  };
}

/** The same animal in a body with a length, and of no unusual one. */
const inUsualForm = ({ unusual, writing, ...addition }: Addition): Addition => ({
  ...addition,
  chunked: false,
  writing: { ...writing, spacing: {} },
  unusual: { ...unusual, framing: undefined },
});

/** Stops a check that another requirement stands in the way of. */
function seeElsewhere({ checkId, inconclusive }: Vocabulary, { call, statusText }: PetReply, see: string): void {
  if (checkId.split('.')[0] === see) return;
  inconclusive('control-failed', `the control failed (${call.description} was answered ${statusText})`, see);
}

/** Stops a check whose answer belongs to a requirement that stands for all operations: no response, a 5xx, the key. */
export function mustSayMore(vocabulary: Vocabulary, reply: PetReply): void {
  const see = ownerOfAny(reply);
  if (see !== undefined) seeElsewhere(vocabulary, reply, see);
}

/**
 * Adds an animal. The rules judge the answer where at most one thing about the body is unusual. Where several are, and
 * the answer is wrong, each is sent alone, so that the one that is to blame is found; if none is, all together are: the
 * rules judge them as the first one's.
 */
export async function adds(vocabulary: Vocabulary, addition: Addition): Promise<void> {
  const { api, expect } = vocabulary;
  const body = bodyOf(addition, vocabulary);
  const reply = await api.send(createPet(body, api.key, addition.chunked ? IN_CHUNKS : undefined));
  mustSayMore(vocabulary, reply);
  const judgement = isTaken(body, reply);
  if (judgement === 'holds') {
    // Refused for its chunks or its length, a body says nothing of what else is unusual about it.
    const plainer = inUsualForm(addition);
    if (!reply.isSuccess && unusualParts(plainer).length > 0) await adds(vocabulary, plainer);
    return;
  }
  if (body.isCrossed !== true) return seeElsewhere(vocabulary, reply, body.requirement);
  await adds(vocabulary, USUAL_ADDITION);
  for (const part of unusualParts(addition)) await adds(vocabulary, only(addition, part));
  const together: ValidBody = { ...bodyOf(addition, vocabulary), isCrossed: false };
  const again = await api.send(createPet(together, api.key, addition.chunked ? IN_CHUNKS : undefined));
  if (isTaken(together, again) === 'holds') expect((seen) => isTaken(body, seen), reply);
  else seeElsewhere(vocabulary, again, together.requirement);
}

/** Sends bodies with defects, see {@link isRefused}. */
export function refusesEach(vocabulary: Vocabulary): (refused: Refused) => Promise<void> {
  const { aPet, naming } = vocabulary;
  const refuses = async (refused: Refused): Promise<void> => {
    const body = refusedBody(refused, aPet('available'), naming.categories);
    const reply = await isRefused(vocabulary, body, refused.form);
    // Of several defects at once, the one that is taken is to be named.
    if (reply.isSuccess) for (const defect of refused.defect.parts ?? []) await refuses({ ...refused, defect });
  };
  return refuses;
}

/**
 * A body with a defect is answered. The rule of its requirement judges the answer. An animal of the run's own that was
 * made of a body without the defect is the control.
 */
export async function isRefused(vocabulary: Vocabulary, body: InvalidBody, form?: RequestForm): Promise<PetReply> {
  const { api, collection } = vocabulary;
  await collection.anAnimalWith('available');
  const reply = await api.send(createPet(body, api.key, form));
  mustSayMore(vocabulary, reply);
  return reply;
}

/** A plain animal, added by a body in chunks. */
export async function sentInChunks(vocabulary: Vocabulary): Promise<PetReply> {
  const { api, aPet } = vocabulary;
  const body = validBody(aPet('available'), OWNERS.framing);
  const reply = await api.send(createPet(body, api.key, IN_CHUNKS));
  mustSayMore(vocabulary, reply);
  return reply;
}

/** Sends open bodies, see {@link takesAReading}. */
export function readingOf(vocabulary: Vocabulary): (body: OpenBody) => Promise<void> {
  return async (body) => {
    await takesAReading(vocabulary, body);
  };
}

/**
 * Sends an open body, and records which of its readings the service chose. The rule of its requirement judges the
 * answer.
 */
export async function takesAReading(vocabulary: Vocabulary, body: OpenBody): Promise<PetReply> {
  const { api, observe, strict, expect } = vocabulary;
  const reply = await api.send(createPet(body, api.key));
  mustSayMore(vocabulary, reply);
  if (strict) expect(isDocumented, reply);
  const reading = body.readings?.[reply.status ?? 0];
  if (reading !== undefined) observe(reading, body.input ?? body.label, reply);
  return reply;
}
