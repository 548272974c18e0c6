import { parseJson } from '../contract/json.ts';
import type { Check } from '../engine/check.ts';
import type { Judging } from '../engine/judging.ts';
import { Broken, HarnessFault, Inconclusive, NotApplicable } from '../engine/signals.ts';
import type { Client } from '../http/client.ts';
import { type Credential, rightKey } from '../http/credential.ts';
import type { Exchange } from '../http/exchange.ts';
import { NotSent } from '../http/not-sent.ts';
import { type Call, describe, type ListQuery, listing, wireOf } from './call.ts';
import { MEMBERS } from './fault-subject.ts';
import { type Body, type SoundBody, soundBody, type Traces } from './inputs/body.ts';
import type { NewPet } from './inputs/new-pet.ts';
import type { Created } from './ledger.ts';
import { Reply, statusPhrase } from './reply.ts';

export interface ServiceOptions {
  readonly key: string;
  readonly readOnly: boolean;
  /** True on and after the date on which getPet may be gone. */
  readonly getPetMayBeGone: boolean;
}

const GET_PET_IS_GONE = 'getPet was removed, as was announced for 5 December 2030';

/** A page as it was answered, with what it held. */
export type Page = Reply;

/**
 * The service as one check sees it. `list`, `create` and `get` are for calls that must succeed: where they do not,
 * the requirement that owns the success is violated and the check in hand cannot be judged. The `try…` calls expect
 * nothing. Every reply is held against every rule on its way.
 */
export class Service {
  readonly #client: Client;
  readonly #judging: Judging;
  readonly #check: Check;
  readonly #options: ServiceOptions;
  readonly #controls = new Map<object, Promise<Reply>>();
  readonly right: Credential;
  /** Requests of this check so far. */
  requests = 0;
  /** Animals that this check has added so far. */
  creations = 0;

  constructor(client: Client, judging: Judging, check: Check, options: ServiceOptions) {
    this.#client = client;
    this.#judging = judging;
    this.#check = check;
    this.#options = options;
    this.right = rightKey(options.key);
  }

  get key(): string {
    return this.#options.key;
  }

