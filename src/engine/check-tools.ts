import type { Arbitrary } from 'fast-check';
import type { Address } from '../http/connect/route.ts';
import { curlLine } from '../http/evidence/curl.ts';
import { withQuery } from '../http/exchange.ts';
import { readingOf } from '../report/model/readings.ts';
import type { Observation, ObservedRequest, Profile } from '../report/model/result.ts';
import type { CheckClient } from './check-client.ts';
import type { RunState } from './every-answer.ts';
import { InconclusiveError, NotApplicableError } from './outcome-errors.ts';
import type { Reply } from './reply.ts';
import type { RequestSpace } from './request-space.ts';
import type { Judge, Samples } from './samples.ts';
import type { Judgement } from './violation.ts';

/** What the engine gives to each check; a service's vocabulary is made of it. */
export interface CheckTools<R extends Reply, S extends RunState<R>> {
  readonly checkId: string;
  readonly client: CheckClient<R, S>;
  readonly state: S;
  readonly profile: Profile;
  readonly strict: boolean;
  /** Judges each of the cases, side by side. */
  readonly forEach: <T>(cases: readonly T[], judge: Judge<T>) => Promise<void>;
  /** All of the cases, each of which creates something; in `smoke` one or `inSmoke` of them, others for every seed. */
  readonly fewerInSmoke: <T>(cases: readonly T[], inSmoke?: number) => readonly T[];
  /** Judges `runs` samples of an arbitrary (in the standard profile); the first that fails is shrunk. */
  readonly forAll: <T>(arbitrary: Arbitrary<T>, runs: number, judge: Judge<T>) => Promise<void>;
  /** Draws `count` values to make cases of, others for every seed. */
  readonly draw: <T>(arbitrary: Arbitrary<T>, count: number) => readonly T[];
  /**
   * Judges a request for each row of the parts of a request space that the check covers, side by side. Each of the
   * circumstances goes with one of them.
   */
  readonly cover: <T, C>(
    space: RequestSpace<T>,
    judge: (sample: T, circumstances: C | undefined) => Promise<void>,
    circumstances?: readonly C[],
  ) => Promise<void>;
  /** The requirement is violated where the judgement of these replies, of which the last is judged, is a violation. */
  readonly expect: (judge: (...replies: R[]) => Judgement, ...replies: readonly R[]) => void;
  /**
   * Records what the service does where the specification is silent, in words that every run of an unchanged service
   * uses: without what was drawn, measured, or assigned.
   *
   * @param input the kind of input that it was seen on, where several are recorded together
   * @param reply what shows it
   */
  readonly observe: (does: string, input?: string, reply?: Reply) => void;
  /** The requirement cannot be judged here; `see` names the one that stands in the way. */
  readonly inconclusive: (code: string, reason: string, see?: string) => never;
  readonly notApplicable: (reason: string) => never;
}

/** How many requests are kept of an observation, or of one of its inputs. */
const REQUESTS_KEPT = 10;
const REQUESTS_KEPT_OF_AN_INPUT = 1;

/** What a check observed at open points, on which inputs, and in which requests. */
export class Observations {
  /** The requests by what the service does, and by input; the empty text where it is about none. */
  readonly #seen = new Map<string, Map<string, ObservedRequest[]>>();

  add(does: string, input = '', request?: () => ObservedRequest): void {
    const seen = this.#seen.get(does) ?? new Map<string, ObservedRequest[]>();
    const requests = seen.get(input) ?? [];
    this.#seen.set(does, seen.set(input, requests));
    const most = input === '' ? REQUESTS_KEPT : REQUESTS_KEPT_OF_AN_INPUT;
    if (request !== undefined && requests.length < most) requests.push(request());
  }

  of(requirement: string): readonly Observation[] {
    return [...this.#seen].map(([does, seen]) => {
      // Their order must not depend on which answer came first.
      const byInput = [...seen].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const inputs = byInput.flatMap(([input]) => (input === '' ? [] : [input]));
      const requests = byInput.flatMap(([, shown]) => shown);
      return {
        requirement,
        reading: readingOf(does, inputs),
        ...(inputs.length === 0 ? {} : { does, inputs }),
        ...(requests.length === 0 ? {} : { requests }),
      };
    });
  }
}

/** A longer command says less than it takes. */
const LONGEST_CURL = 1_000;

function observedRequest({ call: { request: sent }, status }: Reply, address: Address): ObservedRequest {
  const curl = (sent.body?.length ?? 0) > LONGEST_CURL ? undefined : curlLine(sent, address);
  return {
    method: sent.method,
    url: address.baseUrl + withQuery(sent.path, sent.credential.shownQuery),
    ...(status === undefined ? {} : { status }),
    ...(curl === undefined || curl.length > LONGEST_CURL ? {} : { curl }),
  };
}

type GivenTools<R extends Reply, S extends RunState<R>> = Pick<
  CheckTools<R, S>,
  'checkId' | 'client' | 'state' | 'profile' | 'strict'
>;

export function createTools<R extends Reply, S extends RunState<R>>(
  given: GivenTools<R, S>,
  samples: Samples,
  observations: Observations,
): CheckTools<R, S> {
  return {
    ...given,
    forEach: (cases, judge) => samples.forEach(cases, judge),
    fewerInSmoke: (cases, inSmoke = 1) => samples.fewerInSmoke(cases, inSmoke),
    cover: (space, judge, circumstances) => samples.cover(space, judge, circumstances),
    draw: (arbitrary, count) => samples.draw(arbitrary, count),
    forAll: (arbitrary, runs, judge) => samples.forAll(arbitrary, runs, judge),
    expect: (judge, ...replies) => given.client.expect(judge, ...replies),
    observe: (does, input, reply) => {
      const { address } = given.client.http;
      observations.add(does, input, reply && (() => observedRequest(reply, address)));
    },
    inconclusive: (code, reason, see) => {
      throw new InconclusiveError(code, reason, { see });
    },
    notApplicable: (reason) => {
      throw new NotApplicableError(reason);
    },
  };
}
