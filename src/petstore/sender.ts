import type { CheckClient } from '../engine/check-client.ts';
import type { SameMoment } from '../http/pacing/same-moment.ts';
import { listPets, type PetCall } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { LIMIT } from './contract-facts.ts';
import { type KeyCredential, NO_KEY } from './inputs/credential.ts';
import { MOST_CREDENTIAL_BYTES, oneInventedKey, sizeOf } from './inputs/credentials.ts';
import type { PetReply } from './reply.ts';
import type { Connection } from './space/circumstances.ts';

/** At most this many requests are sent at one moment. */
const MOST_AT_ONE_MOMENT = 8;

interface Waiting {
  readonly call: PetCall;
  readonly settle: (result: PromiseSettledResult<PetReply>) => void;
}

const ignore = (): void => undefined;

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
    // On a connection that was used, the second time follows the first there.
    if (isSentTwice(call) && !isOnAUsedConnection(call)) await this.#sendOnce(call);
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

  /** When nothing else of the check is in flight, one after the other. */
  #inTurn(call: PetCall): Promise<PetReply> {
    const sent = this.#turn.then(() => Promise.all(this.#underWay)).then(() => this.#alone(call));
    this.#turn = sent.then(ignore, ignore);
    return sent;
  }

  #alone(call: PetCall): Promise<PetReply> {
    if (connectionOf(call) === 'on any connection') return this.#client.send(call);
    return this.#settled(call, (waiting) => {
      for (const sequence of sequencesOf([waiting], this.#opening)) void this.#sendInSequence(sequence);
    });
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
    const onAny = gathered.filter(({ call }) => connectionOf(call) === 'on any connection');
    for (const group of inGroups(onAny)) void this.#sendAtOneMoment(group);
    const sequences = sequencesOf(gathered, this.#opening);
    const meets = ({ members }: Sequence<Waiting>): boolean => members.some(isForAMoment);
    for (const sequence of sequences) if (!meets(sequence)) void this.#sendInSequence(sequence);
    for (const group of inGroups(sequences.filter(meets))) {
      const moment = this.#client.http.momentFor(group.length);
      for (const sequence of group) void this.#sendInSequence(sequence, moment);
    }
  }

  readonly #opening = (byGoodKey: boolean): PetCall => {
    if (byGoodKey) return listPets({ limit: LIMIT.minimum }, this.#key);
    this.#refusals += 1;
    return listPets({ limit: LIMIT.minimum }, this.#refused[this.#refusals % this.#refused.length] ?? NO_KEY);
  };

  async #sendAtOneMoment(group: readonly Waiting[]): Promise<void> {
    await settleEach(group, () =>
      this.#client.sendEach(
        group.map(({ call }) => call),
        'at one moment',
      ),
    );
  }

  async #sendInSequence({ before, members }: Sequence<Waiting>, moment?: SameMoment): Promise<void> {
    const opening = before === undefined ? [] : [{ call: before }];
    const followers = members.flatMap((one) =>
      isOnAUsedConnection(one.call) && isSentTwice(one.call) ? [one, one] : [one],
    );
    const inTurn = [...opening, ...followers];
    const meeting = moment && { at: inTurn.findIndex(isForAMoment), moment };
    await settleEach(members, async () => {
      const calls = inTurn.map(({ call }) => call);
      const results = (await this.#client.sendEach(calls, 'on one connection', meeting)).slice(opening.length);
      return members.map((member) => endOf(results.filter((_, at) => followers[at] === member)));
    });
  }
}

/** What became of a call that was sent once or more: the first failure, or else the last reply. */
const endOf = <T>(results: readonly PromiseSettledResult<T>[]): PromiseSettledResult<T> | undefined =>
  results.find(({ status }) => status === 'rejected') ?? results.at(-1);

/** Every one of a group learns what became of it. */
async function settleEach(
  group: readonly Waiting[],
  send: () => Promise<readonly (PromiseSettledResult<PetReply> | undefined)[]>,
): Promise<void> {
  const failed = (reason: unknown) => ({ status: 'rejected', reason }) as const;
  try {
    const results = await send();
    for (const [at, { settle }] of group.entries()) settle(results[at] ?? failed(new Error('no reply came')));
  } catch (error) {
    for (const { settle } of group) settle(failed(error));
  }
}

