import { PARTS } from '../suites/index.ts';
import type { ConformanceOptions, ConformanceRun, ReplayInput } from './cli/conformance-options.ts';
import { networkOptions } from './conformance.ts';
import { Budget } from './engine/budget.ts';
import type { Checked } from './engine/checked.ts';
import { violationsByKey } from './engine/findings.ts';
import { Session } from './engine/session.ts';
import type { Call } from './http/exchange.ts';
import { type Connection, Network, Stopped } from './http/network.ts';
import { create, list, OPERATIONS } from './petstore/call.ts';
import { LIMIT, PET_STATUSES } from './petstore/contract-facts.ts';
import { REPLAY_FORMAT, type RecordedFailure } from './petstore/finding.ts';
import { PetStore } from './petstore/run-subject.ts';
import { FileError } from './report/files.ts';
import type { Replay } from './report/result.ts';
import { validatorOf, wrongIn } from './report/stored.ts';
import { finish, termsOf } from './run-result.ts';

/** The budget of all replays together. */
const LIMITS = { requests: 1_800, creations: 260 };
/** A full page and one more. */
const MAX_ANIMALS = 101;
/** The longest pause between two exchanges (ms). */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Sends recorded failures again, each with new names and with the ids in its new 201s, and checks whether they still fail
 * in the same way. Rejects with {@link FileError} if a file is not a recorded failure.
 */
export async function replay(failures: readonly ReplayInput[], options: ConformanceOptions): Promise<ConformanceRun> {
  const read = failures.map(({ file, content }) => ({ file, failure: readFailure(file, content) }));
  const started = performance.now();
  const terms = termsOf(options);
  const network = new Network({ ...networkOptions(options), mostRequests: LIMITS.requests });
  const replays: Replay[] = [];
  let animals = 0;
  try {
    for (const [at, { file, failure }] of read.entries()) {
      const requirements = PARTS.flatMap((part) => part.requirements);
      const tag = Math.random().toString(36).slice(2, 7).padEnd(5, '0');
      const store = new PetStore(requirements, terms, tag, `${1_000 + (at % 9_000)}`);
      const session = new Session(store, new Budget(LIMITS));
      session.onChecked = ({ exchange }) => {
        const created = store.createdIn(exchange);
        if (created !== undefined) options.onCreated?.(created);
      };
      const end = await sendAgain(failure, session, store, network, options.signal).catch((error: unknown) => {
        if (error instanceof Stopped) return { end: 'not tested', reason: error.message } as const;
        throw error;
      });
      animals += session.budget.creations;
      replays.push({ file, says: failure.says, requirements: failure.requirements, ...end });
    }
    const { requests } = network.counts;
    return finish(options, started, { replayed: replays, requests, animals });
  } finally {
    await network.close();
  }
}

