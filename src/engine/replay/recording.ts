import type { Exchange } from '../../http/exchange.ts';
import type { Entry, History } from '../history.ts';
import type { SamplePlace } from '../outcome-errors.ts';
import type { RecordedStep, RecordedViolation, Recording } from '../plan.ts';
import type { Reply } from '../reply.ts';
import type { ReplayFormat } from '../service.ts';
import type { Violation } from '../violation.ts';

/** What recording a violation takes. */
export interface Recorder<R extends Reply> {
  readonly history: Pick<History<R>, 'entry'>;
  readonly format: ReplayFormat<R>;
  /** The exchange that created what a call names, where this run did. */
  readonly sourceOf: (call: R['call']) => Exchange | undefined;
  /** How many entries the service held before the run added any. */
  readonly sizeAtStart?: number | undefined;
}

/** How the violation was found, and how often. */
export type Found = Pick<RecordedViolation, 'byRule' | 'violated' | 'judged' | 'intermittent'> & {
  readonly place: SamplePlace | undefined;
};

/** Records a violation: the exchanges of its proof, and whatever created what they name. */
export function recordingOf<R extends Reply>(
  { code, expected, proof, permitted, asFound }: Violation,
  { place, ...found }: Found,
  recorder: Recorder<R>,
): Recording {
  const steps = stepsOf(proof, recorder);
  const judged = steps.find((step) => step.judged);
  const isComparable = permitted !== undefined && judged !== undefined && !namesForeign(judged, proof.at(-1), recorder);
  return {
    violation: { code, expected, ...found, ...(isComparable ? { permitted } : {}), ...(asFound ? { asFound } : {}) },
    steps,
    target: place === undefined ? { kind: 'check' } : { kind: 'sample', place },
    ...(recorder.sizeAtStart === undefined ? {} : { sizeAtStart: recorder.sizeAtStart }),
  };
}

function stepsOf<R extends Reply>(
  proof: readonly Exchange[],
  { history, format, sourceOf }: Recorder<R>,
): readonly RecordedStep[] {
  const known = new Map<Exchange, Entry<R>>();
  for (const exchange of proof) {
    const entry = history.entry(exchange);
    if (entry === undefined) return [];
    known.set(exchange, entry);
    for (const call of entry.calls) {
      const source = sourceOf(call);
      const first = source && history.entry(source);
      if (first !== undefined) known.set(first.reply.exchange, first);
    }
  }
  const inOrder = [...known.values()]
    .map((entry) => ({ ...entry, exchange: entry.reply.exchange, given: format.given(entry.reply) }))
    .toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt);
  const judged = proof.at(-1);
  return inOrder.map(({ exchange, calls, at, together, created, given }, place): RecordedStep => {
    const earlier = inOrder.slice(0, place);
    const recorded = calls.map((call) => {
      const idOf = earlier.findIndex(({ given }) => given !== undefined && given === format.names(call));
      const source = earlier[idOf]?.given;
      return source === undefined ? { call: format.record(call) } : { call: format.record(call, source), idOf };
    });
    const { answer } = exchange;
    const before = inOrder[place - 1]?.exchange.answeredAt ?? exchange.sentAt;
    return {
      ...(together === undefined ? {} : { together }),
      calls: recorded,
      at,
      judged: exchange === judged,
      ...(answer.kind === 'response' ? { status: answer.status } : {}),
      ...(given === undefined ? {} : { given }),
      created,
      after: Math.max(0, Math.round(exchange.sentAt - before)),
    };
  });
}

/** Whether it names something that no recorded step has created: elsewhere, and later, that may not exist. */
function namesForeign<R extends Reply>(
  { calls, at }: RecordedStep,
  exchange: Exchange | undefined,
  { history, format }: Recorder<R>,
): boolean {
  const call = exchange && history.entry(exchange)?.calls[at];
  return call !== undefined && format.names(call) !== undefined && calls[at]?.idOf === undefined;
}
