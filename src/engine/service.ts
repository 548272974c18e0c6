import type { Contract } from '../contract/contract.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import type { RememberedEntry } from '../report/model/remembered.ts';
import type { ServiceDescription } from '../report/model/service.ts';
import type { Catalogue } from './catalogue.ts';
import type { Stage } from './check.ts';
import type { CheckClient, ReplyReader } from './check-client.ts';
import type { CheckTools } from './check-tools.ts';
import type { CreationLedgerOptions } from './creation-ledger.ts';
import type { RunState } from './every-answer.ts';
import type { Plan, RecordedCall } from './plan.ts';
import type { Reply } from './reply.ts';

/** What is known of a service without any of its checks. `R` is its reply to a call. */
export interface ServiceOutline<R extends Reply> {
  readonly description: ServiceDescription;
  /** Begins the environment variables from which a curl line reads the user's own headers. */
  readonly headerVariablePrefix: string;
  readonly loadCatalogue: () => Catalogue;
  readonly preflight: PreflightRequests;
  readonly replay: ReplayFormat<R>;
  /** What must never leave the process, beside the token itself. */
  readonly secrets: (token: string) => readonly string[];
  readonly ledgerEntry: CreationLedgerOptions['entry'];
}

/** A service: `R` is its reply to a call, `S` what a run learns of it, `V` the vocabulary of its checks. */
export interface ServiceDefinition<R extends Reply, S extends RunState<R>, V>
  extends ServiceOutline<R>,
    ReplyReader<R> {
  readonly loadContract: () => Promise<Contract>;
  /** About how many requests go out for what several checks need; without it, a run is not planned by time. */
  readonly sharedRequests?: number;

  createState(plan: Plan): S;
  open(parts: ServiceRunParts<R, S>): ServiceRun<R, S, V>;
}

export interface ServiceRunParts<R extends Reply, S extends RunState<R>> {
  readonly plan: Plan;
  readonly state: S;
  /** Sends on behalf of no check: what goes wrong there is for the checks that own it to say. */
  readonly client: CheckClient<R, S>;
  /** Waits until what was added at a moment (ms, monotonic) is so old (ms), as far as the time of the run allows. */
  readonly untilOld: (addedAt: number, ageMs: number) => Promise<void>;
}

/** One run against one target, as its service sees it. */
export interface ServiceRun<R extends Reply, S extends RunState<R>, V> {
  /** Prepares what the checks of a stage need, before the first of them. */
  prepare(stage: Stage): Promise<void>;
  vocabulary(tools: CheckTools<R, S>): V;
  /** Sends a call as the checks do, where that takes more than the request itself. */
  send?(client: CheckClient<R, S>, call: R['call']): Promise<R>;
  /** Asks for what the service holds, so that the state knows its size. */
  look?(): Promise<void>;
  /** What of the run a later one may look at, in the order of addition. */
  remembers?(): readonly RememberedEntry[];
  /** Adds `count` plain entries, so that a state which needs as many is reached again. */
  grow?(client: CheckClient<R, S>, count: number): Promise<void>;
}

/** Requests with the right key that show whether a target can be judged at all. None of them creates anything. */
export interface PreflightRequests {
  /** Stable code of a target that is no such service. */
  readonly unknownTargetCode: string;
  /** Sent first. */
  readonly first: (token: string) => WireRequest;
  /** Sent where the answer to the first does not show the service. */
  readonly reads: (token: string) => readonly WireRequest[];
  /** Sent last, where nothing else shows it: a faulty service may create something of what it must refuse. */
  readonly writes: (token: string) => readonly WireRequest[];
  /** Whether one of the answers is one that only this service gives, be it faulty in other respects. */
  readonly showsService: (exchanges: readonly Exchange[]) => boolean;
}

/** How calls are written to a replay file and read again. */
export interface ReplayFormat<R extends Reply> {
  /** The JSON Schema of a recorded call. */
  readonly schema: object;
  /** The id that a call names; undefined where it names none. */
  readonly names: (call: R['call']) => string | undefined;
  /** The id that an answer gave to what it created; undefined where it gave none. */
  readonly given: (reply: R) => string | undefined;
  /**
   * The call without any credential.
   *
   * @param bound the id that another run is to replace with one of its own
   */
  readonly record: (call: R['call'], bound?: string) => RecordedCall;
  /** @throws InconclusiveError where no such call can be made with this token */
  readonly restore: (record: RecordedCall, circumstances: RestoreOptions) => R['call'];
}

export interface RestoreOptions {
  readonly token: string;
  /** Tells what is created now from what the recorded run, or another replay, has created. */
  readonly salt: string;
  /** The id that stands for the bound one. */
  readonly id: string | undefined;
  /** The exchange of the step before, which a call may be about. */
  readonly before?: Exchange | undefined;
}

/** What the own part of a check may be replaced by: what is sent in its place. */
export type OwnPart<R extends Reply, S extends RunState<R>> = (given: {
  readonly client: CheckClient<R, S>;
  /** Sends a call as the checks do. */
  readonly send: (call: R['call']) => Promise<R>;
  /** Adds `count` plain entries on behalf of no check. */
  readonly grow: (count: number) => Promise<void>;
}) => Promise<void>;
