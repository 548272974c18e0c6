import { choosing, combine, override, type StepsChange } from '../changes.ts';
import { Collection } from '../collection.ts';
import type { ApiResponse, Call, Service, Steps, Variant } from '../steps.ts';
import { below, busy, populatedWith } from './builders.ts';
import { byChance } from './collections.ts';

/** How long a change takes to reach a replica, in milliseconds. */
type Lag = (service: Service) => number;

/**
 * Lists come from copies of the collection that follow it some time later, each with a lag of its own; getPet reads the
 * collection itself.
 */
export const replicated = (lags: readonly Lag[], choose: (call: Call, turn: number) => number) => (steps: Steps) => {
  const replicas = lags.map(() => new Collection());
  let turn = 0;
  return combine(
    override('populate', (original) => async (service) => {
      await original(service);
      for (const [place, replica] of replicas.entries()) {
        for (const pet of service.collection.oldestFirst(undefined)) replica.add(pet);
        follow(service, replica, lags[place] ?? (() => 0));
      }
    }),
    override('selectPage', (original) => (page, call) => {
      turn += 1;
      const collection = replicas[choose(call, turn) % replicas.length] ?? call.service.collection;
      return original(page, { ...call, service: { ...call.service, collection } });
    }),
  )(steps);
};

/** Makes the changes of a collection in a replica, each some time later but in the same order. */
function follow(service: Service, replica: Collection, lag: Lag): void {
  let last: Promise<void> = Promise.resolve();
  service.collection.replicate((change) => {
    const arrival = service.pause(lag(service));
    last = Promise.all([last, arrival]).then(() => change(replica));
  });
}

export const after =
  (milliseconds: number): Lag =>
  () =>
    milliseconds;
export const inTurn = (_: Call, turn: number): number => turn;
export const replicaByChance = ({ service }: Call): number => below(1000, service);

/** Lists are taken from a copy that is made anew at an interval. */
const refreshed = (milliseconds: number) => (steps: Steps) => {
  const view = new Collection();
  const pending: ((copy: Collection) => void)[] = [];
  return combine(
    override('populate', (original) => async (service) => {
      await original(service);
      for (const pet of service.collection.oldestFirst(undefined)) view.add(pet);
      service.collection.replicate((change) => pending.push(change));
      service.every(milliseconds, () => {
        for (const change of pending.splice(0)) change(view);
      });
    }),
    override(
      'selectPage',
      (original) => (page, call) => original(page, { ...call, service: { ...call.service, collection: view } }),
    ),
  )(steps);
};

/** A list is given again to the same query for some time. */
const cached = (milliseconds: number) => (steps: Steps) => {
  const kept = new Map<string, { readonly until: number; readonly response: ApiResponse }>();
  return override('listPets', (original) => async (call) => {
    const key = call.query.toString();
    const known = kept.get(key);
    if (known !== undefined && performance.now() < known.until) {
      return { ...known.response, headers: { ...known.response.headers, Age: '1' } };
    }
    const response = await original(call);
    kept.set(key, { until: performance.now() + milliseconds, response });
    return response;
  })(steps);
};

/** Only lists with a filter, or only those without, come from a replica. */
export const onlyWhere =
  (applies: (hasFilter: boolean) => boolean, change: StepsChange): StepsChange =>
  (steps) => {
    const changed = change(steps);
    return {
      ...changed,
      selectPage: (page, call) => (applies(page.status !== undefined) ? changed : steps).selectPage(page, call),
    };
  };

/** Lists that lag behind, within the settle time. */
// biome-ignore format: one table
export const replicaVariants: readonly Variant[] = [
  ...choosing('LIST-13', {
    'replicas-of-0-and-1-s-in-turn': ['Lists come from two replicas in turn, one of them a second behind.',
      replicated([after(0), after(1000)], inTurn)],
    'replicas-of-100-ms-700-ms-1900-ms-by-chance': [
      'Lists come from one of three replicas at random, which are 0.1, 0.7 and 1.9 seconds behind.',
      replicated([after(100), after(700), after(1900)], replicaByChance)],
    'one-of-five-replicas-lags': ['Lists come from one of five replicas at random; one of them is 1.5 seconds behind.',
      replicated([after(0), after(0), after(1500), after(0), after(0)], replicaByChance)],
    'replica-by-connection': [
      'The connection decides which of three replicas lists come from, which are 0, 0.5 and 1.8 seconds behind.',
      replicated([after(0), after(500), after(1800)], ({ incoming }) => incoming.socket.remotePort ?? 0)],
    'replica-by-limit': [
      'The limit decides which of two replicas a list comes from, which are 0 and 1.2 seconds behind.',
      replicated([after(0), after(1200)], ({ query }) => Number(query.get('limit') ?? 20))],
    'replicas-of-uneven-lag': [
      'Lists come from two replicas in turn, which every change reaches after up to 1.5 seconds.',
      replicated(Array.from({ length: 2 }, () => (service) => below(1500, service)), inTurn)],
    'replicas-of-a-busy-store': [
      'Other callers change the collection every 20 ms, and lists come from two replicas that are 0 and 0.8 seconds behind.',
      combine(busy(20), replicated([after(0), after(800)], replicaByChance))],
    'replicas-of-150-by-chance-in-any-order': [
      'Lists are random selections of 150 animals, from replicas that are 0 and 1.5 seconds behind.',
      combine(
        populatedWith(150),
        byChance,
        replicated([after(0), after(1500)], replicaByChance),
      )],
    'lists-renewed-every-second': ['Lists are taken from a copy of the collection that is renewed every second.',
      refreshed(1000)],
    'lists-cached-for-1500-ms': ['The same query gets the same list again for 1.5 seconds.', cached(1500)],
    'only-filtered-lists-lag': ['Lists with a filter are 1.2 seconds behind; others are up to date.',
      onlyWhere((hasFilter) => hasFilter, replicated([after(1200)], inTurn))],
    'only-lists-without-filter-lag': ['Lists without a filter are 1.2 seconds behind; those with one are up to date.',
      onlyWhere((hasFilter) => !hasFilter, replicated([after(1200)], inTurn))],
    'empty-at-start-with-replicas': [
      'The store is empty at first, and lists come from two replicas in turn, which are 0 and 1.5 seconds behind.',
      combine(populatedWith(0), replicated([after(0), after(1500)], inTurn))],
  }),
];
