import type { Contract } from '../contract/contract.ts';
import type { Client, Meeting } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { LOCKED_OUT, NotSent } from '../http/not-sent.ts';
import type { Turn } from '../http/pacing/limiter.ts';
import { FIRST_VIOLATION } from '../report/model/first-violation.ts';
import type { Access } from './access.ts';
import type { CreationBudget, RequestBudget } from './budgets.ts';
import type { EveryAnswer, RunState } from './every-answer.ts';
import type { HowSent } from './history.ts';
import type { Narrowing } from './narrowing.ts';
import { InconclusiveError, SuiteError, ViolationError } from './outcome-errors.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import type { Proofs } from './proof.ts';
import type { Reply } from './reply.ts';
import type { Judgement, Suspicion, Violation } from './violation.ts';

/** How a service reads what its calls bring back. */
export interface ReplyReader<R extends Reply> {
  readReply(call: R['call'], exchange: Exchange, contract: Contract): R;
  /** What is wrong with a call as the suite built it, read from its bytes; undefined where nothing is. */
  verify(call: R['call'], contract: Contract): string | undefined;
  /** A call in plain words, and with each of its unusual things alone; none for a plain one. @param token the right key */
  partsOf?(call: R['call'], token: string): readonly R['call'][];
}

/** What the clients of all checks share. */
export interface CheckClientParts<R extends Reply, S extends RunState<R>> {
  readonly client: Client;
  readonly contract: Contract;
  readonly service: ReplyReader<R>;
  readonly everyAnswer: EveryAnswer<R, S>;
  readonly narrowing: Narrowing<R>;
  readonly proofs: Proofs<R, S>;
  readonly access: Access;
  readonly budget: CreationBudget;
  readonly requestBudget: RequestBudget;
  readonly readOnly: boolean;
  /** Told of a violation of a check's own expectation as soon as it is found. */
  readonly onViolation?: ((checkId: string, violation: Violation) => void) | undefined;
  /** Told while a check asks again. */
  readonly progress?: Pick<ProgressReporter, 'during'>;
}

/** A reply, and by check what is wrong with it, or what it raised suspicions of. */
interface Received<R extends Reply> {
  readonly reply: R;
  readonly violations: ReadonlyMap<string, Violation>;
  readonly suspicions: ReadonlyMap<string, Suspicion>;
}

/** A suspicion that an answer to the same request has cleared up. */
interface Cleared<R extends Reply> {
  /** The check whose rule raised it. */
  readonly id: string;
  readonly call: R['call'];
  readonly exchange: Exchange;
  readonly until: number;
}

/** The HTTP client as one check sees it: counts what the check sends, and has every answer judged on its way. */
export class CheckClient<R extends Reply, S extends RunState<R>> {
  /** The requirement of the check. */
  readonly requirement: string;
  readonly http: Client;
  readonly budget: CreationBudget;
  readonly readOnly: boolean;
  readonly #parts: CheckClientParts<R, S>;
  readonly #checkId: string;
  readonly #end: AbortSignal | undefined;
  readonly #turn: Turn;
  readonly #cleared: Cleared<R>[] = [];
  /** Requests and creations of this check so far. */
  requests = 0;
  creations = 0;
  /** Requests that were not answered, as the service locks wrong keys out. */
  lockedOut = 0;
  /** How many of its expectations were about the replies that they were held against, and how many were not. */
  readonly expectations = { judged: 0, irrelevant: 0 };

  /**
   * @param checkId the check on whose behalf it sends; empty for the run itself
   * @param end aborted when the check must end; where it is missing, it ends with the run
   */
  constructor(parts: CheckClientParts<R, S>, checkId: string, end?: AbortSignal) {
    this.requirement = checkId.split('.')[0] ?? '';
    this.http = parts.client;
    this.budget = parts.budget;
    this.readOnly = parts.readOnly;
    this.#parts = parts;
    this.#checkId = checkId;
    this.#end = end;
    // What the run itself sends, several checks wait for.
    this.#turn = { queue: checkId, isWhole: checkId === '' };
  }

