import Fastify from 'fastify';
import sqlite from 'node-sqlite3-wasm';
import type { Listening } from '../listen.fixture.ts';
import type { NewPet, PetQuery } from '../pet.fixture.ts';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status },
};
const pet = { ...newPet, properties: { id: { type: 'integer' }, ...newPet.properties } };
const query = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status },
};
const params = { type: 'object', properties: { petId: { type: 'integer' } } };

/** As the documentation of Fastify shows it: a JSON Schema for every route, and the animals in SQLite. */
export async function startFirstFastify(key: string): Promise<Listening> {
  const db = new sqlite.Database(':memory:');
  db.exec(`CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, categoryId INTEGER NOT NULL, status TEXT
  )`);
  const app = Fastify();

  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === `Bearer ${key}`) return;
    await reply.code(401).send({ code: 'unauthorized', message: 'API key missing or invalid', status: 401 });
  });

  app.get<{ Querystring: PetQuery }>(
    '/v1/pets',
    { schema: { querystring: query, response: { 200: { type: 'array', items: pet } } } },
    async ({ query: { limit, status } }) =>
      status
        ? db.all('SELECT * FROM pets WHERE status = ? LIMIT ?', [status, limit])
        : db.all('SELECT * FROM pets LIMIT ?', [limit]),
  );

  app.post<{ Body: NewPet<number> }>(
    '/v1/pets',
    { schema: { body: newPet, response: { 201: pet } } },
    async ({ body: { name, categoryId, status } }, reply) => {
      const values = [name, categoryId, status ?? null];
      const { lastInsertRowid } = db.run('INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)', values);
      reply.code(201);
      return db.get('SELECT * FROM pets WHERE id = ?', lastInsertRowid);
    },
  );

  app.get<{ Params: { petId: number } }>(
    '/v1/pets/:petId',
    { schema: { params, response: { 200: pet } } },
    async ({ params: { petId } }, reply) => {
      const found = db.get('SELECT * FROM pets WHERE id = ?', petId);
      if (found) return found;
      return reply.code(404).send({ code: 'not_found', message: 'No such pet', status: 404 });
    },
  );

  app.addHook('onClose', async () => db.close());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { baseUrl: `${address}/v1`, stop: () => app.close() };
}
