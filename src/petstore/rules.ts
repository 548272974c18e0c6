import type { Breach, Judgement } from '../engine/breach.ts';
import type { Rule } from '../engine/check.ts';
import type { Response } from '../http/exchange.ts';
import { type Call, type CreateCall, describe, filterOf, type ListCall, limitOf } from './call.ts';
import type { FaultSubject } from './fault-subject.ts';
import type { NewPet } from './inputs/new-pet.ts';
import type { Knowledge } from './knowledge.ts';
import type { Animal, Reply } from './reply.ts';

/** Makers of rules. Each rule is about one kind of reply and silent on all others. */

export function breach(code: string, message: string, expected: string, actual: string): Breach {
  return { code, message, expected, actual };
}

/** Several rules as one: the first breach counts, and it holds where any of them holds. */
export function allOf(...rules: readonly Rule[]): Rule {
  return (reply, known) => {
    let overall: Judgement = 'silent';
    for (const rule of rules) {
      const judgement = rule(reply, known);
      if (judgement === 'holds') overall = 'holds';
      else if (judgement !== 'silent') return judgement;
    }
    return overall;
  };
}

/** Every response with a 2xx or a 4xx, which are those that the specification gives a body. */
export function onResponse(judge: (reply: Reply, response: Response) => Judgement): Rule {
  return (reply) => {
    const { response } = reply;
    if (response === undefined) return 'silent';
    const { status } = response;
    const hasBody = (status >= 200 && status < 300 && status !== 204) || (status >= 400 && status < 500);
    return hasBody ? judge(reply, response) : 'silent';
  };
}

/** Every refusal (4xx), whatever was wrong with the request. */
export function onRefusal(judge: (reply: Reply, response: Response) => Judgement): Rule {
  return onResponse((reply, response) => (response.status >= 400 ? judge(reply, response) : 'silent'));
}

/**
 * Every call, sent with the right key, that must succeed because of this requirement. A 401 and a 5xx belong to
 * other requirements.
 */
export function succeeds(status: number, when: (call: Call, reply: Reply, known: Knowledge) => boolean): Rule {
  return (reply, known) => {
    if (reply.status === undefined || reply.status === 401 || reply.status >= 500) return 'silent';
    if (!reply.call.credential.right || !when(reply.call, reply, known)) return 'silent';
    if (reply.status === status) return 'holds';
    return breach('status', `answers ${reply.status} to ${describe(reply.call)}`, `${status}`, `${reply.status}`);
  };
}

/** Every valid body whose acceptance rests on the requirement `owner`: it must be answered 201. */
export function accepts(owner: string): Rule {
  return succeeds(
    201,
    (call) => call.operation === 'createPet' && call.body.kind === 'sound' && call.body.owner === owner,
  );
}

/** Every 201 to a valid body: what was sent beside what came back. */
export function onCreated(judge: (sent: NewPet, animal: Animal, call: CreateCall) => Judgement): Rule {
  return ({ call, isSuccess, animals: [animal] }) => {
    if (call.operation !== 'createPet' || call.body.kind !== 'sound') return 'silent';
    return isSuccess && animal !== undefined ? judge(call.body.pet, animal, call) : 'silent';
  };
}

interface PageView {
  readonly reply: Reply;
  readonly call: ListCall;
  /** Entries, readable or not. */
  readonly length: number;
  readonly animals: readonly Animal[];
}

/** Every page, whatever was asked for. */
export function onPage(judge: (page: PageView, known: Knowledge) => Judgement): Rule {
  return (reply, known) => {
    const { call, pageLength } = reply;
    if (call.operation !== 'listPets' || pageLength === undefined) return 'silent';
    return judge({ reply, call, length: pageLength, animals: reply.animals }, known);
  };
}

/** A page must not be longer than the limit that was asked for, or than the default. */
export function withinLimit({ call, length }: PageView): Judgement {
  const limit = limitOf(call);
  if (limit === undefined) return 'silent';
  if (length <= limit) return 'holds';
  const asked = call.limit === undefined ? 'without a limit' : `with limit=${call.limit}`;
  return breach(
    'page-too-long',
    `a page asked for ${asked} holds ${length} animals`,
    `at most ${limit} animals`,
    `${length} animals`,
  );
}

/** Every animal on a page must have the status that the page was filtered by. */
export function withinFilter({ call, animals }: PageView): Judgement {
  const filter = filterOf(call);
  if (filter === 'none' || filter === 'odd') return 'silent';
  const stray = animals.find(({ status }) => status !== filter);
  if (stray === undefined) return 'holds';
  const found = stray.statusText ?? 'no status';
  const message = `a page filtered by status=${filter} holds an animal with ${found} (id ${stray.id})`;
  return breach('filter', message, `only ${filter}`, found);
}

/** Every animal in every reply; the first breach counts. */
export function onAnimal(judge: (animal: Animal, reply: Reply, known: Knowledge) => Judgement): Rule {
  return (reply, known) => {
    let overall: Judgement = 'silent';
    for (const animal of reply.animals) {
      const judgement = judge(animal, reply, known);
      if (judgement === 'holds') overall = 'holds';
      else if (judgement !== 'silent') return judgement;
    }
    return overall;
  };
}

/** Every readable success: its body is compared with the schema, as far as it concerns these parts of it. */
export function onSchema(code: string, expected: string, ...subjects: readonly FaultSubject[]): Rule {
  return (reply) => {
    if (!reply.isSuccess) return 'silent';
    const [fault] = reply.faultsOf(...subjects);
    if (fault !== undefined) return breach(code, fault.message, expected, 'another shape');
    return reply.animals.length > 0 || subjects.includes('pets') ? 'holds' : 'silent';
  };
}
