/** The connection that a request is sent on, and what was sent there before. */
export const ALL_CONNECTIONS = [
  'on any connection',
  'on a new connection',
  'on a connection used by a good key',
  'on a connection used by a refusal',
] as const;

export type Connection = (typeof ALL_CONNECTIONS)[number];

/** What else is in flight when a request is sent. */
export const ALL_CONCURRENCIES = ['among others', 'at the same moment as seven others', 'alone'] as const;

export type Concurrency = (typeof ALL_CONCURRENCIES)[number];

/** What has nothing to do with a request itself: its connection, what else is in flight, and how often it is sent. */
export interface Circumstances {
  /** In a few words; empty for nothing special. */
  readonly name: string;
  /** Any by default. */
  readonly connection?: Connection;
  /** Among others by default. */
  readonly concurrency?: Concurrency;
  /** How often it is sent, one after the other: once by default. */
  readonly times?: 1 | 2;
}

const on = (connection: Connection): Circumstances => ({ name: connection, connection });

export const NEW_CONNECTION = on('on a new connection');
export const AFTER_A_GOOD_KEY = on('on a connection used by a good key');
export const AFTER_A_REFUSAL = on('on a connection used by a refusal');

/** While nothing else is in flight: by a check that runs alone. */
export const ALONE: Circumstances = { name: 'alone', concurrency: 'alone' };

/** Again as soon as it was answered: an answer that was remembered shows. */
export const TWICE: Circumstances = { name: 'sent twice', times: 2 };

/** A moment of eight requests. */
export const AT_ONE_MOMENT: readonly Circumstances[] = Array.from({ length: 8 }, () => ({
  name: 'at the same moment as seven others',
  concurrency: 'at the same moment as seven others',
}));

/** A request's form under these circumstances. */
export const under = <Form extends Circumstances>(circumstances: Circumstances | undefined, form: Form): Form => ({
  ...form,
  ...circumstances,
  name: [form.name, circumstances?.name ?? ''].filter((words) => words !== '').join(', '),
});
