import type { Answer, Call, Fault, Operation, Steps, Variant } from './steps.ts';

type Change = (steps: Steps) => Steps;

/** A fault, from its name, the requirement that it breaks, a sentence and the change. */
export const fault = (name: string, breaks: string, says: string, change: Change): Fault => ({
  name,
  breaks,
  says,
  change,
});

/** A variant, from its name, the requirement that leaves the choice, a sentence and the change. */
export const variant = (name: string, chooses: string, says: string, change: Change): Variant => ({
  name,
  chooses,
  says,
  change,
});

/** Changes one step; `make` gets the usual step and gives the one that takes its place. */
export const changing =
  <Name extends keyof Steps>(name: Name, make: (usual: Steps[Name]) => Steps[Name]): Change =>
  (steps) => ({ ...steps, [name]: make(steps[name]) });

/** Several changes, one after the other. */
export const together =
  (...changes: readonly Change[]): Change =>
  (steps) =>
    changes.reduce((changed, change) => change(changed), steps);

/** Which answers a change is about. */
export type Which = (answer: Answer, call: Call) => boolean;

/** Every answer. */
export const every: Which = () => true;
/** The answers of one operation, or only those with one status. */
export const answersOf =
  (operation: Operation, status?: number): Which =>
  (answer, call) =>
    call.operation === operation && (status === undefined || answer.status === status);
/** The answers with one status, of whatever operation. */
export const answersWith =
  (status: number): Which =>
  (answer) =>
    answer.status === status;
export const isSuccess: Which = (answer) => answer.status < 300;
export const isError: Which = (answer) => answer.status >= 400;

/** Changes finished answers. */
export const answering = (which: Which, alter: (answer: Answer, call: Call) => Answer): Change =>
  changing('serve', (usual) => async (call) => {
    const answer = await usual(call);
    return which(answer, call) ? alter(answer, call) : answer;
  });

/** Changes the text of finished answers. */
export const rewriting = (which: Which, rewrite: (text: string, call: Call) => string): Change =>
  answering(which, (answer, call) => ({ ...answer, body: rewrite(textOf(answer), call) }));

/** The body of an answer as text. */
export const textOf = ({ body }: Answer): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8');

/** An Error answer made by hand. */
export const errorAnswer = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ code: 'error', message: 'The request has failed.', status }),
});

/** True at every `count`-th time of asking. */
export function everyNth(count: number): () => boolean {
  let asked = 0;
  return () => {
    asked += 1;
    return asked % count === 0;
  };
}

/** The members of an object, but for one. */
export const without = <Value>(members: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(members).filter(([member]) => member !== name));
