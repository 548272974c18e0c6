import { brief } from '../engine/breach.ts';
import type { CheckContext } from '../engine/context.ts';
import type { OpenBody } from './inputs/body.ts';
import type { Reply } from './reply.ts';
import { breach } from './rules.ts';

/** A value in a few words. */
export function shown(value: string | bigint | undefined): string {
  return value === undefined ? 'nothing' : typeof value === 'bigint' ? `${value}` : brief(value);
}

/** Where an open body was accepted, the animal must hold what the body certainly said. */
export function madeOf(context: CheckContext, body: OpenBody, reply: Reply): void {
  const [animal] = reply.animals;
  if (!reply.isSuccess || animal === undefined) return;
  const fields = ['name', 'categoryId', 'status'] as const;
  const wrong = fields.find((field) => body.pet[field] !== undefined && body.pet[field] !== animal[field]);
  if (wrong === undefined) return;
  const message = `accepts ${body.label}, and the ${wrong} is another one`;
  context.broken(breach('changed', message, shown(body.pet[wrong]), shown(animal[wrong])), reply.exchange);
}
