import type { Contract } from '../contract/contract.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { LIST } from '../http/rig.fixture.ts';
import type { Stage } from './check.ts';
import type { CheckTools } from './check-tools.ts';
import type { EveryAnswer, RunState } from './every-answer.ts';
import type { Entry } from './history.ts';
import type { Plan } from './plan.ts';
import { parseCatalogue } from './read-catalogue.ts';
import { type Call, Reply } from './reply.ts';
import type { ServiceDefinition } from './service.ts';

/** What a run learns of the toy service: the numbers of the exchanges that it was told of. */
export class ToyState implements RunState<Reply> {
  readonly begun: string[] = [];
  readonly learned: number[] = [];
  begin({ description }: Call): void {
    this.begun.push(description);
  }
  learn({ exchange }: Reply): void {
    this.learned.push(exchange.number);
  }
}

export type ToyTools = CheckTools<Reply, ToyState>;

export const toyContract: Contract = {
  operations: ['list', 'add'],
  statuses: () => [200],
  validateResponse: () => [],
  validateRequest: () => [],
  validate: () => [],
};

const TOY_PARTS = [{ part: '1', title: 'Things', prefix: 'THING' }];
const TOY_ROWS = "- { id: THING-1, source: ['1'], kind: stated, says: A thing is listed. }";

/** A service of two operations, whose checks are written in the engine's own tools. */
export function toyService(
  prepare: (stage: Stage) => Promise<void> = async () => {},
): ServiceDefinition<Reply, ToyState, ToyTools> {
  return {
    description: {
      title: 'Toy Service',
      program: 'toy',
      created: { one: 'toy', many: 'toys' },
      keyVariable: 'TOY_KEY',
      parts: TOY_PARTS,
    },
    headerVariablePrefix: 'TOY_HEADER_',
    loadCatalogue: () => parseCatalogue(TOY_PARTS, TOY_ROWS),
    loadContract: async () => toyContract,
    preflight: {
      unknownTargetCode: 'not-a-toy',
      first: () => LIST,
      reads: () => [],
      writes: () => [],
      showsService: () => true,
    },
    replay: {
      schema: { type: 'object' },
      names: () => undefined,
      given: () => undefined,
      record: ({ description }) => ({ description }),
      restore: () => toyCall(),
    },
    secrets: () => [],
    ledgerEntry: () => undefined,
    readReply: toyReply,
    verify: ({ description }) => (description === 'a wrong call' ? 'it is not what it claims to be' : undefined),
    createState: () => new ToyState(),
    open: () => ({
      prepare,
      vocabulary: (tools) => tools,
    }),
  };
}

export function toyCall(changes: Partial<Call> = {}): Call {
  return { request: LIST, description: 'a list', equivalence: 'list', effect: 'reads', ...changes };
}

/** The call that adds a toy. */
export const addToy = (): Call =>
  toyCall({
    request: { ...LIST, operation: 'add', method: 'POST' },
    description: 'an addition',
    equivalence: 'add',
    effect: 'may create',
  });

export function toyExchange(number: number, status: number | undefined, body = '[]'): Exchange {
  const answer: Answer =
    status === undefined
      ? { kind: 'no response', code: 'reset', sentence: 'the connection was reset', milliseconds: 1 }
      : {
          kind: 'response',
          status,
          headers: [],
          body: new TextEncoder().encode(body),
          encodingFault: undefined,
          milliseconds: 1,
        };
  return { number, request: LIST, answer, sentAt: number, answeredAt: number + 1, resent: false };
}

export function toyReply(call: Call, exchange: Exchange, contract: Contract = toyContract): Reply {
  return new Reply(call, exchange, contract, { errorSchema: 'Error', members: new Set() });
}

/** A reply with this status; undefined for none. */
export const repliedWith = (number: number, status: number | undefined, call: Call = toyCall()): Reply =>
  toyReply(call, toyExchange(number, status));

export function toyPlan(baseUrl: string, checks: readonly string[], changes: Partial<Plan> = {}): Plan {
  return {
    runId: 'test',
    baseUrl,
    token: 'Key-Of-The-Toy-Tests',
    headers: [],
    userAgent: 'test',
    profile: 'standard',
    readOnly: false,
    maxCreates: 100,
    seed: 7,
    replay: undefined,
    concurrency: 16,
    rateLimit: { kind: 'none' },
    requestTimeoutMs: 30_000,
    maxTimeMs: 60_000,
    settleMs: 0,
    lingerMs: 0,
    strict: false,
    today: '2027-01-01',
    caFile: undefined,
    insecure: false,
    checks,
    recordTraffic: false,
    failFast: false,
    ledgerFile: undefined,
    ...changes,
  };
}

/** The entry of a reply to a call that was sent by itself. */
export const sentAlone = (reply: Reply): Entry<Reply> => ({
  reply,
  calls: [reply.call],
  together: undefined,
  at: 0,
  created: 0,
});

/** Has an answer judged, and whatever is wrong with it counted. */
export function judge(everyAnswer: EveryAnswer<Reply, ToyState>, reply: Reply): void {
  for (const [id, violation] of everyAnswer.receive(sentAlone(reply)).violations)
    everyAnswer.accuse(reply, id, violation, '');
}
