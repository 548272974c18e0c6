import type { ApiResponse, Call, Fault, Operation, Steps, Variant } from './steps.ts';

/** Turns the steps of a service into changed ones. */
export type StepsChange = (steps: Steps) => Steps;

/** A fault, from its name, the requirement that it breaks, a sentence and the change. */
function fault(name: string, breaks: string, says: string, change: StepsChange): Fault {
  return { name, breaks, says, change };
}

/** A variant, from its name, the requirement that leaves the choice, a sentence and the change. */
function variant(name: string, chooses: string, says: string, change: StepsChange): Variant {
  return { name, chooses, says, change };
}

/** Changes by their names, each with a sentence about what the changed service does. */
type ChangeTable = Readonly<Record<string, readonly [says: string, change: StepsChange]>>;

/** The faults of a table that break one requirement. */
export const breaking = (breaks: string, table: ChangeTable): readonly Fault[] =>
  Object.entries(table).map(([name, [says, change]]) => fault(name, breaks, says, change));

/** The same of faults that show once the first animals are so old (ms). */
export const breakingLater = (breaks: string, lingerMs: number, table: ChangeTable): readonly Fault[] =>
  breaking(breaks, table).map((late) => ({ ...late, lingerMs }));

/** The variants of a table that make other choices at one requirement. */
export const choosing = (chooses: string, table: ChangeTable): readonly Variant[] =>
  Object.entries(table).map(([name, [says, change]]) => variant(name, chooses, says, change));

/** Overrides one step; `make` takes the original step and returns the one that replaces it. */
export const override =
  <Name extends keyof Steps>(name: Name, make: (original: Steps[Name]) => Steps[Name]): StepsChange =>
  (steps) => ({ ...steps, [name]: make(steps[name]) });

/** Several changes, one after the other. */
export function combine(...changes: readonly StepsChange[]): StepsChange {
  return (steps) => changes.reduce((changed, change) => change(changed), steps);
}

/** Which responses a change applies to. */
export type ResponseFilter = (response: ApiResponse, call: Call) => boolean;

export const everyResponse: ResponseFilter = () => true;
export const isSuccess: ResponseFilter = (response) => response.status < 300;
export const isError: ResponseFilter = (response) => response.status >= 400;

/** The responses with one status, whatever the operation. */
export function responsesWith(status: number): ResponseFilter {
  return (response) => response.status === status;
}

/** The responses of one operation with one status. */
export function responsesOf(operation: Operation, status: number): ResponseFilter {
  return (response, call) => call.operation === operation && response.status === status;
}

/** Changes responses before they are sent. */
export const changeResponse = (
  which: ResponseFilter,
  alter: (response: ApiResponse, call: Call) => ApiResponse,
): StepsChange =>
  override('serve', (original) => async (call) => {
    const response = await original(call);
    return which(response, call) ? alter(response, call) : response;
  });

/** Changes the text of responses before they are sent. */
export const changeText = (which: ResponseFilter, rewrite: (text: string, call: Call) => string): StepsChange =>
  changeResponse(which, (response, call) => ({ ...response, body: rewrite(textOf(response), call) }));

export const textOf = ({ body }: ApiResponse): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8');

/** A response with JSON that is already written. */
export function jsonResponse(status: number, body: string): ApiResponse {
  return { status, headers: { 'Content-Type': 'application/json' }, body };
}

/** A response with a valid Error. */
export const errorResponse = (status: number): ApiResponse =>
  jsonResponse(status, JSON.stringify({ code: 'error', message: 'The request has failed.', status }));

/** Returns true on every `count`-th call. */
export function everyNth(count: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % count === 0;
  };
}

/** A change that takes effect on every `count`-th call of `isDue`, counted anew at each start of the service. */
export function onEveryNth(count: number, make: (isDue: () => boolean) => StepsChange): StepsChange {
  return (steps) => make(everyNth(count))(steps);
}

/** The members of an object, except for one. */
export const without = <Value>(members: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(members).filter(([member]) => member !== name));

/** The members of an animal; a client may send all but the id. */
export const SPECIFIED = ['id', 'name', 'categoryId', 'status'];
