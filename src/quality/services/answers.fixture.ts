import type { Response } from 'express';
import { stringifyExactly } from './exact-json.fixture.ts';

/** Answers with an error in the shape of the specification. */
export const refuse = (response: Response, status: number, code: string, message: string): Response =>
  response.status(status).json({ code, message, status });

/** Answers with a body that may hold bigints, which `response.json` cannot write. */
export const send = (response: Response, body: unknown): Response => response.type('json').send(stringifyExactly(body));
