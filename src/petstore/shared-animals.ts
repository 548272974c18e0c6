import { mix } from '../engine/mix.ts';
import { InconclusiveError } from '../engine/outcome-errors.ts';
import type { ServiceRunParts } from '../engine/service.ts';
import { quote } from '../engine/violation.ts';
import { LOCKED_OUT } from '../http/not-sent.ts';
import type { Profile } from '../report/model/result.ts';
import { Api } from './api.ts';
import { createPet, getPet, listPets, type PetCall, type RequestForm } from './calls.ts';
import type { CollectionModel, Listed } from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { type NewPet, validBody } from './inputs/body.ts';
import { NO_KEY } from './inputs/credentials.ts';
import { type Filler, fillerOf, fillers } from './inputs/fillers.ts';
import { inTurn } from './inputs/in-turn.ts';
import { missing } from './inputs/invalid-bodies.ts';
import { type Naming, plainPet } from './inputs/new-pets.ts';
import { NOBODYS_ID } from './inputs/nobodys-id.ts';
import { type Disagreement, othersAsListed, othersListed } from './others-as-listed.ts';
import type { Created, PetReply } from './reply.ts';
import { sideBySide } from './side-by-side.ts';
import { formsOf, ofTheLargestShape } from './space/keys.ts';
import { FORMS_OF_A_GET, FORMS_OF_A_POST } from './space/request-forms.ts';

/** Beyond the largest page, so that a page of the largest limit is a real bound. */
const MORE_THAN_A_PAGE = LIMIT.maximum + 1;

/** So many animals at least are added for their own sake while the checks run side by side. */
const ADDED_ANYWAY: Readonly<Record<Profile, number>> = { smoke: 4, standard: 12, thorough: 12 };

/** Those that an animal is added with, or without. */
const EVERY_STATUS = [undefined, ...PET_STATUSES];

/**
 * Of the two statuses that few services give by default, the one that fillers have, which the seed decides: in the end more
 * than a page match it. The other one is given where a check does not care, so that no status stays rare.
 */
function statusesOf(seed: number): { readonly common: PetStatus; readonly rarer: PetStatus } {
  const [one = 'available', other = one] = PET_STATUSES.filter((status) => status !== 'available');
  return mix(seed, 'status of fillers') % 2 === 0 ? { common: one, rarer: other } : { common: other, rarer: one };
}

/** Most animals of others that are fetched as they are listed. */
const MOST_OF_OTHERS = 6;
/** Most animals of others whose ids are asked for in every form. */
const MOST_LISTED = 12;

/** When the animals of others are looked at: before the run adds many of its own, and when it adds no more. */
export type TimeOfRun = 'at first' | 'at last';

/** Forms of a request that say how the body of its answer may be coded. */
const CODED_FORMS = FORMS_OF_A_GET.filter(({ headers }) => headers?.some(([name]) => name === 'Accept-Encoding'));

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

/** What several checks need and the run does once: an animal to get, enough to outgrow a page, and positive controls. */
export class SharedAnimals {
  readonly #parts: ServiceRunParts<PetReply, CollectionModel>;
  readonly #naming: () => Naming;
  readonly #api: Api;
  readonly #addFirst: () => Promise<void>;
  #first: Promise<void> | undefined;
  #animal: Promise<bigint> | undefined;
  #found: Promise<bigint> | undefined;
  readonly #measuring: Promise<number>[] = [];
  #ofOthers: Promise<readonly Listed[]> | undefined;
  #outgrown: Promise<void> | undefined;
  #nearlyOutgrown: Promise<void> | undefined;
  #firstAnimals: readonly Created[] | undefined;
  #counted: Count | undefined;
  #succeeded: Promise<void> | undefined;
  #failed: Promise<void> | undefined;
  #afterRefusals: Promise<unknown> | undefined;
  /** Animals of others that were fetched as listed. */
  readonly #asked = new Set<bigint>();
  readonly #others = new Map<TimeOfRun, Promise<readonly Disagreement[]>>();
  #shaped: Promise<unknown> | undefined;
  readonly #accepted = new Map<PetCall['operation'], Promise<void>>();
  readonly #byStatus = new Map<PetStatus | undefined, Promise<SharedAnimal>>();