  /** Sends a call and judges what came back by every rule. */
  async send(call: Call): Promise<Reply> {
    const [reply] = await this.#sendThrough([call], async ([request]) => {
      if (request === undefined) throw new HarnessFault('a call without a request');
      return [await this.#client.send(request)];
    });
    if (reply === undefined) throw new HarnessFault('a request was sent and no exchange came of it');
    return reply;
  }

  /** Sends calls one after the other on one connection that nothing else uses. */
  sendOnOneConnection(calls: readonly Call[]): Promise<readonly Reply[]> {
    return this.#sendThrough(calls, (requests) => this.#client.sendOnOneConnection(requests));
  }

  tryList(query: ListQuery, credential = this.right): Promise<Page> {
    return this.send(listing(query, credential));
  }

  tryCreate(body: Body, credential = this.right): Promise<Reply> {
    return this.send({ operation: 'createPet', body, credential });
  }

  tryGet(petId: bigint | string, credential = this.right): Promise<Reply> {
    return this.send({ operation: 'getPet', petId: `${petId}`, credential });
  }

  /** Lists; the service must answer with a page. */
  async list(query: ListQuery = {}): Promise<Page> {
    const page = await this.tryList(query);
    if (page.pageLength === undefined) throw this.#failedControl(page, query.limit === undefined ? 'LIST-1' : 'LIST-5');
    return page;
  }

  /** Adds an animal; the service must accept it. */
  async create(what: NewPet | SoundBody): Promise<Created> {
    const body = 'kind' in what ? what : soundBody(what);
    const reply = await this.tryCreate(body);
    const id = reply.animals[0]?.id;
    const created = id === undefined ? undefined : this.#judging.knowledge.ledger.find(id);
    if (created === undefined) throw this.#failedControl(reply, reply.isSuccess ? 'RES-4' : body.owner);
    return created;
  }

  /** Gets an animal that exists; the service must answer with it. */
  async get(id: bigint): Promise<Reply> {
    const reply = await this.tryGet(id);
    if (this.#options.getPetMayBeGone && (reply.status === 404 || reply.status === 410)) {
      throw new NotApplicable(GET_PET_IS_GONE);
    }
    if (reply.animals[0] === undefined) throw this.#failedControl(reply, reply.status === 404 ? 'GET-4' : 'GET-1');
    return reply;
  }

  /**
   * The heart of every negative check: the same request with exactly one difference, which must be refused, while
   * the control must be accepted. The control is sent once for all that are set against it.
   *
   * @throws Broken where the judged request is not answered with one of `expected`
   * @throws Inconclusive where the control fails
   */
  async contrast(control: Call, judged: Call, ...expected: readonly number[]): Promise<Reply> {
    const sound = await this.control(control);
    const reply = await this.send(judged);
    this.expectStatus(reply, expected, [sound.exchange]);
    return reply;
  }

  /** Sends a call that must succeed, once; asked again, it gives the first reply. */
  control(call: Call): Promise<Reply> {
    const known = this.#controls.get(call);
    if (known !== undefined) return known;
    const sent = this.send(call).then((reply) => {
      if (reply.isSuccess) return reply;
      const owner = call.operation === 'listPets' ? 'LIST-1' : call.operation === 'getPet' ? 'GET-1' : 'CREATE-1';
      throw this.#failedControl(reply, owner);
    });
    this.#controls.set(call, sent);
    return sent;
  }

  /** @throws Broken unless the reply has one of these statuses; Inconclusive where there is no reply */
  expectStatus(reply: Reply, expected: readonly number[], context: readonly Exchange[] = []): void {
    if (reply.status === undefined) throw this.#failedControl(reply, 'SERV-5');
    if (expected.includes(reply.status)) return;
    const isGone = reply.call.operation === 'getPet' && (reply.status === 404 || reply.status === 410);
    if (isGone && this.#options.getPetMayBeGone) throw new NotApplicable(GET_PET_IS_GONE);
    throw new Broken(
      {
        code: 'status',
        message: `answers ${reply.status} to ${describe(reply.call)}`,
        expected: expected.length === 1 ? `${expected[0]}` : `one of ${expected.join(', ')}`,
        actual: `${reply.status}`,
      },
      [...context, reply.exchange],
    );
  }

  /** Looks again until the observation satisfies, at most for the settling time; then returns the last one. */
  async eventually<T>(observe: () => Promise<T>, satisfied: (seen: T) => boolean): Promise<T> {
    const until = performance.now() + this.#judging.knowledge.settleMs;
    for (let wait = 50; ; wait = Math.min(wait * 2, 500)) {
      const seen = await observe();
      if (satisfied(seen) || performance.now() >= until) return seen;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** Answers so far that asked to slow down. */
  get throttled(): number {
    return this.#client.pace.throttled;
  }

  /** The path that the base address ends with. */
  get basePath(): string {
    return this.#client.address.basePath;
  }

  /** True while a reset that may have been a keep-alive race is being looked into. */
  get doubtsResets(): boolean {
    return this.#client.doubtsResets;
  }

  async #sendThrough(
    calls: readonly Call[],
    exchange: (requests: readonly ReturnType<typeof wireOf>[]) => Promise<readonly Exchange[]>,
  ): Promise<readonly Reply[]> {
    const bodies = calls.flatMap((call) => (call.operation === 'createPet' ? [{ call, body: call.body }] : []));
    const knowledge = this.#judging.knowledge;
    if (bodies.length > 0 && this.#options.readOnly) {
      throw new Inconclusive('read-only', '--read-only: nothing that could create an animal was sent', {
        byOption: true,
      });
    }
    for (const { body } of bodies) this.#recheck(body);
    const budgeted = bodies.filter(({ call, body }) => body.kind !== 'broken' && call.credential.right);
    let reserved = 0;
    try {
      for (let left = budgeted.length; left > 0; left -= 1) {
        if (!knowledge.ledger.reserve()) {
          const reason = `the budget of ${knowledge.ledger.budget} animals is used up; raise --max-creates`;
          throw new Inconclusive('budget', reason, { byOption: true });
        }
        reserved += 1;
      }
      for (const { body } of budgeted) {
        const { name } = tracesOf(body);
        if (name !== undefined) knowledge.beginCreation(name);
      }
      this.requests += calls.length;
      const exchanges = await exchange(calls.map(wireOf));
      const replies: Reply[] = [];
      // A loop: the stack of an error would keep the array that `map` was called on, with the whole bodies in it.
      for (const [at, done] of exchanges.entries()) replies.push(this.#judgeOne(calls[at], done));
      return replies;
    } catch (error) {
      if (error instanceof NotSent) throw new Inconclusive(error.code, error.message);
      throw error;
    } finally {
      for (; reserved > 0; reserved -= 1) knowledge.ledger.settle();
    }
  }

  #judgeOne(call: Call | undefined, exchange: Exchange): Reply {
    if (call === undefined) throw new HarnessFault('more exchanges than calls');
    const reply = new Reply(call, exchange, this.#judging.contract);
    const own = this.#judging.judge(reply, this.#check);
    this.#remember(reply);
    if (own !== undefined) throw new Broken(own.breach, own.proof, { call: reply.call });
    return reply;
  }

  #remember(reply: Reply): void {
    const { call, exchange } = reply;
    if (call.operation !== 'createPet') return;
    const { knowledge } = this.#judging;
    const { body, credential } = call;
    if (reply.status !== undefined && reply.status >= 200 && reply.status < 300) {
      const { id, name, categoryId, status } = reply.animals[0] ?? {};
      const whole = id !== undefined && name !== undefined && categoryId !== undefined;
      this.creations += 1;
      knowledge.addCreated(whole ? { id, name, categoryId, status, exchange } : undefined);
    }
    const traces = tracesOf(body);
    if (body.kind !== 'broken' && credential.right && traces.name !== undefined)
      knowledge.endCreation(traces.name, reply);
    if (reply.isRefusal && (body.kind !== 'sound' || !credential.right)) {
      knowledge.addRefused(traces, { exchange, because: credential.right ? 'body' : 'key' });
    }
  }

  /** Every body is read again as it will be sent; a contradiction is the suite's own fault. */
  #recheck(body: Body): void {
    if (body.kind === 'open') return;
    const reading = body.bytes === undefined ? undefined : parseJson(body.bytes, MEMBERS);
    const faults = reading?.kind === 'json' ? this.#judging.contract.validateRequest('createPet', reading) : undefined;
    const found = faults === undefined ? 'syntax' : faults.length > 0 ? 'schema' : 'none';
    const wanted = body.kind === 'sound' ? 'none' : body.fails;
    if (found !== wanted) {
      const text = body.bytes === undefined ? '(no body)' : new TextDecoder().decode(body.bytes).slice(0, 200);
      throw new HarnessFault(`the suite built "${body.label}" and finds ${found} in it instead of ${wanted}: ${text}`);
    }
  }

  #failedControl(reply: Reply, owner: string): Error {
    const see = ownerOfFailure(reply, owner);
    if (see === this.#check.requirement) {
      const breach = {
        code: 'status',
        message: `answers ${statusPhrase(reply)} to ${describe(reply.call)}`,
        expected: 'success',
        actual: statusPhrase(reply),
      };
      return new Broken(breach, [reply.exchange]);
    }
    const reason = `the control failed (${describe(reply.call)} was answered ${statusPhrase(reply)}): see ${see}`;
    return new Inconclusive('control-failed', reason, { see });
  }
}

/** How an animal that is made of a body could be told. */
function tracesOf(body: Body): Traces {
  if (body.kind === 'broken') return body.traces;
  return body.pet.name === undefined ? {} : { name: body.pet.name };
}

/** The requirement that a success which did not come about belongs to. */
function ownerOfFailure(reply: Reply, owner: string): string {
  const { status, response } = reply;
  if (status === undefined) return 'SERV-5';
  if (status >= 500) return 'SERV-4';
  if (status === 401 && reply.call.credential.right) return 'AUTH-1';
  if (status < 300 && response !== undefined && reply.reading.kind !== 'json') return 'SERV-3';
  return owner;
}