  /**
   * @throws ViolationError where the answer violates the rule of this very check
   * @throws InconclusiveError where the call could not be sent
   * @throws SuiteError where the call is not what it claims to be
   */
  async send(call: R['call']): Promise<R> {
    const [sent] = await this.#send([call], undefined, () =>
      Promise.allSettled([this.http.send(call.request, { turn: this.#turn, end: this.#end })]),
    );
    if (sent === undefined) throw new SuiteError('a request was sent and no exchange came of it');
    return resultOf(sent);
  }

  /** Sends calls one after the other on one connection that nothing else uses. */
  async sendOnOneConnection(calls: readonly R['call'][]): Promise<readonly R[]> {
    return (await this.sendEach(calls, 'on one connection')).map(resultOf);
  }

  /**
   * Sends calls on one connection in turn, or at one moment; every answer is judged, whatever becomes of the others.
   *
   * @param meeting a moment that one of the calls on the connection waits for
   */
  sendEach(
    calls: readonly R['call'][],
    how: 'on one connection' | 'at one moment',
    meeting?: Meeting,
  ): Promise<readonly PromiseSettledResult<R>[]> {
    const requests = calls.map(({ request }) => request);
    return this.#send(calls, how, () =>
      how === 'at one moment'
        ? this.http.sendTogether(requests, this.#end, this.#checkId)
        : this.http.sendOnOneConnection(requests, this.#end, meeting, this.#checkId),
    );
  }

  /**
   * Holds an expectation of a check against replies. The last of them is the one that is judged.
   *
   * @throws ViolationError where it is violated
   */
  expect(judge: (...replies: R[]) => Judgement, ...replies: readonly R[]): void {
    const error = this.violation(judge, ...replies);
    if (error !== undefined) throw error;
  }

  /** As `expect`, but returns the error; undefined where the expectation holds, or says nothing of the replies. */
  violation(judge: (...replies: R[]) => Judgement, ...replies: readonly R[]): ViolationError | undefined {
    const judgement = judge(...replies);
    this.expectations[judgement === 'irrelevant' ? 'irrelevant' : 'judged'] += 1;
    if (typeof judgement === 'string') return undefined;
    const { proofs, onViolation } = this.#parts;
    const violation = { ...judgement, again: () => judge(...replies.map(proofs.readAgain)) };
    onViolation?.(this.#checkId, violation);
    return new ViolationError(violation);
  }

  async #send(
    calls: readonly R['call'][],
    together: HowSent<R>['together'],
    exchange: () => Promise<readonly PromiseSettledResult<Exchange>[]>,
  ): Promise<readonly PromiseSettledResult<R>[]> {
    const { budget, contract, readOnly, requestBudget, service, everyAnswer } = this.#parts;
    if (readOnly && calls.some(({ effect }) => effect !== 'reads')) {
      const reason = '--read-only allows no request that could create anything';
      throw new InconclusiveError('read-only', reason, { byOption: true });
    }
    for (const call of calls) {
      const fault = service.verify(call, contract);
      if (fault !== undefined) throw new SuiteError(fault);
    }
    if (!requestBudget.take(calls.length)) throw requestsUsedUp(`${requestBudget.limit} requests`);
    // What must be refused may leave something all the same.
    const creations = calls.filter(({ effect }) => effect !== 'reads').length;
    if (!(await budget.reserve(creations))) throw budgetUsedUp(budget);
    // No `map`: the stack of a violation would hold the exchanges, and they hold whole bodies.
    const judged: Promise<R>[] = [];
    try {
      for (const call of calls) everyAnswer.state.begin?.(call);
      this.requests += calls.length;
      const sending = { calls, together };
      for (const [at, done] of (await exchange()).entries())
        judged.push(this.#judge(calls[at], done, { ...sending, at }));
    } catch (error) {
      throw asInconclusive(error);
    } finally {
      // What is sent to find out more takes from the budget itself.
      budget.release(creations);
    }
    return Promise.allSettled(judged);
  }

  async #judge(call: R['call'] | undefined, sent: PromiseSettledResult<Exchange>, sending: HowSent<R>): Promise<R> {
    if (sent.status === 'rejected') {
      if (sent.reason instanceof NotSent && sent.reason.code === LOCKED_OUT) this.lockedOut += 1;
      throw asInconclusive(sent.reason);
    }
    const received = this.#receive(call, sent.value, sending);
    await this.#accuse(received);
    const { reply, suspicions } = received;
    if (suspicions.size > 0) await this.#asksAgain(this.#confirm(reply, suspicions));
    return reply;
  }

  /**
   * Counts what is wrong with a reply, but for what one of several unusual things about its call explains: each of these
   * is sent alone.
   *
   * @throws ViolationError where the check's own rule is violated, by the reply or by what explains it
   * @throws InconclusiveError where the service no longer accepts the key
   */
  async #accuse({ reply, violations }: Received<R>): Promise<void> {
    const lost = await this.#parts.access.lostBy(reply.exchange);
    if (lost !== undefined) throw notSent(lost);
    if (violations.size === 0) return;
    const { everyAnswer, narrowing } = this.#parts;
    const { left, error } = await narrowing.unexplained(reply, violations, (part) => this.send(part));
    for (const [id, violation] of left) everyAnswer.accuse(reply, id, violation, this.#checkId);
    const own = left.get(this.#checkId);
    if (own !== undefined) throw new ViolationError(own);
    if (error !== undefined && violations.has(this.#checkId)) throw error;
  }

  #receive(
    call: R['call'] | undefined,
    exchange: Exchange,
    sending: HowSent<R>,
    first?: ReadonlyMap<string, Exchange>,
  ): Received<R> {
    if (call === undefined) throw new SuiteError('more exchanges than calls');
    const { service, contract, everyAnswer, narrowing, budget } = this.#parts;
    const reply = service.readReply(call, exchange, contract);
    const entry = { ...sending, reply, created: budget.begun };
    const { violations, suspicions } = everyAnswer.receive(entry, first);
    narrowing.note(reply, violations);
    if (reply.mayHaveCreated) {
      budget.spend(reply.isCreation);
      if (reply.isCreation) this.creations += 1;
    }
    return { reply, violations, suspicions };
  }

  /**
   * Sends a request that raised suspicions again, until each is cleared up or its explanation has run out: then the rule
   * itself calls what it sees a violation. Only what reads is sent again.
   */
  async #confirm({ call, exchange }: R, suspicions: ReadonlyMap<string, Suspicion>): Promise<void> {
    const { everyAnswer } = this.#parts;
    const followed = new Map<string, Exchange>();
    for (const id of suspicions.keys()) {
      const tally = everyAnswer.tally(id);
      if (tally.violated > 0) continue;
      if (call.effect !== 'reads' || tally.underSuspicion >= MOST_CONFIRMATIONS) tally.undecided += 1;
      else {
        tally.underSuspicion += 1;
        followed.set(id, exchange);
      }
    }
    const open = new Set(followed.keys());
    const until = (id: string): number => suspicions.get(id)?.until ?? 0;
    try {
      for (let wait = FIRST_WAIT_MS; open.size > 0; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        await this.http.pause(Math.min(wait, Math.min(...[...open].map(until)) - performance.now() + 1), this.#end);
        if (!this.#parts.requestBudget.takeAgain()) throw requestsUsedUp('what may be asked again');
        const again = await this.#sendAgain(call, followed);
        for (const id of open) {
          if (again.suspicions.has(id)) continue;
          open.delete(id);
          this.#cleared.push({ id, call, exchange, until: until(id) });
        }
      }
    } finally {
      for (const id of followed.keys()) everyAnswer.tally(id).underSuspicion -= 1;
      for (const id of open) everyAnswer.tally(id).undecided += 1;
    }
  }

  /**
   * A suspicion that was cleared up may have been a fault that comes and goes. Once its explanation has run out, the same
   * request is sent a number of times more: what is then wrong is a violation.
   */
  async lookIntoCleared(): Promise<void> {
    if (this.#cleared.length > 0) await this.#asksAgain(this.#lookIntoCleared());
  }

  async #lookIntoCleared(): Promise<void> {
    const { everyAnswer, requestBudget } = this.#parts;
    for (const { id, call, exchange, until } of this.#cleared) {
      const tally = everyAnswer.tally(id);
      if (tally.violated > 0 || tally.askedAgain >= MOST_ASKED_AGAIN) continue;
      await this.http.pause(until - performance.now() + 1, this.#end);
      for (let sent = 0; sent < ASKED_AGAIN && tally.violated === 0; sent += 1) {
        if (!requestBudget.takeAgain()) return;
        tally.askedAgain += 1;
        await this.#sendAgain(call, new Map([[id, exchange]]));
      }
    }
  }

  #asksAgain<T>(work: Promise<T>): Promise<T> {
    return this.#parts.progress?.during(this.#checkId, 'asking again', work) ?? work;
  }

  async #sendAgain(call: R['call'], first: ReadonlyMap<string, Exchange>): Promise<Received<R>> {
    this.requests += 1;
    try {
      const sending = { calls: [call], together: undefined, at: 0 };
      const exchange = await this.http.send(call.request, { turn: this.#turn, end: this.#end });
      const received = this.#receive(call, exchange, sending, first);
      await this.#accuse(received);
      return received;
    } catch (error) {
      throw asInconclusive(error);
    }
  }
}

function resultOf<R>(sent: PromiseSettledResult<R>): R {
  if (sent.status === 'rejected') throw sent.reason;
  return sent.value;
}

const asInconclusive = (error: unknown): unknown => (error instanceof NotSent ? notSent(error) : error);

/** Why a check is inconclusive whose request was not sent. */
export const notSent = ({ code, message }: NotSent): InconclusiveError =>
  new InconclusiveError(code, message, { byOption: code === FIRST_VIOLATION });

const requestsUsedUp = (what: string): InconclusiveError =>
  new InconclusiveError('request-budget', `the budget of ${what} is used up`);

/** Why a check is inconclusive whose request might create more than the run may. */
const budgetUsedUp = ({ limit, isChosen }: CreationBudget): InconclusiveError =>
  new InconclusiveError('budget', `the budget of ${limit} creations is used up; raise --max-creates`, {
    byOption: isChosen,
  });

/** Most suspicions of one check that are looked into at once: one fault raises many of the same kind. */
const MOST_CONFIRMATIONS = 8;
/** How often a request is sent again whose suspicion was cleared up, and at most for all requests and one rule. */
const ASKED_AGAIN = 60;
const MOST_ASKED_AGAIN = 300;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 500;
