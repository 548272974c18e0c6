import { Budget, type Limits } from '../engine/budget.ts';
import type { Checked } from '../engine/checked.ts';
import { Doubts } from '../engine/doubts.ts';
import { KeyLost } from '../engine/key-lost.ts';
import { planRows, type Row, type Table } from '../engine/plan.ts';
import { Session } from '../engine/session.ts';
import { Slot } from '../engine/slot.ts';
import type { Call, Exchange } from '../http/exchange.ts';
import type { Connection, Network } from '../http/network.ts';
import { create, get } from './call.ts';
import type { Terms } from './fill.ts';
import { drawnRows } from './inputs/random.ts';
import { readKey } from './reading-key.ts';
import type { Part } from './requirement.ts';
import { PetStore } from './run-subject.ts';
import type { Lane, Script, SendOptions, Tools } from './script.ts';

interface CourseOptions {
  readonly parts: readonly Part[];
  /** Scripts besides those of requirements. */
  readonly course: readonly Script[];
  readonly terms: Terms;
  readonly network: Network;
  readonly limits: Limits;
  readonly connections: number;
  readonly seed: number;
  readonly isReadOnly: boolean;
  readonly onChecked?: ((checked: Checked) => void) | undefined;
  readonly onStage?: ((stage: string) => void) | undefined;
  /** Called for each animal in a 201. */
  readonly onCreated?:
    | ((animal: { readonly id: string; readonly name: string; readonly at: string }) => void)
    | undefined;
  /** Called when the service stops accepting the key. */
  readonly onKeyLost?: (() => void) | undefined;
  /** Called with the reason when the service stays unreachable. */
  readonly onUnreachable?: ((why: string) => void) | undefined;
  /** Ends the course; requests in flight are still completed. */
  readonly signal: AbortSignal;
}

export interface Course {
  readonly session: Session;
  readonly store: PetStore;
  /** How many of the planned rows were sent. */
  readonly rows: { readonly done: number; readonly planned: number };
  /** Resolves at the end of the course. Rejects with Stopped if the run ended early. */
  readonly finished: Promise<void>;
  /** Sends one more call, with names of its own. */
  readonly send: (connection: Connection, call: Call, like: Exchange) => Promise<Checked | undefined>;
}

/** One in this many valid animals is fetched immediately; of other accepted bodies, every one. */
const FETCHED_OF_VALID = 5;
/** The requirements that valid animals in plain JSON are about. */
const ABOUT_ANIMALS = new Set(['RES-6', 'RES-7', 'STATE-1', 'CREATE-1']);
/** Valid animals come early, as other rows build on them; all creations before the end, as `GAPS` waits for late effects. */
const [VALID_UNTIL, ADDING_UNTIL] = [0.5, 0.7];
/** At least this many, whatever the connections: the rows of each lane and their order then stay the same. */
const LANES = 16;
/** The most animals that are added to fill pages. */
const MAX_FILLERS = 110;
const MAX_REJECTED_FILLERS = 3;
/** For the creations after them, none of which should be accepted. */
const RESERVED_CREATIONS = 4;

