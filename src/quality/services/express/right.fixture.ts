import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { refuse, send } from '../answers.fixture.ts';
import { categoryIdIn, int64Of } from '../exact-json.fixture.ts';
import { type Listening, listen, OPENAPI } from '../listen.fixture.ts';
import type { NewPet, Pet } from '../pet.fixture.ts';

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  refuse(response, error.status ?? 500, error.name, error.message);
};

/** The first version, with integers that are exact and parameters that are read strictly. */
export function startRightExpress(key: string): Promise<Listening> {
  const pets = new Map<bigint, Pet>();
  const bodies = new WeakMap<IncomingMessage, Buffer>();
  const app = express();
  app.use(express.json({ verify: (request, _response, bytes) => bodies.set(request, bytes) }));
  app.use(
    OpenApiValidator.middleware({
      apiSpec: OPENAPI,
      validateSecurity: { handlers: { apiKey: (request) => request.headers.authorization === `Bearer ${key}` } },
    }),
  );

  app.get('/v1/pets', (request, response) => {
    const { limit, status } = request.query;
    const matching = [...pets.values()].filter((pet) => status === undefined || pet.status === status);
    // The validator lets `Infinity`, `-Infinity` and `1e400` pass.
    send(response, matching.slice(0, Math.max(1, Math.min(Number(limit), 100))));
  });

  app.post('/v1/pets', (request, response) => {
    const { name, status }: NewPet<number> = request.body;
    const categoryId = categoryIdIn(bodies.get(request));
    if (categoryId === undefined) return void refuse(response, 400, 'invalid', 'categoryId must be an int64');
    const pet: Pet = { id: BigInt(pets.size + 1), name, categoryId, status };
    pets.set(pet.id, pet);
    send(response.status(201), pet);
  });

  app.get('/v1/pets/:petId', (request, response) => {
    // The validator has converted the parameter: `0x1` and `1e0` would be 1.
    const id = int64Of(decodeURIComponent(request.path.slice('/v1/pets/'.length)));
    const pet = id === undefined ? undefined : pets.get(id);
    if (pet) send(response, pet);
    else refuse(response, 404, 'not_found', 'No such pet');
  });

  app.use(onError);
  return listen(app);
}
