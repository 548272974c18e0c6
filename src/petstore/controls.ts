import { InconclusiveError } from '../engine/outcome-errors.ts';
import { LOCKED_OUT } from '../http/not-sent.ts';
import type { Api } from './api.ts';
import { createPet, getPet, listPets, type PetCall } from './calls.ts';
import type { Collection } from './collection.ts';
import { PET_STATUSES } from './contract-facts.ts';
import type { NewPet } from './inputs/body.ts';
import { NO_KEY } from './inputs/credential.ts';
import { inTurn } from './inputs/in-turn.ts';
import { missing } from './inputs/invalid-bodies.ts';
import { plainPet } from './inputs/new-pets.ts';
import { NOBODYS_ID } from './inputs/nobodys-id.ts';
import { callWith, formsOf, ofTheLargestShape } from './space/keys.ts';
import { FORMS_OF_A_GET } from './space/request-forms.ts';
import { once, onceForEach, sideBySide } from './together.ts';
import { whereWritable } from './unless-inconclusive.ts';

/** Forms of a request that say how the body of its answer may be coded. */
const CODED_FORMS = FORMS_OF_A_GET.filter(({ headers }) => headers?.some(([name]) => name === 'Accept-Encoding'));

/** What must succeed, or be refused, before other answers say anything: each is sent once, for all checks. */
export class Controls {
  readonly #api: Api;
  readonly #collection: Collection;

  /** @param api sends on behalf of no check */
  constructor(api: Api, collection: Collection) {
    this.#api = api;
    this.#collection = collection;
  }

  /** Resolves once an operation was accepted with the right key, in each form of its request and in the largest shape. */
  readonly accepts = async (operation: PetCall['operation']): Promise<void> => {
    await Promise.all([this.#acceptsForms(operation), this.#acceptsTheLargest()]);
  };

  readonly #acceptsForms = onceForEach(async (operation: PetCall['operation']) => {
    if (operation === 'createPet') {
      await this.#collection.anAnimalWith('available');
      await this.#collection.anAnimalWith();
      return;
    }
    const id = await this.#collection.anAnimal();
    const aPet = (): NewPet => this.#aPet('control');
    await Promise.all(formsOf(operation).map((call) => this.#api.control(callWith(call, this.#api.key, { id, aPet }))));
  });

  /** Its answer shows the rules which heads are read. */
  readonly #acceptsTheLargest = once(() => this.#api.send(ofTheLargestShape(this.#api.key, this.#api.token)));

  /** One success of every operation, with every status: gives a rule about animals something to judge. */
  readonly succeedOnceEach = once(async () => {
    const creating = this.#collection.oneOfEachStatus();
    await sideBySide(
      creating,
      this.#collection.anAnimal().then((id) => this.#api.get(id)),
    );
    const queries = inTurn([undefined, ...PET_STATUSES], CODED_FORMS);
    await Promise.all(queries.map(([status, form]) => this.#api.list({ status }, form)));
  });

  /** Every refusal that the specification documents: gives a rule about errors something to judge. */
  readonly failOnceEach = once(async () => {
    const { key } = this.#api;
    const reads = [listPets({}, NO_KEY), getPet(NOBODYS_ID, key), getPet(NOBODYS_ID, NO_KEY)];
    await Promise.all(reads.map((call) => unlessLockedOut(this.#api.send(call))));
    const creations = [key, NO_KEY].map((credential) =>
      createPet(missing(this.#aPet(`refused with ${credential.name}`), 'name'), credential),
    );
    await whereWritable(() => Promise.all(creations.map((call) => unlessLockedOut(this.#api.send(call)))));
  });

  #aPet(label: string): NewPet {
    return plainPet(this.#collection.namingFor('shared'), label);
  }
}

/** What was refused before shows as much as what a service that locks wrong keys out does not answer any more. */
async function unlessLockedOut(sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: unknown) => {
    if (!(error instanceof InconclusiveError) || error.code !== LOCKED_OUT) throw error;
  });
}