/** Starts to take a service through a whole run. */
export function startCourse(options: CourseOptions): Course {
  const { parts, course, terms, network, limits, connections, seed, isReadOnly, signal } = options;
  const requirements = parts.flatMap((part) => part.requirements);
  // Not derived from the seed: a second run with the same seed would mistake animals of the first for its own.
  const tag = Math.floor(Math.random() * 36 ** 5)
    .toString(36)
    .padStart(5, '0');
  const number = `${Math.floor(Math.random() * 9_000) + 1_000}`;
  const store = new PetStore(requirements, terms, tag, number);
  const session = new Session(store, new Budget(limits));
  session.onChecked = (checked) => {
    options.onChecked?.(checked);
    const created = store.createdIn(checked.exchange);
    if (created !== undefined) options.onCreated?.(created);
  };
  const keyLost = new KeyLost(
    network,
    (request) => readKey(request, terms.key).kind === 'right',
    (milliseconds) => pause(milliseconds, signal),
  );
  keyLost.onLost = () => options.onKeyLost?.();
  session.keyLost = keyLost;
  session.onUnreachable = (why) => options.onUnreachable?.(why);
  const doubts = new Doubts(terms.settleMs, (milliseconds) => pause(milliseconds, signal));
  const slots = Array.from({ length: connections }, () => new Slot(network.connection()));
  const laneCount = Math.max(LANES, connections);
  const slotOf = (lane: number): Slot => {
    const slot = slots[lane % slots.length];
    if (slot === undefined) throw new RangeError('a run needs a connection');
    return slot;
  };
  const drawn = drawnRows(seed, limits.draws);
  const tables: readonly Table[] = [...requirements.flatMap(({ sends }) => sends), ...drawn].map((rows) => ({
    ...rows,
    until: rows.isValid === true ? VALID_UNTIL : rows.calls.some(({ method }) => method === 'POST') ? ADDING_UNTIL : 1,
  }));
  let scriptRow = 8_000;
  const nextRow = (): number => {
    scriptRow += 1;
    return scriptRow;
  };

  const isSkipped = (call: Call): boolean => isReadOnly && call.method !== 'GET';
  const sendNamed = async (
    connection: Connection,
    call: Call,
    row: number,
    id?: bigint,
  ): Promise<Checked | undefined> => {
    if (isSkipped(call)) return undefined;
    const names = store.namesFor(call, row, id);
    return names === undefined ? undefined : session.send(connection, call, names);
  };
  /** Sends nothing once the course has ended. */
  const sendOn: typeof sendNamed = async (...all) => (signal.aborted ? undefined : sendNamed(...all));
  const seenOf = (checked: Checked | undefined) =>
    checked === undefined ? { status: undefined, animals: [], length: undefined } : store.seenOf(checked.exchange);
  const laneOn = (connection: Connection): Lane => ({
    send: async (call, { id, row }: SendOptions = {}) => seenOf(await sendOn(connection, call, row ?? nextRow(), id)),
  });

  const tools: Tools = {
    known: store.known,
    send: (call, sending) => slotOf(nextRow()).lend((connection) => laneOn(connection).send(call, sending)),
    on: (work) =>
      slotOf(nextRow()).lend(async (connection) => {
        // A script gets a new connection, on which nothing was sent.
        await connection.close();
        return work(laneOn(connection));
      }),
    together: (calls) => {
      const first = nextRow();
      return Promise.all(
        calls.map(({ call, id, row = nextRow() }, at) =>
          slotOf(first + at).lend((connection) => sendOn(connection, call, row, id).then(seenOf)),
        ),
      );
    },
    recheck: () => recheck(),
    pause: (milliseconds) => pause(milliseconds, signal),
  };

  const followUp = async (connection: Connection, checked: Checked | undefined, row: Row): Promise<void> => {
    if (checked === undefined || row.call.method !== 'POST') return;
    const seen = store.seenOf(checked.exchange);
    const [animal] = seen.animals;
    const own = store.known.ownById(animal?.id);
    if (own === undefined || own.exchange !== checked.exchange) return;
    if (ABOUT_ANIMALS.has(seen.expected.requirement) && row.number % FETCHED_OF_VALID !== 0) return;
    await sendOn(connection, get(), row.number, own.id);
  };

  /** Sends the rows of each lane in order on one connection, and the lanes concurrently. */
  const sendRows = async (all: readonly Row[]): Promise<void> => {
    await Promise.all(
      Array.from({ length: laneCount }, async (_, lane) => {
        for (const row of all.filter((__, at) => at % laneCount === lane)) {
          await slotOf(lane).lend(async (connection) => {
            const checked = await sendOn(connection, row.call, row.number);
            await followUp(connection, checked, row);
          });
          if (!signal.aborted && !network.isSpent) rows.done += 1;
        }
      }),
    );
  };

  const scriptsOf = (stage: string): readonly Script[] =>
    [...course, ...requirements.flatMap(({ script }) => script ?? [])].filter(({ stages }) =>
      stages.some((one) => one === stage),
    );
  const runScripts = async (stage: string): Promise<void> => {
    for (const script of scriptsOf(stage)) await script.run(tools);
  };
  const recheck = async (): Promise<void> => {
    if (session.doubts.size > 0) await doubts.recheck(session);
  };
  const rowsOf = (stage: string): readonly Row[] =>
    planRows(tables, stage, limits, seed + stage.length).filter(({ call }) => !isSkipped(call));
  const stages = ['found', 'rows', 'full', ...limits.ages.map(() => 'aged')];
  const rows = { done: 0, planned: stages.reduce((sum, one) => sum + rowsOf(one).length, 0) };

  const stage = async (name: string, work: () => Promise<void>): Promise<void> => {
    options.onStage?.(name);
    await work();
    await recheck();
  };

  /** Adds animals until one status has more than a full page. */
  const fillPages = async (): Promise<void> => {
    let rejected = 0;
    let added = 0;
    while (rejected < MAX_REJECTED_FILLERS && added < MAX_FILLERS && !isReadOnly) {
      const room = Math.min(MAX_FILLERS - added, session.budget.room - RESERVED_CREATIONS);
      const size = Math.min(store.missingForFull('available'), room, laneCount);
      if (size <= 0) return;
      const batch = await tools.together(Array.from({ length: size }, () => ({ call: create(FILLER) })));
      const created = batch.filter(({ status }) => status === 201).length;
      added += batch.length;
      if (created < batch.length) rejected += batch.length - created;
    }
  };

  const runStages = async (): Promise<void> => {
    await stage('found', async () => {
      await runScripts('found');
      await sendRows(rowsOf('found'));
    });
    await stage('growing', () => runScripts('growing'));
    await stage('rows', async () => {
      await Promise.all([sendRows(rowsOf('rows')), ...scriptsOf('rows').map((script) => script.run(tools))]);
    });
    await stage('full', async () => {
      await fillPages();
      await Promise.all([sendRows(rowsOf('full')), ...scriptsOf('full').map((script) => script.run(tools))]);
    });
    for (const age of limits.ages) {
      await stage('aged', async () => {
        const first = store.known.ownAnimals[0]?.exchange.answeredAt;
        if (first !== undefined) await pause(first + age - performance.now(), signal);
        await runScripts('aged');
        await sendRows(rowsOf('aged'));
      });
    }
  };
  return {
    session,
    store,
    rows,
    finished: Promise.resolve().then(runStages),
    send: (connection, call, { names: { ID: id } }) =>
      sendNamed(connection, call, nextRow(), id === undefined ? undefined : BigInt(id)),
  };
}

const FILLER = '{"name":"$NAME","categoryId":7,"status":"available"}';

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
