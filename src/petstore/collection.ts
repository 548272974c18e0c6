import type { Stage } from '../engine/check.ts';
import { mix } from '../engine/mix.ts';
import { InconclusiveError, ViolationError } from '../engine/outcome-errors.ts';
import { LINGER_MS } from '../engine/plan.ts';
import type { ServiceRunParts } from '../engine/service.ts';
import { quote } from '../engine/violation.ts';
import type { RememberedEntry } from '../report/model/remembered.ts';
import type { Profile } from '../report/model/result.ts';
import { Api } from './api.ts';
import { createPet, getPet, type ListQuery, listPets, type RequestForm } from './calls.ts';
import { ofMostTraits, spreadOver } from './choice-of-animals.ts';
import type { CollectionModel, Listed } from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { firstLook, firstQueries } from './first-look.ts';
import { type NewPet, validBody } from './inputs/body.ts';
import { type Filler, fillerOf, fillers } from './inputs/fillers.ts';
import { inTurn } from './inputs/in-turn.ts';
import { NAME_TAG, type Naming, plainPet, tagOf } from './inputs/new-pets.ts';
import { type Disagreement, othersAsListed, othersListed } from './others.ts';
import { NOTHING_RECALLED, recall, toRemember } from './recall.ts';
import type { Created, PetReply } from './reply.ts';
import { isAsItWas } from './rules/remembered.ts';
import { FORMS_OF_A_POST } from './space/request-forms.ts';
import { once, onceForEach, sideBySide } from './together.ts';
import { unlessInconclusive, whereWritable } from './unless-inconclusive.ts';

/** Beyond the largest page, so that a page of the largest limit is a real bound. */
const MORE_THAN_A_PAGE = LIMIT.maximum + 1;

/** At least this many animals are added for their own sake while the checks run side by side. */
const ADDED_ANYWAY: Readonly<Record<Profile, number>> = { smoke: 4, standard: 4, thorough: 12 };

/** The share of the age at which the run looks at its animals again, when it first does so. */
const FIRST_LOOK_AGAIN = 1 / 4;
/** How many animals are fetched then. */
const LOOKED_AT_AGAIN = 20;

/** Those that an animal is added with, or without. */
const EVERY_STATUS = [undefined, ...PET_STATUSES];

/** How many animals of others are fetched as they are listed, and their ids requested in every form. */
const MOST_OF_OTHERS = { fetched: 6, asked: 12 };

/** When the animals of others are looked at: before the run adds many of its own, and when it adds no more. */
export type TimeOfRun = 'at first' | 'at last';

/** An animal that several checks look at, its 201, and what it was made of. */
export interface SharedAnimal extends Created {
  readonly pet: NewPet;
  readonly reply: PetReply;
}

/** How many animals there are, and how many of them the run has added. */
interface Count {
  readonly all: number;
  readonly own: number;
}

/**
 * The animals of the service, as one run finds and adds them for all of its checks: an animal to get, one of each status,
 * and more than a page
 * holds. Each is provided once, when a check first
 * needs it, on behalf of no check: what goes wrong there is for the checks that own it to say.
 */
export class Collection {
  /** What the run knows of it so far. */
  readonly model: CollectionModel;
  /** Of the two statuses that few services give by default, the one of which there is more than a page in the end. */
  readonly commonStatus: PetStatus;
  /** The other one, for animals that may have any status. */
  readonly rarerStatus: PetStatus;
  readonly #parts: ServiceRunParts<PetReply, CollectionModel>;
  readonly #categories: readonly bigint[];
  readonly #api: Api;
  /** What the names of this run's animals begin with. */
  #tag: string;
  #first: bigint | undefined;
  #firstAnimals: readonly Created[] | undefined;
  #counted: Count | undefined;
  /** Whether what was sent last went out one request after the other. */
  #wasOneAtATime = false;
  readonly #withStatus = new Map<PetStatus | undefined, Promise<SharedAnimal>>();
  /** Animals of others that were fetched as listed. */
  readonly #asked = new Set<bigint>();
  readonly #lengths: Promise<number>[] = [];
  #grown = 0;
  #recall = NOTHING_RECALLED;

  /** @param categories known ones; empty where any will do */
  constructor(parts: ServiceRunParts<PetReply, CollectionModel>, categories: readonly bigint[]) {
    const { seed, token, replay, runId } = parts.plan;
    this.#parts = parts;
    this.#categories = categories;
    this.#api = new Api(parts.client, parts.state, token);
    this.#tag = tagOf(seed, replay === undefined ? '' : runId);
    this.model = parts.state;
    const [one = 'available', other = one] = PET_STATUSES.filter((status) => status !== 'available');
    const isOne = mix(seed, 'status of fillers') % 2 === 0;
    this.commonStatus = isOne ? one : other;
    this.rarerStatus = isOne ? other : one;
  }

