import { writeFile } from 'node:fs/promises';

/** Writes an HTTP archive: animals that are created, each read back at once. */
export async function writeTraffic(file: string, exchanges: number): Promise<void> {
  const entries = Array.from({ length: exchanges }, (_, at) => entryOf(at));
  await writeFile(file, JSON.stringify({ log: { version: '1.2', entries } }));
}

function entryOf(at: number) {
  const id = Math.floor(at / 2) + 1;
  const pet = { name: `Animal ${id}`, categoryId: 1, status: 'sold' };
  const [sent, received] = [JSON.stringify(pet), JSON.stringify({ id, ...pet })];
  const isCreation = at % 2 === 0;
  const url = 'https://shop.example/v1/pets';
  const headers = [{ name: 'authorization', value: 'Bearer bench' }];
  return {
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString(),
    time: 20,
    request: isCreation
      ? { method: 'POST', url, headers, bodySize: sent.length, postData: { mimeType: 'application/json', text: sent } }
      : { method: 'GET', url: `${url}/${id}`, headers, bodySize: 0 },
    response: {
      status: isCreation ? 201 : 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: received.length, text: received },
    },
  };
}
