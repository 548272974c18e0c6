import type { CheckContext } from '../engine/context.ts';
import { Inconclusive } from '../engine/signals.ts';
import { lackingMembers } from './inputs/defects.ts';
import { NO_KEY } from './inputs/keys.ts';
import { PET_STATUSES } from './inputs/new-pet.ts';

/** Far from any id in use: it stands for an animal that does not exist. */
const NOBODY = 2n ** 62n + 12345n;

async function whereWritable(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof Inconclusive) || !error.byOption) throw error;
  }
}

/** One success of every operation, with every status: enough for a rule about animals to have something to judge. */
export async function seeAnimals(context: CheckContext): Promise<void> {
  const { service } = context;
  await whereWritable(async () => {
    for (const status of [...PET_STATUSES, undefined]) await service.create(context.aPet(status));
  });
  await service.get(await context.anAnimal());
  await Promise.all([service.list(), ...PET_STATUSES.map((status) => service.list({ status }))]);
}

/** Every refusal that the specification documents, once: enough for a rule about errors to have something to judge. */
export async function seeRefusals(context: CheckContext): Promise<void> {
  const { service } = context;
  await Promise.all([service.tryList({}, NO_KEY), service.tryGet(NOBODY), service.tryGet(NOBODY, NO_KEY)]);
  await whereWritable(async () => {
    const [lacking] = lackingMembers(context.aPet());
    if (lacking !== undefined) await Promise.all([service.tryCreate(lacking), service.tryCreate(lacking, NO_KEY)]);
  });
}
