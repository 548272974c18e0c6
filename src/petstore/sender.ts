import type { CheckClient } from '../engine/check-client.ts';
import type { SameMoment } from '../http/pacing/same-moment.ts';
import { listPets, type PetCall } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { LIMIT } from './contract-facts.ts';
import { type KeyCredential, NO_KEY, oneInventedKey } from './inputs/credentials.ts';
import type { PetReply } from './reply.ts';
import type { Connection } from './space/circumstances.ts';

/** Most requests that are sent at one moment, or on one connection after what was sent there first. */
const MOST_IN_GROUP = 8;

interface Waiting {
  readonly call: PetCall;
  readonly settle: (result: PromiseSettledResult<PetReply>) => void;
}

const USED = ['on a connection used by a good key', 'on a connection used by a refusal'] as const;

/** What is sent on one connection, one after the other. */
interface Sequence {
  /** A call that nobody waits for, as it makes the connection what the others need. */
  readonly before?: PetCall;
  readonly waiting: readonly Waiting[];
}

const ignore = (): void => undefined;

const connectionOf = ({ form }: PetCall): Connection => form.connection ?? 'on any connection';
const isAtOneMoment = ({ call }: Waiting): boolean => call.form.concurrency === 'at the same moment as seven others';
/** Whether a request with it makes a connection one that was used by a good key, or by a refusal. */
const leavesUsed = ({ valid, isOpen, otherRefusals }: KeyCredential, byGoodKey: boolean): boolean =>
  valid === byGoodKey && isOpen !== true && otherRefusals === undefined;

/** Sends the calls of a check, each under its circumstances. */
export class Sender {
  readonly #client: CheckClient<PetReply, CollectionModel>;
  readonly #key: KeyCredential;
  readonly #refused: readonly KeyCredential[];
  readonly #gathered: Waiting[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #turn: Promise<unknown> = Promise.resolve();
  #refusals = 0;

  constructor(client: CheckClient<PetReply, CollectionModel>, key: KeyCredential, token: string) {
    this.#client = client;
    this.#key = key;
    this.#refused = [NO_KEY, oneInventedKey(token)];
  }

  /** Calls that are sent in the same turn of the event loop share moments and connections. */
  async send(call: PetCall): Promise<PetReply> {
    // The same body twice would be two animals.
    if (call.form.times === 2 && call.effect !== 'may create') await this.#sendOnce(call);
    return this.#sendOnce(call);
  }

  #sendOnce(call: PetCall): Promise<PetReply> {
    const { concurrency = 'among others' } = call.form;
    if (concurrency === 'alone') return this.#inTurn(call);
    const isPlain = connectionOf(call) === 'on any connection' && concurrency === 'among others';
    const sent = isPlain ? this.#client.send(call) : this.#inGroup(call);
    const ended: Promise<unknown> = sent.then(ignore, ignore).then(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
    return sent;
  }

