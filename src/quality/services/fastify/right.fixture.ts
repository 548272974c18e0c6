import { Ajv } from 'ajv';
import Fastify, { type FastifyError, type FastifyReply } from 'fastify';
import sqlite from 'node-sqlite3-wasm';
import { int64Of, isInt64, parseExactly } from '../exact-json.fixture.ts';
import type { Listening } from '../listen.fixture.ts';
import type { NewPet, PetQuery } from '../pet.fixture.ts';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const body = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: { name: { type: 'string' }, categoryId: { int64: true }, status },
};
const query = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status },
};
const pet = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, categoryId: { type: 'integer' }, status },
};

/** Bodies are judged as they are; only what stands in an address is text that must be converted. */
const ofBodies = new Ajv().addKeyword({ keyword: 'int64', validate: (_is: boolean, value: unknown) => isInt64(value) });
const ofAddresses = new Ajv({ coerceTypes: true, useDefaults: true });

const refuse = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify({ code, message, status }));

/**
 * Names are stored as JSON: the driver ends a text at its first NUL, and drops a U+FEFF at its beginning. A status that an
 * animal does not have is left out: the serializer would write NULL as an empty string.
 */
const stored = ({ name, categoryId, status }: NewPet) => [JSON.stringify(name), categoryId, status ?? null];
const shown = (row: Record<string, unknown> | null) =>
  row && { ...row, name: JSON.parse(`${row['name']}`), status: row['status'] ?? undefined };

/** The first version, with bodies that nothing is converted in, and every error in the shape of the specification. */
export async function startRightFastify(key: string): Promise<Listening> {
  const db = new sqlite.Database(':memory:');
  db.exec(`CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, categoryId INTEGER NOT NULL, status TEXT
  ) STRICT`);
  const app = Fastify({
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, _request, reply) => refuse(reply, error.statusCode ?? 500, error.code, error.message),
  });
  app.setErrorHandler<FastifyError>((error, _request, reply) =>
    refuse(reply, error.statusCode ?? 500, error.code ?? 'error', error.message),
  );
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? ofBodies : ofAddresses).compile(schema));
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseExactly(`${text}`));
    } catch {
      done(Object.assign(new Error('The body is not JSON'), { statusCode: 400, code: 'not_json' }));
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === `Bearer ${key}`) return;
    await refuse(reply, 401, 'unauthorized', 'API key missing or invalid');
  });

  app.get<{ Querystring: PetQuery }>(
    '/v1/pets',
    { schema: { querystring: query, response: { 200: { type: 'array', items: pet } } } },
    async ({ query: { limit, status } }) => {
      // `1e400` and `-Infinity` are read as infinite, and pass the schema.
      const most = Math.max(1, Math.min(limit, 100));
      const rows = status
        ? db.all('SELECT * FROM pets WHERE status = ? LIMIT ?', [status, most])
        : db.all('SELECT * FROM pets LIMIT ?', [most]);
      return rows.map(shown);
    },
  );

  app.post<{ Body: NewPet }>('/v1/pets', { schema: { body, response: { 201: pet } } }, async (request, reply) => {
    const values = stored(request.body);
    const { lastInsertRowid } = db.run('INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)', values);
    reply.code(201);
    return shown(db.get('SELECT * FROM pets WHERE id = ?', lastInsertRowid));
  });

  app.get<{ Params: { petId: string } }>(
    '/v1/pets/:petId',
    { schema: { response: { 200: pet } } },
    async ({ params: { petId } }, reply) => {
      const id = int64Of(petId);
      const found = id === undefined ? null : db.get('SELECT * FROM pets WHERE id = ?', id);
      return shown(found) ?? refuse(reply, 404, 'not_found', 'No such pet');
    },
  );

  app.addHook('onClose', async () => db.close());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { baseUrl: `${address}/v1`, stop: () => app.close() };
}
