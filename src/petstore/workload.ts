import type { CheckClient } from '../engine/check-client.ts';
import { mix } from '../engine/mix.ts';
import { InconclusiveError } from '../engine/outcome-errors.ts';
import type { Workload } from '../engine/soak.ts';

import { createPet, getPet, listPets, type PetCall } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { LIMIT, PET_STATUSES } from './contract-facts.ts';
import { validBody } from './inputs/body.ts';
import { type KeyCredential, rightKey } from './inputs/credentials.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import type { PetReply } from './reply.ts';
import { NO_LONGER_NEW_MS } from './rules/animals.ts';

interface WorkloadParts {
  readonly client: CheckClient<PetReply, CollectionModel>;
  readonly model: CollectionModel;
  readonly token: string;
  readonly naming: Naming;
  readonly seed: number;
}

/** Of a hundred requests, so many add an animal (while the budget lasts) and so many list; the others get one. */
const CREATIONS = 15;
const LISTS = 45;
const LIMITS = [undefined, LIMIT.minimum, LIMIT.default, LIMIT.maximum / 2, LIMIT.maximum] as const;
const FILTERS = [undefined, ...PET_STATUSES] as const;
/** Most animals that are fetched in turn. */
const FETCHED = 1_000;

/** The requests of a soak: all three operations, each of which must succeed. */
export class SoakWorkload implements Workload {
  readonly #parts: WorkloadParts;
  readonly #key: KeyCredential;
  readonly #budget: number;
  /** Of animals to fetch. */
  readonly #ids: bigint[];
  readonly #created: bigint[] = [];
  readonly #given: Set<bigint>;
  readonly #closed = new Set<string>();
  #drawn = 0;
  #begun = 0;
  #doubled = 0;

  constructor(parts: WorkloadParts) {
    const { client, model, token } = parts;
    this.#parts = parts;
    this.#key = rightKey(token);
    this.#budget = client.readOnly ? 0 : client.budget.left;
    const known = model.created.map(({ id }) => id);
    this.#ids = known.slice(0, FETCHED);
    this.#given = new Set(known);
    if (this.#budget === 0) this.close('createPet');
  }

  close(operation: string): void {
    this.#closed.add(operation);
  }

  next(share: number) {
    this.#drawn += 1;
    const operation = this.#choose(this.#draw(100), share);
    return operation === undefined ? undefined : { operation, send: this.#sending(operation) };
  }

  #draw(bound: number, what = ''): number {
    return mix(this.#parts.seed, this.#drawn, what) % bound;
  }

  /** The budget is spread over the whole time, so that animals are added to the end. */
  #choose(drawn: number, share: number): PetCall['operation'] | undefined {
    const canCreate = !this.#closed.has('createPet') && this.#begun < Math.ceil(this.#budget * share);
    const canGet = !this.#closed.has('getPet') && this.#ids.length > 0;
    if (drawn < CREATIONS && canCreate) return 'createPet';
    if (!this.#closed.has('listPets') && (drawn < CREATIONS + LISTS || !canGet)) return 'listPets';
    if (canGet) return 'getPet';
    return canCreate ? 'createPet' : undefined;
  }

  #sending(operation: PetCall['operation']): () => Promise<PetReply> {
    const { client, naming, model } = this.#parts;
    const oneOf = <T>(values: readonly T[], what: string): T | undefined => values[this.#draw(values.length, what)];
    const sending = (call: PetCall, learn: (reply: PetReply) => void) => async () => {
      const reply = await client.send(call);
      learn(reply);
      return reply;
    };
    switch (operation) {
      case 'createPet': {
        this.#begun += 1;
        const pet = plainPet(naming, `${this.#begun}`, oneOf(PET_STATUSES, 'status'));
        return sending(createPet(validBody(pet), this.#key), ({ animals }) => this.#noteCreated(animals[0]?.id));
      }
      case 'listPets': {
        const query = { limit: oneOf(LIMITS, 'limit'), status: oneOf(FILTERS, 'filter') };
        return sending(listPets(query, this.#key), ({ animals }) => {
          if (this.#ids.length === 0) this.#ids.push(...animals.flatMap(({ id }) => id ?? []).slice(0, 1));
        });
      }
      case 'getPet':
        return sending(getPet(oneOf(this.#ids, 'id') ?? 0n, this.#key), (reply) => {
          if (model.getPetMayBeGone && isGone(reply)) this.close('getPet');
        });
    }
  }

  #noteCreated(id: bigint | undefined): void {
    if (id === undefined) return;
    if (this.#given.has(id)) this.#doubled += 1;
    this.#given.add(id);
    this.#created.push(id);
    if (this.#ids.length < FETCHED) this.#ids.push(id);
  }

  /** Fetches every animal that was created; one that is not found is asked for once more when it is no longer new. */
  async verify(concurrency: number, deadline: AbortSignal) {
    const creations = this.#created.length;
    const doubled = this.#doubled;
    if (this.#closed.has('getPet')) return { creations, doubled, lost: 0, unverified: creations };
    const endedAt = performance.now();
    const first = await this.#lookFor(this.#created, concurrency);
    const wait = NO_LONGER_NEW_MS - (performance.now() - endedAt);
    if (first.missing.length > 0 && wait > 0 && !deadline.aborted) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    const second = await this.#lookFor(first.missing, concurrency);
    return { creations, doubled, lost: second.missing.length, unverified: first.unverified + second.unverified };
  }

  async #lookFor(ids: readonly bigint[], concurrency: number) {
    const { client, model } = this.#parts;
    const missing: bigint[] = [];
    let unverified = 0;
    const queue = ids.values();
    const work = async (): Promise<void> => {
      for (const id of queue) {
        try {
          const reply = await client.send(getPet(id, this.#key));
          if (isGone(reply) && !model.getPetMayBeGone) missing.push(id);
          else if (reply.animals.length === 0) unverified += 1;
        } catch (error) {
          if (!(error instanceof InconclusiveError)) throw error;
          unverified += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return { missing, unverified };
  }
}

const isGone = ({ status }: PetReply): boolean => status === 404 || status === 410;