  /** When nothing else of the check is under way, one after the other. */
  #inTurn(call: PetCall): Promise<PetReply> {
    const sent = this.#turn.then(() => Promise.all(this.#underWay)).then(() => this.#alone(call));
    this.#turn = sent.then(ignore, ignore);
    return sent;
  }

  #alone(call: PetCall): Promise<PetReply> {
    if (connectionOf(call) === 'on any connection') return this.#client.send(call);
    return this.#settled(call, (waiting) => this.#sendInSequence(this.#startedFor([waiting])));
  }

  #inGroup(call: PetCall): Promise<PetReply> {
    return this.#settled(call, (waiting) => {
      if (this.#gathered.length === 0) queueMicrotask(() => this.#sendGathered());
      this.#gathered.push(waiting);
    });
  }

  async #settled(call: PetCall, send: (waiting: Waiting) => void): Promise<PetReply> {
    const result = await new Promise<PromiseSettledResult<PetReply>>((settle) => send({ call, settle }));
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  #sendGathered(): void {
    const gathered = this.#gathered.splice(0);
    const of = (connection: Connection): readonly Waiting[] =>
      gathered.filter(({ call }) => connectionOf(call) === connection);
    for (const group of inGroups(of('on any connection'))) void this.#sendAtOneMoment(group);
    // What is on a new connection by itself makes it one that was used, and saves a request that would.
    const newcomers = [...of('on a new connection')];
    const used = USED.flatMap((connection) =>
      dealt(of(connection)).map((followers) => this.#startedFor(followers, newcomers)),
    );
    const sequences = [...used, ...newcomers.map((waiting) => ({ waiting: [waiting] }))];
    const meets = ({ waiting }: Sequence): boolean => waiting.some(isAtOneMoment);
    for (const sequence of sequences) if (!meets(sequence)) void this.#sendInSequence(sequence);
    for (const group of inGroups(sequences.filter(meets))) {
      const moment = this.#client.http.momentFor(group.length);
      for (const sequence of group) void this.#sendInSequence(sequence, moment);
    }
  }

  /**
   * @param followers all on a connection of one kind
   * @param newcomers those on a new connection; one that makes it what the followers need is taken out
   */
  #startedFor(followers: readonly Waiting[], newcomers: Waiting[] = []): Sequence {
    const connection = followers[0]?.call.form.connection;
    if (connection === 'on a new connection') return { waiting: followers };
    const isGood = connection === 'on a connection used by a good key';
    const meets = followers.some(isAtOneMoment);
    const at = newcomers.findIndex(
      (newcomer) => leavesUsed(newcomer.call.credential, isGood) && !(meets && isAtOneMoment(newcomer)),
    );
    if (at >= 0) return { waiting: [...newcomers.splice(at, 1), ...followers] };
    return { before: listPets({ limit: LIMIT.minimum }, isGood ? this.#key : this.#nextRefused()), waiting: followers };
  }

  #nextRefused(): KeyCredential {
    this.#refusals += 1;
    return this.#refused[this.#refusals % this.#refused.length] ?? NO_KEY;
  }

  async #sendAtOneMoment(group: readonly Waiting[]): Promise<void> {
    await settleEach(group, () =>
      this.#client.sendEach(
        group.map(({ call }) => call),
        'at one moment',
      ),
    );
  }

  async #sendInSequence({ before, waiting }: Sequence, moment?: SameMoment): Promise<void> {
    const calls = [...(before === undefined ? [] : [before]), ...waiting.map(({ call }) => call)];
    await settleEach(waiting, async () => {
      const meeting = moment && { at: calls.length - waiting.length + waiting.findIndex(isAtOneMoment), moment };
      const results = await this.#client.sendEach(calls, 'on one connection', meeting);
      return results.slice(before === undefined ? 0 : 1);
    });
  }
}

/** Every one of a group learns what became of it. */
async function settleEach(
  group: readonly Waiting[],
  send: () => Promise<readonly PromiseSettledResult<PetReply>[]>,
): Promise<void> {
  const failed = (reason: unknown) => ({ status: 'rejected', reason }) as const;
  try {
    const results = await send();
    for (const [at, { settle }] of group.entries()) settle(results[at] ?? failed(new Error('no reply came')));
  } catch (error) {
    for (const { settle } of group) settle(failed(error));
  }
}

/** Those on used connections of one kind, by connection: on each, one that is for a moment comes first. */
function dealt(followers: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const meeting = followers.filter(isAtOneMoment);
  const others = followers.filter((waiting) => !isAtOneMoment(waiting));
  const count = Math.max(meeting.length, Math.ceil(others.length / MOST_IN_GROUP));
  return Array.from({ length: count }, (_, nth) => [
    ...meeting.slice(nth, nth + 1),
    ...others.filter((_other, at) => at % count === nth),
  ]);
}

function inGroups<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / MOST_IN_GROUP);
  return Array.from({ length: count }, (_, at) => items.slice(at * MOST_IN_GROUP, (at + 1) * MOST_IN_GROUP));
}
