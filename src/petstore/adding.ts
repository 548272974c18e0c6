import { grouped } from '../report/model/text.ts';
import { createPet, type RequestForm } from './calls.ts';
import { bytesOf, type InvalidBody, type OpenBody, type ValidBody, validBody } from './inputs/body.ts';
import { writtenAs } from './inputs/valid-forms.ts';
import type { PetReply } from './reply.ts';
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

function bodyOf(addition: Addition, vocabulary: Vocabulary): ValidBody {
  const { naming, aPet } = vocabulary;
  const pet = petOf(addition, aPet(), naming.categories);
  const parts = unusualParts(addition);
  const [part] = parts;
  const { writing, unusual, hasLongName } = addition;
  const { length } = pet.name;
  const words = (one: AdditionPart): string | undefined =>
    one === 'name' && hasLongName ? `a name of ${grouped(length)} UTF-16 code units` : unusual[one];
  // Of how it is sent, the form says it.
  const ofTheBody = parts.filter((one) => one !== 'framing');
  const labels = ofTheBody.map(words);
  const body: ValidBody = {
    kind: 'valid',
    label: labels.length === 0 ? 'a valid body' : `a valid body (${labels.join('; ')})`,
    bytes: bytesOf(writtenAs(pet, writing)),
    contentType: writing.contentType,
    pet,
    requirement: part === undefined ? 'CREATE-1' : OWNERS[part],
  };
  if (parts.length < 2) return body;
  const alone = ofTheBody.map((one) => only(addition, one));
  const withALength = ofTheBody.length > 1 && addition.chunked ? [inUsualForm(addition)] : [];
  return {
    ...body,
    requirement: 'CREATE-1',
    parts: [...alone, ...withALength].map((one) => bodyOf(one, vocabulary)),
    plain: bodyOf(USUAL_ADDITION, vocabulary),
  };
}

/** The same animal in a body with a length, and of no unusual one. */
const inUsualForm = ({ unusual, writing, ...addition }: Addition): Addition => ({
  ...addition,
  chunked: false,
  writing: { ...writing, spacing: {} },
  unusual: { ...unusual, framing: undefined },
});

/** Adds an animal. The rules judge the answer. */
export async function adds(vocabulary: Vocabulary, addition: Addition): Promise<void> {
  const { api } = vocabulary;
  const body = bodyOf(addition, vocabulary);
  const reply = await api.send(createPet(body, api.key, addition.chunked ? IN_CHUNKS : undefined));
  api.precondition(reply);
  // Refused for its chunks or its length, a body says nothing of what else is unusual about it.
  const isRefusedUnread =
    reply.status === 411 ? addition.chunked : reply.status === 413 && Object.keys(addition.writing.spacing).length > 0;
  const plainer = inUsualForm(addition);
  if (isRefusedUnread && unusualParts(plainer).length > 0) await adds(vocabulary, plainer);
}

/** Sends bodies with defects, see {@link isRefused}. */
export function refusesEach(vocabulary: Vocabulary): (refused: Refused) => Promise<void> {
  const { aPet, naming } = vocabulary;
  return async (refused) => {
    const body = refusedBody(refused, aPet('available'), naming.categories);
    const parts = refused.defect.parts?.map((defect) =>
      refusedBody({ ...refused, defect }, aPet('available'), naming.categories),
    );
    await isRefused(vocabulary, parts === undefined ? body : { ...body, parts }, refused.form);
  };
}

/**
 * A body with a defect is answered. The rule of its requirement judges the answer. An animal of the run's own that was
 * made of a body without the defect is the control.
 */
export async function isRefused(vocabulary: Vocabulary, body: InvalidBody, form?: RequestForm): Promise<PetReply> {
  const { api, collection } = vocabulary;
  await collection.anAnimalWith('available');
  const reply = await api.send(createPet(body, api.key, form));
  api.mustSayMore(reply);
  return reply;
}

/** A plain animal, added by a body in chunks. */
export async function sentInChunks(vocabulary: Vocabulary): Promise<PetReply> {
  const { api, aPet } = vocabulary;
  const pet = aPet('available');
  // Wherever a chunk ends, it ends inside a character.
  const named = validBody({ ...pet, name: `${pet.name} ${'🐾é日'.repeat(80)}` }, 'RES-6', 'a long name beyond ASCII');
  const body = { ...named, requirement: 'CREATE-1', parts: [named], plain: validBody(pet) };
  const reply = await api.send(createPet(body, api.key, IN_CHUNKS));
  api.mustSayMore(reply);
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
  api.mustSayMore(reply);
  if (strict) expect(isDocumented, reply);
  const reading = body.readings?.[reply.status ?? 0];
  if (reading !== undefined) observe(reading, body.input ?? body.label, reply);
  return reply;
}
