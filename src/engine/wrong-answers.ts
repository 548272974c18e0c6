import { isUtf8 } from 'node:buffer';
import { type Exchange, headerOf, withQuery } from '../http/exchange.ts';
import { count } from '../report/model/text.ts';
import type { AnswerNote } from './history.ts';
import type { Call } from './reply.ts';
import { aboutOf, type Violation } from './violation.ts';

/** How many inputs of a check are listed, and how many distinct failures are kept. */
const MOST_INPUTS = 1_000;
const MOST_FINDINGS = 40;
/** How many characters of a body are shown in one line. */
const MOST_SHOWN = 300;

/** A request that a check found answered wrongly, in one line, with what came back and how often. */
export interface FailingInput {
  readonly operation: string;
  readonly input: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly answered: string;
  /** Of the whole request. */
  readonly size: number;
  times: number;
}

/** Wrong answers that one check found, and that are wrong in the same way. */
export interface Finding {
  readonly check: string;
  readonly code: string;
  /** The note of one of the answers; in these respects the others are like it. */
  readonly like: AnswerNote;
  /** Whether a rule found it, and not only what the check made of its own requests. */
  readonly isByRule: boolean;
  /** What is wrong: the status itself, how the answer was sent, or what it says. */
  readonly about: 'status' | 'form' | 'content';
  /** The exchanges that were judged, by number. */
  readonly judged: Set<number>;
  /** By the number of an exchange that led up to one of those: how many of them. */
  readonly before: Map<number, number>;
  /** The violation with the shortest request. */
  simplest: Violation;
}

/** How one check's rule fared with one operation, in the order of the answers. */
export interface Series {
  right: number;
  /** What was answered rightly before the first wrong answer, by equivalence, and when the last of it was asked for. */
  readonly once: Map<string, number>;
  /** Wrong answers to requests whose equivalents were answered rightly before. */
  turned: number;
  /** What was answered wrongly, by equivalence. */
  readonly wrong: Set<string>;
  /** Right answers to requests that were sent after the first wrong answer had come; and those to what was wrong before. */
  rightAfter: number;
  rightAgain: number;
  firstWrong: AnswerNote | undefined;
}

/** The notes of the exchanges of a proof: of the one that was judged, and of those before it. */
export type Notes = readonly [judged: AnswerNote, ...before: readonly AnswerNote[]];

/** Everything that one check found wrong in a run. */
export class WrongAnswers {
  readonly #check: string;
  readonly #findings = new Map<string, Finding>();
  readonly #inputs = new Map<string, FailingInput>();
  readonly #series = new Map<string, Series>();
  readonly #known = new Set<string>();
  /** Wrong answers to inputs beyond those that are listed. */
  leftOut = 0;

  constructor(check: string) {
    this.#check = check;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  /** Each input once, the simplest first. */
  get inputs(): readonly FailingInput[] {
    return [...this.#inputs.values()].toSorted((one, other) => one.size - other.size);
  }

  get series(): readonly Series[] {
    return [...this.#series.values()];
  }

  noteRight(note: AnswerNote): void {
    const series = this.#seriesOf(note.operation);
    const { firstWrong } = series;
    if (firstWrong === undefined) {
      series.right += 1;
      if (series.once.size < MOST_INPUTS || series.once.has(note.equivalence)) {
        series.once.set(note.equivalence, note.sentAt);
      }
    } else if (note.sentAt > firstWrong.answeredAt) {
      series.rightAfter += 1;
      if (series.wrong.has(note.equivalence)) series.rightAgain += 1;
    }
  }

  /** Notes a violation, once: the exercise of a check may throw what its rule has found before. */
  noteWrong(violation: Violation, [note, ...before]: Notes, isByRule: boolean): void {
    const { code, call, proof } = violation;
    const key = `${note.number} ${code}`;
    if (this.#known.has(key)) return;
    if (this.#known.size < 10 * MOST_INPUTS) this.#known.add(key);
    const series = this.#seriesOf(note.operation);
    if (series.once.has(note.equivalence)) series.turned += 1;
    series.firstWrong ??= note;
    if (series.wrong.size < MOST_INPUTS) series.wrong.add(note.equivalence);
    const likeness = [code, note.operation, note.status, note.mediaType, note.fault, note.changed, note.said];
    const finding = this.#findingOf(JSON.stringify(likeness), () => ({
      check: this.#check,
      code,
      like: note,
      isByRule,
      about: aboutOf(violation),
      judged: new Set(),
      before: new Map(),
      simplest: violation,
    }));
    if (finding !== undefined) {
      finding.judged.add(note.number);
      for (const { number } of before) finding.before.set(number, (finding.before.get(number) ?? 0) + 1);
      if (sizeOf(violation) < sizeOf(finding.simplest)) finding.simplest = violation;
    }
    const judged = proof.at(-1);
    if (judged !== undefined) this.#addInput(call.equivalence, call.description, judged);
  }

  #findingOf(key: string, make: () => Finding): Finding | undefined {
    const known = this.#findings.get(key);
    if (known !== undefined || this.#findings.size >= MOST_FINDINGS) return known;
    const made = make();
    this.#findings.set(key, made);
    return made;
  }

  #seriesOf(operation: string): Series {
    const series = this.#series.get(operation) ?? {
      right: 0,
      once: new Map<string, number>(),
      turned: 0,
      wrong: new Set<string>(),
      rightAfter: 0,
      rightAgain: 0,
      firstWrong: undefined,
    };
    this.#series.set(operation, series);
    return series;
  }

  #addInput(equivalence: string, description: string, { request, answer }: Exchange): void {
    const head = answer.kind === 'response' ? `${answer.status}` : answer.code;
    const key = `${equivalence} ${head}`;
    const known = this.#inputs.get(key);
    if (known !== undefined) known.times += 1;
    else if (this.#inputs.size >= MOST_INPUTS) this.leftOut += 1;
    else {
      this.#inputs.set(key, {
        operation: request.operation,
        input: description,
        method: request.method,
        path: shortened(withQuery(request.path, request.credential.shownQuery)),
        body: request.body === undefined ? undefined : textOf(request.body),
        answered: answeredText(answer),
        size: request.path.length + (request.body?.length ?? 0),
        times: 1,
      });
    }
  }
}

/** How much there is to read of a violation's request, and to say of it. */
export function sizeOf({ call: { request, description } }: { readonly call: Call }): number {
  const { path, body, headers = [] } = request;
  const ofHeaders = headers.reduce((size, [name, value]) => size + name.length + value.length, 0);
  return path.length + (body?.length ?? 0) + ofHeaders + description.length;
}

function answeredText(answer: Exchange['answer']): string {
  if (answer.kind === 'no response') return `no response (${answer.code}): ${answer.sentence}`;
  const type = headerOf(answer, 'content-type');
  const body = answer.body.length === 0 ? '(empty)' : textOf(answer.body);
  return `${answer.status}${type === undefined ? '' : ` ${shortened(type)}`} · ${body}`;
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) return `(${count(bytes.length, 'byte')}, not UTF-8)`;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.length <= MOST_SHOWN ? text : `${shortened(text)} (${count(bytes.length, 'byte')})`;
}

/**
 * The beginning of a text. It ends where a word does: half a secret would not be recognised as one, and reports could
 * not remove it.
 */
function shortened(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const beginning = text.slice(0, MOST_SHOWN);
  return `${beginning.slice(0, beginning.search(/[^\s",:;{}[\]&?=]*$/))}…`;
}
