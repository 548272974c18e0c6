import type { Checked } from '../check/checked.ts';
import { Checker, type Learned } from '../check/checker.ts';
import type { Requirement } from '../check/requirement.ts';
import type { Script, Tools } from '../check/script.ts';
import type { Stage } from '../check/stages.ts';
import { LIMIT, PET_STATUSES } from '../contract/contract-facts.ts';
import type { Connection, Network } from '../http/network.ts';
import { Collection } from '../known/collection.ts';
import { newMarks } from '../known/marks.ts';
import type { CreatedAnimal } from '../known/recall.ts';
import { type Call, get, list, operationOf, PLAIN_CALLS } from '../reading/call.ts';
import { type Exchange, filled, type Order } from '../reading/exchange.ts';
import type { Terms } from '../reading/fill.ts';
import { distinct } from '../text.ts';
import { askAgain } from './ask-again.ts';
import { Budget, type Limits } from './budget.ts';
import type { OnEvent } from './events.ts';
import { isSent, type Row } from './plan.ts';
import { PlannedRows } from './planned-rows.ts';
import { RowNames } from './row-names.ts';
import { Session } from './session.ts';
import { ShutOut } from './shut-out.ts';
import { PREFLIGHT_CALLS } from './signs.ts';
import { pause, toolsOn, withResolver } from './tools.ts';

interface CourseOptions {
  readonly requirements: readonly Requirement[];
  /** Scripts besides those of requirements. */
  readonly course: readonly Script[];
  readonly terms: Terms;
  readonly remembered: readonly CreatedAnimal[];
  readonly network: Network;
  readonly limits: Limits;
  readonly connections: number;
  readonly seed: number;
  readonly isReadOnly: boolean;
  /** The user bounds creations (`--max-creates`). */
  readonly isBoundByUser: boolean;
  readonly onEvent: OnEvent;
  /** Ends the course; requests in flight are still completed. */
  readonly signal: AbortSignal;
}

/** What is sent, on which connection, as which row, with which animal. */
type RowRequest = readonly [connection: Connection, call: Call, row: number, id?: bigint, order?: Order];

/** The most animals that are added to fill pages. */
const MAX_FILLERS = 110;
const MAX_REJECTED_FILLERS = 3;
/** For the creations after them. */
const RESERVED_CREATIONS = 12;

/** At least this many lanes, whatever the connections: the rows of each lane and their order then stay the same. */
const LANES = 16;
/** How often scripts watch while animals age, and for how long they do not at the end, as a service may fall asleep (ms). */
const [SECOND_MS, GAP_MS] = [1_000, 4_000];
const FULL_PAGES = ['limit=100', ...PET_STATUSES.map((status) => `limit=100&status=${status}`)];
/** Pages that are not full while there are few animals. */
const SMALLER_PAGES = ['', 'limit=40', ...PET_STATUSES.map((status) => `status=${status}`)];

/** A service taken through a whole run. Scripts and rows send; rules find violations. */
export class Course {
  readonly session: Session;
  readonly known: Collection;
  readonly rows: PlannedRows;
  readonly #options: CourseOptions;
  readonly #names: RowNames;
  readonly #tools: Tools;
  readonly #scripts: readonly Script[];
  /** Resolves once the run has added an animal, or tried to. */
  readonly #hasAnimals = withResolver();