function inGroups<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / MOST_AT_ONE_MOMENT);
  return Array.from({ length: count }, (_, at) => items.slice(at * MOST_AT_ONE_MOMENT, (at + 1) * MOST_AT_ONE_MOMENT));
}

/** About how many requests are sent on a reused connection: with more, what waits for them waits for long. */
const MOST_IN_SEQUENCE = 3;

const USED = ['on a connection used by a good key', 'on a connection used by a refusal'] as const;

/** Something that is made of a call. */
interface Of {
  readonly call: PetCall;
}

/** What is sent on one connection, one after the other. */
export interface Sequence<T extends Of> {
  /** A call that nobody waits for, as it makes the connection what the others need. */
  readonly before?: PetCall;
  readonly members: readonly T[];
}

const connectionOf = ({ form }: PetCall): Connection => form.connection ?? 'on any connection';

const isOnAUsedConnection = (call: PetCall): boolean => USED.some((used) => used === connectionOf(call));

/** Whether a call is sent again as soon as it was answered: the same body twice would be two animals. */
const isSentTwice = ({ form, effect }: PetCall): boolean => form.times === 2 && effect !== 'may create';

const isForAMoment = ({ call }: Of): boolean => call.form.concurrency === 'at the same moment as seven others';

/**
 * Deals calls that ask for a certain connection out to as few as serve them all. What is on a new connection by itself
 * makes it one that was used, and saves a call that would. None has two calls that are for a moment.
 *
 * @param opening a call by which a connection becomes one that was used by a good key, or by a refusal
 */
function sequencesOf<T extends Of>(
  all: readonly T[],
  opening: (byGoodKey: boolean) => PetCall,
): readonly Sequence<T>[] {
  const on = (connection: Connection): readonly T[] => all.filter(({ call }) => connectionOf(call) === connection);
  const newcomers = [...on('on a new connection')];
  const used = USED.flatMap((connection) => {
    const byGoodKey = connection === 'on a connection used by a good key';
    return dealt(on(connection)).map((followers): Sequence<T> => {
      const meets = followers.some(isForAMoment);
      // One that is sent twice would wait for the others before its second time.
      const at = newcomers.findIndex(
        ({ call }) =>
          leavesUsed(call.credential, byGoodKey) && !isSentTwice(call) && !(meets && isForAMoment({ call })),
      );
      if (at >= 0) return { members: [...newcomers.splice(at, 1), ...followers] };
      return { before: opening(byGoodKey), members: followers };
    });
  });
  return [...used, ...newcomers.map((newcomer) => ({ members: [newcomer] }))];
}

/** Those on used connections of one kind, by connection: on each, one that is for a moment comes first. */
function dealt<T extends Of>(followers: readonly T[]): readonly (readonly T[])[] {
  const meeting = followers.filter(isForAMoment);
  const others = followers.filter((follower) => !isForAMoment(follower));
  const twice = others.filter(({ call }) => isSentTwice(call));
  const once = others.filter(({ call }) => !isSentTwice(call));
  const requests = 2 * twice.length + once.length;
  const count = Math.max(meeting.length, Math.ceil(requests / MOST_IN_SEQUENCE));
  // Where some sequences have one more that is sent twice, they are the first: the others fill up from the end.
  return Array.from({ length: count }, (_, nth) => [
    ...meeting.slice(nth, nth + 1),
    ...twice.filter((_other, at) => at % count === nth),
    ...once.filter((_other, at) => at % count === count - 1 - nth),
  ]);
}

/**
 * Whether a request with a credential makes its connection one that was used by a good key, or by a refusal of the key: a
 * parameter that is not known may be refused for itself, and what is too long by what stands before the service.
 */
const leavesUsed = (credential: KeyCredential, byGoodKey: boolean): boolean =>
  credential.valid === byGoodKey &&
  credential.isOpen !== true &&
  credential.query === undefined &&
  sizeOf(credential) < MOST_CREDENTIAL_BYTES;
