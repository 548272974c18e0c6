import type { Call } from '../http/exchange.ts';
import type { Collection } from './collection.ts';
import type { Stage } from './rows.ts';
import type { Seen } from './seen.ts';

/** What a script may build on: the status and the animals of a response; none of it where nothing was sent. */
type ScriptResponse = Pick<Seen, 'status' | 'animals' | 'length'>;

/** A connection that a script has borrowed: one request at a time, in order. */
export interface Lane {
  send(call: Call, options?: SendOptions): Promise<ScriptResponse>;
}

/** What the names of a call stand for, where that is the point. */
export interface SendOptions {
  /** `$ID`; one of the run's first animals where not given. */
  readonly id?: bigint | undefined;
  /** The row whose mark `$NAME` and `$NUMBER` carry: the same for equal bodies. */
  readonly row?: number | undefined;
}

/** What a script has at hand. A script only sends; rules check. */
export interface Tools extends Lane {
  readonly known: Collection;
  /** Borrows a connection for a while. */
  on<T>(work: (lane: Lane) => Promise<T>): Promise<T>;
  /** Sends calls at the same moment, each on a connection of its own, as far as there are as many. */
  together(calls: readonly ({ readonly call: Call } & SendOptions)[]): Promise<readonly ScriptResponse[]>;
  /** Rechecks what is in doubt until it is not: nothing else may be under way. */
  recheck(): Promise<void>;
  /** Waits, as long as the run's time lasts. */
  pause(milliseconds: number): Promise<void>;
}

/** What order, time or crowds are needed for. */
export interface Script {
  /** In each of these stages; `growing` is the one in which nothing else is sent. */
  readonly stages: readonly (Stage | 'growing')[];
  readonly run: (tools: Tools) => Promise<void>;
}
