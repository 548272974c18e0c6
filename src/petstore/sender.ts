import type { CheckClient } from '../engine/check-client.ts';
import { listPets, type PetCall } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { LIMIT } from './contract-facts.ts';
import { type KeyCredential, NO_KEY, oneInventedKey } from './inputs/credentials.ts';
import type { PetReply } from './reply.ts';
import type { Circumstances } from './space/circumstances.ts';

/** Most requests that are sent at one moment, or on one connection after what was sent there first. */
const MOST_IN_GROUP = 8;

type Grouped = Extract<Circumstances, `at ${string}` | `on a connection ${string}`>;

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
  readonly #groups = new Map<Grouped, Waiting[]>();
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
    const { circumstances = 'among others' } = call.form;
    if (circumstances === 'alone') return this.#inTurn(call);
    const sent = this.#sendBesideOthers(call, circumstances);
    const ended: Promise<unknown> = sent.then(ignore, ignore).then(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
    return sent;
  }

  async #sendBesideOthers(call: PetCall, circumstances: Exclude<Circumstances, 'alone'>): Promise<PetReply> {
    switch (circumstances) {
      case 'among others':
        return this.#client.send(call);
      case 'on a new connection': {
        const [reply] = await this.#client.sendOnOneConnection([call]);
        if (reply === undefined) throw new Error('a request was sent and no reply came of it');
        return reply;
      }
      default:
        return this.#inGroup(circumstances, call);
    }
  }

  /** When nothing else of the check is under way, one after the other. */
  #inTurn(call: PetCall): Promise<PetReply> {
    const sent = this.#turn.then(() => Promise.all(this.#underWay)).then(() => this.#client.send(call));
    this.#turn = sent.then(ignore, ignore);
    return sent;
  }

  async #inGroup(circumstances: Grouped, call: PetCall): Promise<PetReply> {
    const result = await new Promise<PromiseSettledResult<PetReply>>((settle) => {
      const group = this.#groups.get(circumstances) ?? [];
      if (group.length === 0) queueMicrotask(() => this.#sendGroup(circumstances, group));
      group.push({ call, settle });
      this.#groups.set(circumstances, group);
    });
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  #sendGroup(circumstances: Grouped, group: readonly Waiting[]): void {
    this.#groups.delete(circumstances);
    for (let at = 0; at < group.length; at += MOST_IN_GROUP) {
      void this.#sendTogether(circumstances, group.slice(at, at + MOST_IN_GROUP));
    }
  }

  /** Every one of the group learns what became of it. */
  async #sendTogether(circumstances: Grouped, group: readonly Waiting[]): Promise<void> {
    const first = this.#before(circumstances);
    const calls = [...first, ...group.map(({ call }) => call)];
    const how = first.length === 0 ? 'at one moment' : 'on one connection';
    const failed = (reason: unknown) => ({ status: 'rejected', reason }) as const;
    try {
      const results = (await this.#client.sendEach(calls, how)).slice(first.length);
      for (const [at, { settle }] of group.entries()) settle(results[at] ?? failed(new Error('no reply came')));
    } catch (error) {
      for (const { settle } of group) settle(failed(error));
    }
  }

  /** What is sent on a connection first. */
  #before(circumstances: Grouped): readonly PetCall[] {
    const listed = (credential: KeyCredential): PetCall => listPets({ limit: LIMIT.minimum }, credential);
    if (circumstances === 'on a connection used by a good key') return [listed(this.#key)];
    if (circumstances !== 'on a connection used by a refusal') return [];
    this.#refusals += 1;
    return [listed(this.#refused[this.#refusals % this.#refused.length] ?? NO_KEY)];
  }
}
