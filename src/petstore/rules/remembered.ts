import { type Judgement, quote, showing, violates, violatesByStatus } from '../../engine/violation.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { RememberedEntry } from '../../report/model/remembered.ts';
import { excerptText } from '../../report/model/text.ts';
import { AGREED_FIELDS, type Animal, type PetReply } from '../reply.ts';

/** What the service says of an animal that an earlier run added, before this one adds anything. */
export interface Recalled {
  readonly entry: RememberedEntry;
  readonly fetched: PetReply;
  /** A page that shows it. */
  readonly page: PetReply | undefined;
}

/** Judges what became of one. The replies are the page that shows it, if one does, and last what getPet said. */
export type JudgeRecalled = (entry: RememberedEntry, ...seen: PetReply[]) => Judgement;

const LONGEST_RECORD = 200;

/** An animal as it is remembered, and when it was added. */
const recordOf = ({ id, fields, addedAt }: RememberedEntry): string =>
  `animal ${id}, which an earlier run added on ${minuteOf(addedAt)} as ${excerptText(JSON.stringify(fields), LONGEST_RECORD)},`;

/** When an answer came. */
const dateOf = ({ answeredAt }: Exchange): string =>
  minuteOf(new Date(performance.timeOrigin + answeredAt).toISOString());

const minuteOf = (time: string): string => `${time.slice(0, 10)} at ${time.slice(11, 16)} UTC`;

const shows = (page: PetReply | undefined, { id }: RememberedEntry): boolean =>
  page?.animals.some((animal) => `${animal.id}` === id) === true;

/** The letters and digits of a name: what is left of it where a service cuts, trims or folds it. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Whether an animal has nothing of the name of the one that is remembered. */
export function isAnother({ fields: { name = '' } }: RememberedEntry, animal: Animal | undefined): boolean {
  if (animal?.name === undefined || animal.name === name) return false;
  const [before, now] = [lettersOf(name), lettersOf(animal.name)];
  return before === '' || now === '' || !(before.includes(now) || now.includes(before));
}

/** Whether getPet finds one just as it is remembered. */
export const isAsItWas = ({ entry, fetched }: Recalled): boolean =>
  fetched.animals[0] !== undefined &&
  [hasStillItsId, isStillTheSame].every((judge) => judge(entry, fetched) === 'holds');

/** Part 1: it is found, by getPet or in the list. */
export const isStillThere: JudgeRecalled = (entry, ...seen) => {
  const [reply, page] = seen.toReversed();
  if (reply?.status !== 404 || shows(page, entry)) return 'holds';
  const message = `${recordOf(entry)} is gone on ${dateOf(reply.exchange)}`;
  return violatesByStatus(reply, 'remembered-lost', message, [200]);
};

/** Part 2: its id is still its own. */
export const hasStillItsId: JudgeRecalled = (entry, ...seen) => {
  const reply = seen.at(-1);
  const animal = reply?.animals[0];
  if (reply === undefined || animal === undefined || !isAnother(entry, animal)) return 'holds';
  const message = `the id of ${recordOf(entry)} belongs to another animal on ${dateOf(reply.exchange)}`;
  const { name = '' } = entry.fields;
  return violates(reply, 'remembered-id-twice', message, quote(name), quote(animal.name ?? ''));
};

/** Part 2: its fields are those of its 201, in the answers of getPet and in the list. */
export const isStillTheSame: JudgeRecalled = (entry, ...seen) => {
  for (const reply of seen.toReversed()) {
    const animal = reply.animals.find(({ id }) => `${id}` === entry.id);
    const textOf = (field: (typeof AGREED_FIELDS)[number]): string | undefined => animal?.[field]?.toString();
    const field = AGREED_FIELDS.find((name) => textOf(name) !== entry.fields[name]);
    if (animal === undefined || field === undefined || isAnother(entry, animal)) continue;
    const [before, now] = [entry.fields[field], textOf(field)].map((text) =>
      text === undefined ? 'none' : quote(text),
    );
    const message = `${recordOf(entry)} has another ${field} on ${dateOf(reply.exchange)}`;
    const violation = violates(reply, 'remembered-changed', message, `${before}`, `${now}`);
    return reply.call.operation === 'listPets' ? showing(violation, reply, animal.source?.pointer ?? '') : violation;
  }
  return 'holds';
};
