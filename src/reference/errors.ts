import type { JsonObject } from './json.ts';
import type { Answer, Call } from './steps.ts';

/** A request that is answered with an Error (part 7). */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const invalidBody = (message: string): Refusal => new Refusal(400, 'invalid_body', message);
export const invalidParameter = (message: string): Refusal => new Refusal(400, 'invalid_parameter', message);
export const petNotFound = (text: string): Refusal =>
  new Refusal(404, 'pet_not_found', `No animal has the identifier ${JSON.stringify(text.slice(0, 40))}.`);

/** The Error object (part 2). */
export function describeError(refusal: Refusal): JsonObject {
  return {
    code: refusal.code,
    message: refusal.message,
    status: refusal.status,
  };
}

/** Turns whatever was thrown into an Error answer; what is no refusal is the service's own fault. */
export function answerError(thrown: unknown, call: Call): Answer {
  const { steps } = call.shop;
  const refusal =
    thrown instanceof Refusal ? thrown : new Refusal(500, 'internal_error', 'The service failed on this request.');
  return steps.reply(refusal.status, steps.describeError(refusal, call), refusal.headers, call);
}