  constructor(options: CourseOptions) {
    const { requirements, course, terms, network, limits, seed, isReadOnly, signal, remembered, onEvent } = options;
    const { tag, number } = newMarks();
    this.#options = options;
    this.known = new Collection({ settleMs: terms.settleMs, tag, remembered });
    this.#names = new RowNames(this.known, number);
    const plainCalls = PREFLIGHT_CALLS.filter((call) => !this.#isSkipped(call));
    this.session = new Session({
      checker: new Checker(requirements, terms, this.known),
      names: this.#names,
      terms,
      budget: new Budget(limits),
      network,
      shutOut: new ShutOut(
        plainCalls.flatMap((call) => filled(call, {}, terms) ?? []),
        (milliseconds) => pause(milliseconds, signal),
        (reason) => onEvent({ kind: 'lost', reason }),
      ),
      onEvent,
    });
    this.#tools = toolsOn(network, {
      known: this.known,
      newRow: () => this.#names.newRow(),
      send: (connection, call, row, id, sequence) => this.#sendOn(connection, call, row, id, { sequence }),
      newSequence: () => this.session.newSequence(),
      pause: (milliseconds) => this.#pause(milliseconds),
    });
    this.#scripts = distinct([...course, ...requirements.flatMap(({ scripts }) => scripts)]).filter((script) =>
      isSent(script, limits),
    );
    this.rows = new PlannedRows(requirements, limits, seed, terms, () => this.#names.newRow(), isReadOnly);
  }

  /** Resolves at the end of the course. Rejects with Stopped if the run ended early. */
  async run(): Promise<void> {
    const rows = this.rows.of('rows');
    const adding = async (): Promise<void> => {
      await this.#stage('found', () => this.#runAtOnce('found'));
      await this.#askAgain();
      await this.#addFirst(this.#tools).finally(() => this.#hasAnimals.resolve());
      await this.#stage('growing');
      await this.#look(['limit=99', ...SMALLER_PAGES]);
      await this.#askForRoom();
      const tables = async (): Promise<void> => {
        await this.#sendRows(rows.filter(({ adds, isValid }) => adds && isValid));
        await this.#look();
        await this.#sendRows(rows.filter(({ adds, isValid }) => adds && !isValid));
      };
      await this.#stage('rows', () => Promise.all([this.#runAtOnce('rows'), tables()]));
    };
    // What adds nothing does not depend on how many animals there are; rows that name one come last.
    const others = rows.filter(({ adds }) => !adds).toSorted((one, other) => Number(one.names) - Number(other.names));
    await Promise.all([this.#sendRows(others), adding()]);
    await this.#look();
    await this.#stage('listed');
    await this.#askForRoom();
    await this.#stage('full', async () => {
      await this.#fillPages();
      return Promise.all([this.#sendRows(this.rows.of('full')), this.#runAtOnce('full')]);
    });
    for (const age of this.#options.limits.ages) {
      await this.#stage('aged', async () => {
        await this.#waitUntilAged(age);
        // In order, as the first of them waits.
        await this.#runScripts('aged');
      });
      await this.#askForRoom();
    }
  }

  /** Requests the pages that may show all animals of the run, and nothing else; until those that they leave out are settled, if any are. */
  async #look(queries = FULL_PAGES): Promise<void> {
    const { network, terms } = this.#options;
    await network.hold(async (connections) => {
      const waiting = queries.values();
      const sendNext = async (connection: Connection): Promise<void> => {
        for (const query of waiting) await this.session.send(connection, list(query), {}, { isQuiet: true });
      };
      await Promise.all(connections.map(sendNext));
      await askAgain(this.session, terms.settleMs, (milliseconds) => this.#pause(milliseconds));
    });
  }

  /** Asks what is open; plain animals that are added after it show whether pages had room. */
  async #askForRoom(): Promise<void> {
    const { known } = this;
    if (this.session.questions.size === 0 && known.omissions.queries.length === 0) return;
    await this.#askAgain();
    await this.#stage('last');
    // What was just added may be listed late.
    if (known.omissions.queries.length > 0) await this.#look();
  }

  /** Adds the first animal, which rows name, and asks whether it made others disappear from lists. */
  async #addFirst({ send, together }: Tools): Promise<void> {
    await send(PLAIN_CALLS.createPet);
    await together(['limit=100', ...SMALLER_PAGES].map((query) => ({ call: list(query) })));
    await this.#askAgain();
  }

  /** Sends one more call, with names of its own, but with the animal of an exchange. */
  async sendLike(connection: Connection, call: Call, { names: { ID: id } }: Exchange): Promise<Checked | undefined> {
    const own = id === undefined ? undefined : BigInt(id);
    return (await this.#send(connection, call, this.#names.newRow(), own))?.checked;
  }

  async #stage(name: Stage, work: () => Promise<unknown> = () => this.#runScripts(name)): Promise<void> {
    this.#options.onEvent({ kind: 'stage', stage: name });
    await work();
  }

  async #runScripts(stage: Stage): Promise<void> {
    for (const script of this.#scriptsOf(stage)) await script.run(this.#tools);
  }

  async #runAtOnce(stage: Stage): Promise<void> {
    await Promise.all(this.#scriptsOf(stage).map((script) => script.run(this.#tools)));
  }

  #scriptsOf(stage: Stage): readonly Script[] {
    return this.#scripts.filter(({ stages }) => stages.includes(stage));
  }

  /** Sends the rows of each lane in order, on its own connection or the next that is free, and the lanes concurrently. */
  async #sendRows(rows: readonly Row[]): Promise<void> {
    const lanes = Math.max(LANES, this.#options.connections);
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const sequence = this.session.newSequence();
        for (const row of rows.filter((__, at) => at % lanes === lane)) {
          if (row.names) await this.#hasAnimals.promise;
          await this.#options.network.lend(async (connection) => {
            const learned = await this.#sendOn(connection, row.call, row.number, undefined, { sequence });
            await this.#followUp(connection, learned, row, { sequence });
            this.rows.count(row, learned !== undefined, this.#isLeftOut(row.call));
          }, lane);
        }
      }),
    );
  }

  /** Fetches a new animal. */
  async #followUp(connection: Connection, learned: Learned | undefined, row: Row, order: Order): Promise<void> {
    if (learned === undefined || !operationOf(row.call).adds) return;
    const own = this.known.ownById(learned.seen.animals[0]?.id);
    if (own === undefined || own.exchange !== learned.checked.exchange) return;
    await this.#sendOn(connection, get(), row.number, own.id, order);
  }

  /** Adds animals until one status has more than a full page, which is requested as it grows. */
  async #fillPages(): Promise<void> {
    const tools = this.#tools;
    let rejected = 0;
    let added = 0;
    while (rejected < MAX_REJECTED_FILLERS && added < MAX_FILLERS && !this.#options.isReadOnly) {
      const room = Math.min(MAX_FILLERS - added, this.session.budget.room - RESERVED_CREATIONS);
      const size = Math.min(this.#missingForFull('available'), room, 2 * LANES - 1);
      if (size <= 0) return;
      const fillers = Array.from({ length: size }, () => ({ call: PLAIN_CALLS.createPet }));
      const page = { call: list(`limit=${LIMIT.maximum}&status=available`) };
      const [, ...batch] = await tools.together([page, ...fillers]);
      const created = batch.filter(({ status }) => status === 201).length;
      added += batch.length;
      if (created < batch.length) rejected += batch.length - created;
    }
  }

  /** How many animals of a status are still needed for a full page and one more. */
  #missingForFull(status: string): number {
    const own = this.known.ownAnimals.filter((animal) => animal.status === status).length;
    const listed = this.known.largestPage(`limit=100&status=${status}`)?.length ?? 0;
    return Math.max(0, LIMIT.maximum + 1 - Math.max(own, listed));
  }

  /** Waits until the first animals are so old (ms); what happens meanwhile, scripts see. */
  async #waitUntilAged(age: number): Promise<void> {
    const first = this.known.ownAnimals[0]?.exchange.answeredAt;
    if (first === undefined) return;
    const until = first + age;
    while (until - performance.now() > GAP_MS && !this.#options.signal.aborted) {
      const next = performance.now() + SECOND_MS;
      await this.#runScripts('waiting');
      await this.#pause(next - performance.now());
    }
    await this.#pause(until - performance.now());
  }

  /** Asks what is unsure, while nothing else is in flight: all connections are held for it. */
  async #askAgain(): Promise<void> {
    if (this.session.questions.size === 0) return;
    const { network, terms } = this.#options;
    await network.hold(() => askAgain(this.session, terms.settleMs, (milliseconds) => this.#pause(milliseconds)));
  }

  #pause(milliseconds: number): Promise<void> {
    return pause(milliseconds, this.#options.signal);
  }

  /** The user's own bound on creations leaves it out. */
  #isLeftOut(call: Call): boolean {
    return this.#options.isBoundByUser && operationOf(call).adds && this.session.budget.room <= 0;
  }

  #isSkipped(call: Call): boolean {
    return this.#options.isReadOnly && operationOf(call).adds;
  }

  /** Sends nothing once the course has ended. */
  async #sendOn(...sent: RowRequest): Promise<Learned | undefined> {
    return this.#options.signal.aborted ? undefined : this.#send(...sent);
  }

  async #send(...[connection, call, row, id, order]: RowRequest): Promise<Learned | undefined> {
    if (this.#isSkipped(call)) return undefined;
    const names = this.#names.of(call, row, id);
    if (names !== undefined) return this.session.send(connection, call, names, order);
    // What is not to be added by the user's own choice is no news.
    if (!this.#options.isReadOnly)
      this.session.leaveOut('they name an animal, and no response to createPet showed one');
    return undefined;
  }
}