async function sendAgain(
  { key, exchanges, kind, atOnce, animals }: RecordedFailure,
  session: Session,
  store: PetStore,
  network: Network,
  signal: AbortSignal,
): Promise<Pick<Replay, 'end' | 'reason'>> {
  const connections = new Map<number, Connection>();
  const ids = new Map<string, bigint>();
  const rows = new Map<string, number>();
  let shown = false;
  let last = kind;
  let isFull = false;
  try {
    const first = network.fresh();
    connections.set(0, first);
    const status = /status=(\w+)/.exec(exchanges[0]?.call.target ?? '')?.[1] ?? 'available';
    for (let row = 6_000; row < 6_000 + Math.min(animals, MAX_ANIMALS); row += 1) {
      const animal = create(ANIMAL.replace('available', status));
      await session.send(first, animal, store.namesFor(animal, row) ?? {});
    }
    const started = performance.now();
    for (const [at, { call, names, quiet, connection: number, sentAt, creates }] of exchanges.entries()) {
      const connection = connections.get(number) ?? network.fresh();
      connections.set(number, connection);
      await pauseUntil(started + Math.min(sentAt, LONGEST_PAUSE_MS * (at + 1)), signal);
      const name = names['NAME'] ?? `${at}`;
      const row = rows.get(name) ?? rows.size + 1;
      rows.set(name, row);
      const id = names['ID'];
      if (id !== undefined && !ids.has(id)) {
        const own = await session.send(
          connection,
          create(ANIMAL),
          store.namesFor(create(ANIMAL), 5_000 + ids.size) ?? {},
        );
        const given = own === undefined ? undefined : store.seenOf(own.exchange).animals[0]?.id;
        if (given === undefined)
          return { end: 'not tested', reason: 'it needs an animal, but no valid createPet was accepted' };
        ids.set(id, given);
      }
      const filled = store.namesFor(call, row, id === undefined ? undefined : ids.get(id));
      const checked = filled === undefined ? undefined : await session.send(connection, call, filled, quiet);
      if (checked === undefined)
        return { end: 'not tested', reason: [...session.unsent.keys()][0] ?? 'it cannot be sent with this key' };
      shown ||= violationsByKey(checked).has(key);
      last = checked.kind;
      if (creates === undefined) continue;
      const seen = store.seenOf(checked.exchange);
      const given = seen.shape === 'animal' ? seen.animals[0]?.id : undefined;
      if (given === undefined && at < exchanges.length - 1) {
        return { end: 'not tested', reason: 'an animal that it depends on was not created' };
      }
      if (given !== undefined) ids.set(creates, given);
    }
    if (!shown && exchanges.length > 1 && exchanges.at(-1)?.call.operation === 'listPets') {
      const wide = await largestPages(first, session, store);
      shown = wide.some(({ checked }) => violationsByKey(checked).has(key));
      isFull = !shown && arePagesFull(wide.map(({ length }) => length));
    }
  } finally {
    for (const connection of connections.values()) await connection.close();
  }
  if (shown) return { end: 'still fails' };
  if (last !== kind)
    return { end: 'not tested', reason: 'its request now means something else, as an animal was added or removed' };
  if (atOnce) return { end: 'not tested', reason: 'it failed with concurrent requests' };
  if (isFull) return { end: 'not tested', reason: 'the pages are full, and may omit what it is about' };
  return { end: 'fixed' };
}

/** The largest pages of all animals and of each status, where the effect of an earlier request would show. */
async function largestPages(connection: Connection, session: Session, store: PetStore) {
  const pages: { readonly checked: Checked; readonly length: number }[] = [];
  for (const filter of ['', ...PET_STATUSES.map((status) => `&status=${status}`)]) {
    const checked = await session.send(connection, list(`limit=${LIMIT.maximum}${filter}`), {});
    if (checked !== undefined) pages.push({ checked, length: store.seenOf(checked.exchange).length ?? LIMIT.maximum });
  }
  return pages;
}

/** Whether the page of all animals and that of some status are full. */
const arePagesFull = ([all = LIMIT.maximum, ...filtered]: readonly number[]): boolean =>
  all >= LIMIT.maximum && filtered.some((length) => length >= LIMIT.maximum);

const ANIMAL = '{"name":"$NAME","categoryId":7,"status":"available"}';

function pauseUntil(moment: number, signal: AbortSignal): Promise<void> {
  const left = moment - performance.now();
  if (left <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, left));
}

/** The calls in a file are sent, so only calls of this service may be in it. */
const isOfService = ({ operation, method, target }: Call): boolean =>
  target.startsWith('/') &&
  Object.entries(OPERATIONS).some(([name, one]) => name === operation && one.method === method);

function readFailure(file: string, content: unknown): RecordedFailure {
  const fail = (what: string): FileError =>
    new FileError(`${file} is not a recorded failure: ${what}. Replay a file that this version wrote.`);
  const format = typeof content === 'object' && content !== null && 'format' in content ? content.format : undefined;
  if (format !== REPLAY_FORMAT) throw fail(`its format is not ${REPLAY_FORMAT}`);
  const isFailure = validatorOf<RecordedFailure>('replay');
  if (!isFailure(content)) throw fail(wrongIn(isFailure));
  const wrong = content.exchanges.findIndex(({ call }) => !isOfService(call));
  if (wrong >= 0) throw fail(`exchange ${wrong + 1} is not a request to this service`);
  return content;
}