  get seed(): number {
    return this.#parts.plan.seed;
  }

  /** How animals are named for a purpose, such as a check. */
  namingFor(purpose: string): Naming {
    return { tag: `${NAME_TAG} ${this.#tag} ${purpose}`, categories: this.#categories };
  }

  #plain(label: string, status?: PetStatus): NewPet {
    return plainPet(this.namingFor('shared'), label, status);
  }

  /** Provides what holds in a stage, before the first of its checks. */
  async prepare(stage: Stage): Promise<void> {
    if (this.#parts.plan.replay !== undefined) return;
    if (stage === 'initial') {
      // What kept a request from being sent, the checks say.
      await this.recalled().catch(unlessInconclusive);
      await this.look(firstQueries(this.seed));
    } else await this.addFirst();
    if (stage !== 'initial' && stage !== 'first entries') this.#firstAnimals ??= this.model.created;
    if (stage === 'few entries') this.#wasOneAtATime = true;
    if (stage === 'growing') await this.#count();
    if (stage === 'full') this.#countAdded();
  }

  /** What became of what an earlier run has added: asked before this one adds anything. */
  readonly recalled = once(async () => {
    this.#recall = await recall(this.#api, this.#parts.plan.remembered ?? []);
    this.model.recalled.push(...this.#recall.all.filter(isAsItWas).map(({ entry }) => BigInt(entry.id)));
    return this.#recall;
  });

  /** What a later run is to look at. */
  get toRemember(): readonly RememberedEntry[] {
    return toRemember(this.model.created, this.#recall);
  }

  /** Looks at the pages of these queries, as they are before anything is added. */
  async look(queries: readonly ListQuery[], fitting?: () => readonly ListQuery[]): Promise<void> {
    await firstLook(this.#api, this.model, queries, fitting).catch(unlessInconclusive);
  }

  /** Adds `count` plain animals on behalf of a client; the rules judge each. */
  async grow(client: ServiceRunParts<PetReply, CollectionModel>['client'], count: number): Promise<void> {
    const addOne = async (): Promise<void> => {
      this.#grown += 1;
      const status = PET_STATUSES[this.#grown % PET_STATUSES.length];
      const pet = plainPet(this.namingFor('grown'), `${this.#grown}`, status);
      await client.send(createPet(validBody(pet), this.#api.key));
    };
    await Promise.all(Array.from({ length: count }, addOne));
  }

  /**
   * Resolves when the first animal of the run was added, before any other. Its id goes into the names of all that
   * follow: two runs with one seed against one service can then distinguish their animals, and against a service in the
   * same state they still send the same requests. It is also the animal that checks share: created while nothing else
   * is in flight, its id is the same in both runs.
   */
  readonly addFirst = once(async () => {
    const { seed, replay, readOnly } = this.#parts.plan;
    if (replay !== undefined || readOnly) return;
    try {
      const { id } = await this.#api.create(plainPet(this.namingFor('first'), ''));
      this.#tag = tagOf(seed, `${id}`);
      // The first animal of another run with this seed has the same name; all that follow do not.
      this.model.runTag = `${NAME_TAG} ${this.#tag} `;
      this.#first = id;
    } catch (error) {
      // What went wrong belongs to a requirement, and its checks will say so.
      if (!(error instanceof ViolationError || error instanceof InconclusiveError)) throw error;
    }
  });

  /** The id of an animal that exists: one of the run's own, or one from the list where nothing may be created. */
  readonly anAnimal = once(async (): Promise<bigint> => {
    if (this.#first !== undefined) return this.#first;
    if (!this.#parts.client.readOnly) return (await this.#api.create(this.#plain('shared'))).id;
    const { animals } = await this.#api.list();
    const id = animals.find((animal) => animal.id !== undefined)?.id;
    if (id === undefined) throw readOnly('the list is empty');
    return id;
  });

  /** The id of an animal that exists and was found: the positive control of ids that are not. */
  readonly aFoundAnimal = once(async () => {
    const id = await this.anAnimal();
    await this.#api.get(id);
    return id;
  });

  /** The run's first animal is there, and one with the status, if one is asked for; where it can be, no other. */
  async firstAnimal(status?: PetStatus): Promise<void> {
    await this.addFirst();
    await this.anAnimal();
    if (status === undefined) return;
    await this.listBeforeAdding(status);
    if (this.model.matching(status).length === 0) await this.anAnimalWith(status);
  }

  /** Where the run has no animal with a status yet: an empty page beside animals that do not match is as empty as any. */
  readonly listBeforeAdding = onceForEach(async (status: PetStatus) => {
    if (this.model.matching(status).length === 0) await this.#api.list({ status });
  });

  /** A plain animal of the run's own that was added with this status, or without one: one for all who ask. */
  anAnimalWith(status?: PetStatus): Promise<SharedAnimal> {
    const known = this.#withStatus.get(status) ?? this.#add(status);
    this.#withStatus.set(status, known);
    return known;
  }

  async #add(status: PetStatus | undefined): Promise<SharedAnimal> {
    const pet = this.#plain(`with ${status ?? 'no status'}`, status);
    const body = status === undefined ? validBody(pet, 'STATE-1', 'a body without a status') : validBody(pet);
    return { ...(await this.#api.create(body)), pet };
  }

  /** An animal of each status is there, and one that was added without any; where nothing may be added, none need be. */
  oneOfEachStatus(): Promise<void> {
    return whereWritable(() => sideBySide(...EVERY_STATUS.map((status) => this.anAnimalWith(status))));
  }

  /** Adds an animal, unless one was since the last refusal: an id that was given to what was refused is below its own. */
  readonly addAfterRefusals = once(async () => {
    if (!this.model.hasAddedSinceRefusals) await this.#api.create(this.#plain('after refusals', 'sold'));
  });

  /** Resolves when more animals are known to exist than the largest page holds: most of them are the checks' own. */
  readonly moreThanAPage = once(() => this.#outgrows(MORE_THAN_A_PAGE));

  /** Resolves when enough animals exist to outgrow a page with those that the checks add. */
  readonly nearlyAPage = once(() => this.#outgrows(MORE_THAN_A_PAGE - ADDED_ANYWAY[this.#parts.plan.profile]));

  async #outgrows(count: number): Promise<void> {
    if (!this.#parts.client.readOnly) return this.#addMissing(count);
    const { length } = await this.#api.longestPage();
    if (length < LIMIT.maximum) {
      throw readOnly(`the list shows ${length} animals, too few to judge the bounds of a page`);
    }
  }

  async #addMissing(wanted: number): Promise<void> {
    const adding = PET_STATUSES.filter((status) => !this.#withStatus.has(status));
    const counted = this.#counted ?? this.#countOf((await this.#api.longestPage()).length);
    const known = counted.all + adding.length;
    // The run whose failure is replayed has left what it added; a full page shows that it is still there.
    if (this.#parts.plan.replay !== undefined && known >= LIMIT.maximum) return;
    const missing = Math.max(0, wanted - known);
    const { left, isChosen } = this.#parts.client.budget;
    if (missing > left) {
      const reason = `the collection shows ${known} animals and the budget leaves ${left}; ${missing} more are needed: raise --max-creates`;
      throw new InconclusiveError('budget', reason, { byOption: isChosen });
    }
    const pets = Array.from({ length: missing }, (_, at) => this.#plain(`page ${at}`, this.commonStatus));
    const unusual = fillers(this.#parts.plan.seed, this.#parts.plan.profile !== 'smoke');
    await sideBySide(
      ...adding.map((status) => this.anAnimalWith(status)),
      ...inTurn(inTurn(pets, unusual), FORMS_OF_A_POST).map(([[pet, filler], form]) => this.#fill(pet, filler, form)),
    );
  }

  /** Adds an animal for its number, with something unusual about it; however that is read, an animal is added. */
  async #fill(plain: NewPet, filler: Filler, form: RequestForm): Promise<void> {
    const pet = fillerOf(filler, plain, this.namingFor('shared'));
    const named = `the name ${quote(pet.name)} (${filler.kind})`;
    const placed = `the categoryId ${pet.categoryId}`;
    const { name, categoryId } = pet;
    const body = {
      ...validBody(pet, 'CREATE-1', `${named} and ${placed}`),
      parts: [validBody({ ...plain, name }, 'RES-6', named), validBody({ ...plain, categoryId }, 'RES-7', placed)],
      plain: validBody(plain),
    };
    const reply = await this.#api.send(createPet(body, this.#api.key, form));
    if (reply.created === undefined) await this.#api.create(plain);
  }

  /**
   * Counts the collection while nothing else is in flight, so that how many animals are added to it later does not
   * depend on which request is quicker. Where that fails, it is counted when it is needed.
   */
  async #count(): Promise<void> {
    if (this.#parts.client.readOnly) return;
    const shown = this.#wasOneAtATime ? this.model.lengthNow({ limit: LIMIT.maximum }) : undefined;
    if (shown !== undefined) {
      this.#counted = this.#countOf(shown);
      return;
    }
    try {
      const { page } = await this.#api.send(listPets({ limit: LIMIT.maximum }, this.#api.key));
      if (page !== undefined) this.#counted = this.#countOf(page.length);
    } catch (error) {
      // What kept the request from being sent is for the checks to say.
      if (!(error instanceof InconclusiveError)) throw error;
    }
  }

  /** Counts what the run has added since, while nothing else is in flight. */
  #countAdded(): void {
    if (this.#counted === undefined) return;
    const own = this.model.created.length;
    this.#counted = { all: this.#counted.all + own - this.#counted.own, own };
  }

  /** How many animals are known to exist: those on a page, or those that the run has added. */
  #countOf(pageLength: number): Count {
    const own = this.model.created.length;
    return { all: Math.max(pageLength, own), own };
  }

  /** What the run had added when its first stages were over, so that it is older than most. */
  get firstAnimals(): readonly Created[] {
    return this.#firstAnimals ?? [];
  }

  /** Whether the run waits for its animals to age, beyond the second or so that it takes itself. */
  get lingers(): boolean {
    return this.#parts.plan.lingerMs > LINGER_MS.standard;
  }

  /**
   * Resolves when the first animal of the run is so old that it shows what becomes of animals. Where that takes long, the
   * rules judge in between what the service says of them.
   */
  readonly aged = once(async () => {
    const { plan, untilOld } = this.#parts;
    const [oldest] = this.model.created;
    if (oldest === undefined) return;
    const { answeredAt } = oldest.exchange;
    if (this.lingers) {
      await untilOld(answeredAt, plan.lingerMs * FIRST_LOOK_AGAIN);
      const fetches = this.someOfMostTraits(LOOKED_AT_AGAIN).map(({ id }) => getPet(id, this.#api.key));
      const lists = [undefined, ...PET_STATUSES].map((status) =>
        listPets({ limit: LIMIT.maximum, status }, this.#api.key),
      );
      await sideBySide(...[...fetches, ...lists].map((call) => this.#api.send(call)));
    }
    await untilOld(answeredAt, plan.lingerMs);
  });

  /** Notes that a check asks for the length of a page. */
  measured(length: Promise<number>): Promise<number> {
    this.#lengths.push(length);
    return length;
  }

  /** Resolves when every length is known that a check has begun to ask for: what is added now changes none of them. */
  async lengthsKnown(): Promise<void> {
    await Promise.allSettled(this.#lengths);
  }

  /** At most `most` of the run's own animals, by name: the seed decides it, the order of additions is chance. */
  someOfItsOwn(most: number): readonly Created[] {
    return spreadOver(this.model.created, most);
  }

  /** The same, in such a way that as many different marks and scripts as possible stand in their names. */
  someOfMostTraits(most: number): readonly Created[] {
    return ofMostTraits(this.model.created, most);
  }

  /** A status that more than `count` of the run's own animals have; any status where there is none. */
  statusOfMoreThan(count: number): PetStatus | undefined {
    const enough = PET_STATUSES.filter((status) => this.model.matching(status).length > count);
    const choice = enough.length === 0 ? PET_STATUSES : enough;
    return choice[count % choice.length];
  }

  /** Animals of others, as the list showed them when the first check asked. */
  readonly animalsOfOthers: () => Promise<readonly Listed[]> = once(() =>
    othersListed(this.#api, this.model, MOST_OF_OTHERS.asked),
  );

  /** Where getPet and the list disagree on animals of others, at a time of the run. */
  readonly othersAsListed: (time: TimeOfRun) => Promise<readonly Disagreement[]> = onceForEach(() =>
    othersAsListed(this.#api, this.model, MOST_OF_OTHERS.fetched, this.#asked),
  );

  /**
   * Resolves once the collection was looked at before anything was added. A replay, which begins with what was recorded,
   * looks at it now.
   */
  readonly firstLook = once(async () => {
    if (!this.model.isLookedAt) await firstLook(this.#api, this.model, firstQueries(this.seed));
  });
}

const readOnly = (reason: string): InconclusiveError =>
  new InconclusiveError('read-only', `${reason}, and --read-only adds none`, { byOption: true });
