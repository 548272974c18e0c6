import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject } from './json.ts';
import type { Pet } from './pet.ts';
import type { Answer, Call } from './steps.ts';

/** The whole body of a request, or undefined when it has more than `maximum` bytes (it is then read to its end, unkept). */
export async function readBytes(incoming: IncomingMessage, maximum: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size <= maximum) chunks.push(chunk);
  }
  return size <= maximum ? Buffer.concat(chunks, size) : undefined;
}

/** The Pet object (part 2). */
export function describePet(pet: Pet): JsonObject {
  const { id, name, categoryId, status, extra } = pet;
  return {
    ...extra,
    id,
    name,
    categoryId,
    ...(status === undefined ? {} : { status }),
  };
}

/** An answer with a JSON body. */
export function reply(status: number, value: Json, headers: Readonly<Record<string, string>>, call: Call): Answer {
  const body = call.shop.steps.writeJson(value, call);
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  };
}

/** Sends an answer whole, with its length. */
export function send(answer: Answer, call: Call): void {
  const { outgoing } = call;
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    'Content-Length': Buffer.byteLength(answer.body),
  });
  outgoing.end(answer.body);
}
