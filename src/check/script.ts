import type { Collection } from '../known/collection.ts';
import type { Seen } from '../known/seen.ts';
import type { Call } from '../reading/call.ts';
import type { Stage } from './stages.ts';

/** What a script sees of a response; nothing if the request was not sent. */
type ScriptResponse = Pick<Seen, 'status' | 'animals' | 'length'>;

/** A connection that a script borrowed: it sends one request at a time, in order. */
export interface BorrowedLane {
  send(call: Call, options?: SendOptions): Promise<ScriptResponse>;
}

/** Values for names of a call, if they matter. */
export interface SendOptions {
  /** `$ID`; by default one of the run's first animals. */
  readonly id?: bigint | undefined;
  /** The row whose mark `$NAME` and `$NUMBER` carry: the same for equal bodies. */
  readonly row?: number | undefined;
}

/** What a script can use. Scripts only send; rules check. */
export interface Tools extends BorrowedLane {
  readonly known: Collection;
  /** The number of another row, whose mark equal bodies can carry. */
  newRow(): number;
  /** Borrows a connection for some work. */
  on<T>(work: (lane: BorrowedLane) => Promise<T>): Promise<T>;
  /** Sends calls concurrently, as far as there are connections. */
  together(calls: readonly ({ readonly call: Call } & SendOptions)[]): Promise<readonly ScriptResponse[]>;
  /** Waits, unless the run ends before. */
  pause(milliseconds: number): Promise<void>;
}

/** A sequence of requests, for what depends on order, concurrency or age. */
export interface Script {
  /**
   * The stages it runs in, besides those of rows: `growing`, in which nothing else adds animals; `listed` after the
   * stage `rows`; `last`, after which nothing is asked, once what was unsure was asked; and `waiting`, each second until
   * the stage `aged`.
   */
  readonly stages: readonly Stage[];
  /** A smoke run leaves it out. */
  readonly isLong?: boolean;
  readonly run: (tools: Tools) => Promise<void>;
}