  /** @param addFirst adds the run's first animal, where it may */
  constructor(parts: ServiceRunParts<PetReply, CollectionModel>, naming: () => Naming, addFirst: () => Promise<void>) {
    this.#parts = parts;
    this.#naming = naming;
    this.#addFirst = addFirst;
    this.#api = new Api(parts.client, parts.state, parts.plan.token);
  }

  get seed(): number {
    return this.#parts.plan.seed;
  }

  /** The status that in the end more animals have than a page holds. */
  get commonStatus(): PetStatus {
    return statusesOf(this.seed).common;
  }

  /** Of the two statuses that few services give by default, the other one. */
  get rarerStatus(): PetStatus {
    return statusesOf(this.seed).rarer;
  }

  /** Resolves when the first animal of the run was added, before any other. */
  addFirst(): Promise<void> {
    this.#first ??= this.#addFirst();
    return this.#first;
  }

  /** Takes an animal of the run's own for the one that checks share. */
  adopt(id: bigint): void {
    this.#animal ??= Promise.resolve(id);
  }

  /**
   * Counts the collection while nothing else is under way, so that how many animals are added to it later does not
   * depend on which request is quicker. Where that fails, it is counted when it is needed.
   *
   * @param mayBeKnown whether what was sent last went out one request after the other, so that a page of it may count
   */
  async count(mayBeKnown: boolean): Promise<void> {
    const { client, state } = this.#parts;
    if (client.readOnly) return;
    const shown = mayBeKnown ? state.lengthNow({ limit: LIMIT.maximum }) : undefined;
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

  /** Notes what the run has added by now as its first animals, unless it has noted some before. */
  noteFirst(): void {
    this.#firstAnimals ??= this.#parts.state.created;
  }

  /** What the run had added when its first phases were over. */
  get firstAnimals(): readonly Created[] {
    return this.#firstAnimals ?? [];
  }

  /** Counts what the run has added since, while nothing else is under way. */
  countAdded(): void {
    if (this.#counted === undefined) return;
    const own = this.#parts.state.created.length;
    this.#counted = { all: this.#counted.all + own - this.#counted.own, own };
  }

  /** The id of an animal that exists: one of the run's own, or one from the list where nothing may be created. */
  anAnimal(): Promise<bigint> {
    this.#animal ??= this.#parts.client.readOnly
      ? this.#listed()
      : this.#api.create(plainPet(this.#naming(), 'shared')).then(({ id }) => id);
    return this.#animal;
  }

  /** The id of an animal that exists and was found: the positive control of ids that are not. */
  aFoundAnimal(): Promise<bigint> {
    this.#found ??= this.#find();
    return this.#found;
  }

  async #find(): Promise<bigint> {
    const id = await this.anAnimal();
    await this.#api.get(id);
    return id;
  }

  /** A plain animal of the run's own that was added with this status, or without one: one for all who ask. */
  anAnimalWith(status?: PetStatus): Promise<SharedAnimal> {
    const known = this.#byStatus.get(status) ?? this.#add(status);
    this.#byStatus.set(status, known);
    return known;
  }

  /** An animal of each status is there, and one that was added without any; where nothing may be added, none need be. */
  hasEveryStatus(): Promise<void> {
    return whereWritable(() => sideBySide(...EVERY_STATUS.map((status) => this.anAnimalWith(status))));
  }

  async #add(status: PetStatus | undefined): Promise<SharedAnimal> {
    const pet = plainPet(this.#naming(), `with ${status ?? 'no status'}`, status);
    const body = status === undefined ? validBody(pet, 'STATE-1', 'a body without a status') : validBody(pet);
    return { ...(await this.#api.create(body)), pet };
  }

  /** Animals of others, as the list showed them when they were first asked for. */
  animalsOfOthers(): Promise<readonly Listed[]> {
    this.#ofOthers ??= othersListed(this.#api, this.#parts.state, MOST_LISTED);
    return this.#ofOthers;
  }

  /** Notes that a length is being asked for. */
  measured(length: Promise<number>): Promise<number> {
    this.#measuring.push(length);
    return length;
  }

  /** Resolves when every length has been asked for that is being asked for now. */
  async isMeasured(): Promise<void> {
    await Promise.allSettled(this.#measuring);
  }

  /** Where getPet and the list disagree on animals of others, at a time of the run. */
  othersAsListed(time: TimeOfRun): Promise<readonly Disagreement[]> {
    const known = this.#others.get(time) ?? othersAsListed(this.#api, this.#parts.state, MOST_OF_OTHERS, this.#asked);
    this.#others.set(time, known);
    return known;
  }

  /** Adds an animal, unless one was since the last refusal: an id that was given to what was refused is below its own. */
  async addsOneAfterRefusals(): Promise<void> {
    this.#afterRefusals ??= this.#parts.state.hasAddedSinceRefusals
      ? Promise.resolve()
      : this.#api.create(plainPet(this.#naming(), 'after refusals', 'sold'));
    await this.#afterRefusals;
  }

  /** Resolves when more animals are known to exist than the largest page holds. To be asked when the checks have added theirs. */
  outgrowAPage(): Promise<void> {
    this.#outgrown ??= this.#parts.client.readOnly ? this.#hasOutgrownAPage() : this.#addMissing(MORE_THAN_A_PAGE);
    return this.#outgrown;
  }

  /** Resolves when so many animals exist that, with those that the checks add, they will outgrow a page. */
  nearlyOutgrowAPage(): Promise<void> {
    this.#nearlyOutgrown ??= this.#parts.client.readOnly
      ? this.#hasOutgrownAPage()
      : this.#addMissing(MORE_THAN_A_PAGE - ADDED_ANYWAY[this.#parts.plan.profile]);
    return this.#nearlyOutgrown;
  }

  /** Resolves once an operation was accepted with the right key, in each form of its request and in the largest shape. */
  async accepts(operation: PetCall['operation']): Promise<void> {
    const accepted = this.#accepted.get(operation) ?? this.#sendForms(operation);
    this.#accepted.set(operation, accepted);
    const { key, token } = this.#api;
    // What becomes of it tells the rules which heads are read.
    this.#shaped ??= this.#api.send(ofTheLargestShape(key, token));
    await Promise.all([accepted, this.#shaped]);
  }

  async #sendForms(operation: PetCall['operation']): Promise<void> {
    if (operation === 'createPet') {
      await this.anAnimalWith('available');
      await this.anAnimalWith();
      return;
    }
    const id = await this.anAnimal();
    const aPet = (): NewPet => plainPet(this.#naming(), 'control');
    await Promise.all(formsOf(operation).map((call) => this.#api.control(call(this.#api.key, { id, aPet }))));
  }

  /** One success of every operation, with every status. */
  succeedOnceEach(): Promise<void> {
    this.#succeeded ??= this.#succeed();
    return this.#succeeded;
  }

  /** Every refusal that the specification documents. */
  failOnceEach(): Promise<void> {
    this.#failed ??= this.#fail();
    return this.#failed;
  }

  async #succeed(): Promise<void> {
    const creating = this.hasEveryStatus();
    await sideBySide(
      creating,
      this.anAnimal().then((id) => this.#api.get(id)),
    );
    await Promise.all(inTurn(EVERY_STATUS, CODED_FORMS).map(([status, form]) => this.#api.list({ status }, form)));
  }

  async #fail(): Promise<void> {
    const { key } = this.#api;
    const readings = [listPets({}, NO_KEY), getPet(NOBODYS_ID, key), getPet(NOBODYS_ID, NO_KEY)];
    await Promise.all(readings.map((call) => unlessLockedOut(this.#api.send(call))));
    const creations = [key, NO_KEY].map((credential) =>
      createPet(missing(plainPet(this.#naming(), `refused with ${credential.name}`), 'name'), credential),
    );
    await whereWritable(() => Promise.all(creations.map((call) => unlessLockedOut(this.#api.send(call)))));
  }

  async #listed(): Promise<bigint> {
    const { animals } = await this.#api.list();
    const id = animals.find((animal) => animal.id !== undefined)?.id;
    if (id === undefined) throw readOnly('the list is empty');
    return id;
  }

  async #hasOutgrownAPage(): Promise<void> {
    const { length } = await this.#api.list({ limit: LIMIT.maximum });
    if (length < LIMIT.maximum) {
      throw readOnly(`the list shows ${length} animals, too few to judge the bounds of a page`);
    }
  }

  async #addMissing(wanted: number): Promise<void> {
    const adding = PET_STATUSES.filter((status) => !this.#byStatus.has(status));
    const counted = this.#counted ?? this.#countOf((await this.#api.list({ limit: LIMIT.maximum })).length);
    const known = counted.all + adding.length;
    // The run whose failure is replayed has left what it added; a full page shows that it is still there.
    if (this.#parts.plan.replay !== undefined && known >= LIMIT.maximum) return;
    const missing = Math.max(0, wanted - known);
    const { left } = this.#parts.client.budget;
    if (missing > left) {
      const reason = `the collection shows ${known} animals and the budget leaves ${left}; ${missing} more are needed: raise --max-creates`;
      throw new InconclusiveError('budget', reason, { byOption: this.#parts.client.budget.isChosen });
    }
    const pets = Array.from({ length: missing }, (_, at) => plainPet(this.#naming(), `page ${at}`, this.commonStatus));
    const oddities = fillers(this.#parts.plan.seed, this.#parts.plan.profile !== 'smoke');
    await sideBySide(
      ...adding.map((status) => this.anAnimalWith(status)),
      ...inTurn(inTurn(pets, oddities), FORMS_OF_A_POST).map(([[pet, filler], form]) => this.#fill(pet, filler, form)),
    );
  }

  /** Adds an animal for its number, with something odd about it; whatever becomes of that, an animal is added. */
  async #fill(plain: NewPet, filler: Filler, form: RequestForm): Promise<void> {
    const { key } = this.#api;
    const pet = fillerOf(filler, plain, this.#naming());
    const named = `the name ${quote(pet.name)} (${filler.kind})`;
    const placed = `the categoryId ${pet.categoryId}`;
    const { name, categoryId } = pet;
    const body = {
      ...validBody(pet, 'CREATE-1', `${named} and ${placed}`),
      parts: [validBody({ ...plain, name }, 'RES-6', named), validBody({ ...plain, categoryId }, 'RES-7', placed)],
      plain: validBody(plain),
    };
    const reply = await this.#api.send(createPet(body, key, form));
    if (reply.created === undefined) await this.#api.create(plain);
  }

  /** How many animals are known to exist: those on a page, or those that the run has added. */
  #countOf(pageLength: number): Count {
    const own = this.#parts.state.created.length;
    return { all: Math.max(pageLength, own), own };
  }
}

const readOnly = (reason: string): InconclusiveError =>
  new InconclusiveError('read-only', `${reason}, and --read-only adds none`, { byOption: true });

/** What was refused before shows as much as what a service that locks wrong keys out does not answer any more. */
async function unlessLockedOut(sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: unknown) => {
    if (!(error instanceof InconclusiveError) || error.code !== LOCKED_OUT) throw error;
  });
}

/** What must create is left out where nothing may be created. */
async function whereWritable(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof InconclusiveError) || !['read-only', 'budget'].includes(error.code)) throw error;
  }
}
