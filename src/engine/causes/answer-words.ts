import { count, grouped } from '../../report/model/text.ts';
import type { AnswerNote } from '../history.ts';

/** So many statuses are told; answers with more are alike in other respects. */
const MOST_STATUSES = 2;
/** Answers that are alike in no other respect are told by so many. */
const MOST_NAMED = 4;

/** What is true of every one of these answers. */
export function everyText(what: string, notes: readonly AnswerNote[]): string {
  if (notes.some(({ status }) => status !== undefined)) return `every ${what} is ${answerWords(notes)}`;
  const faults = [...new Set(notes.flatMap(({ fault }) => fault ?? []))];
  return `no ${what} is one whole response (${faults.join(', ')})`;
}

/** What these answers are, as far as they are alike: `422 text/plain`. */
export function answerWords(notes: readonly AnswerNote[]): string {
  const only = <T>(values: readonly T[]): T | undefined => (new Set(values).size === 1 ? values[0] : undefined);
  const statuses = [...new Set(notes.map(({ status }) => status))];
  const fault = only(notes.map((note) => note.fault));
  if (statuses.every((one) => one === undefined))
    return `with no whole response${fault === undefined ? '' : ` (${fault})`}`;
  const type = only(notes.map(({ mediaType }) => mediaType ?? 'no Content-Type'));
  const isJson = type === 'application/json';
  const shown = statuses.length > MOST_STATUSES ? [] : statuses.map((one) => `${one ?? 'no response'}`);
  const words = [
    ...(shown.length === 0 ? [] : [shown.join(' or ')]),
    ...(type === undefined || (isJson && shown.length > 0) ? [] : [type]),
    ...(fault === undefined || (!isJson && fault === 'not-json') ? [] : [`(${fault})`]),
  ];
  return words.length > 0 ? words.join(' ') : oneOf(statuses, notes);
}

/** Statuses that differ, the most frequent first. */
function oneOf(statuses: readonly AnswerNote['status'][], notes: readonly AnswerNote[]): string {
  const times = (status: AnswerNote['status']): number => notes.filter((note) => note.status === status).length;
  const all = statuses.toSorted((one, other) => times(other) - times(one)).map((one) => `${one ?? 'nothing'}`);
  const named = all.length > MOST_NAMED ? [...all.slice(0, MOST_NAMED - 1), 'another status'] : all;
  return `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}

/** How many of the answers that could have been wrong in this way were: those of the same operations. */
export function share(wrong: readonly AnswerNote[], answers: readonly AnswerNote[]): string {
  const operations = new Set(wrong.map(({ operation }) => operation));
  const all = answers.filter(({ operation }) => operations.has(operation));
  const of = operations.size === 1 ? ` of ${[...operations][0]}` : '';
  return `(${grouped(wrong.length)} of ${count(all.length, 'answer')}${of})`;
}
