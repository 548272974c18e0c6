import express, { type ErrorRequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { type Listening, listen, OPENAPI } from '../listen.fixture.ts';
import type { NewPet, Pet } from '../pet.fixture.ts';

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = error.status ?? 500;
  response.status(status).json({ code: error.name, message: error.message, status });
};

/** As the documentation of express-openapi-validator shows it, with the animals in memory. */
export function startFirstExpress(key: string): Promise<Listening> {
  const pets: Pet<number>[] = [];
  const app = express();
  app.use(express.json());
  app.use(
    OpenApiValidator.middleware({
      apiSpec: OPENAPI,
      validateRequests: true,
      validateResponses: true,
      validateSecurity: { handlers: { apiKey: (request) => request.headers.authorization === `Bearer ${key}` } },
    }),
  );

  app.get('/v1/pets', (request, response) => {
    const { limit, status } = request.query;
    const matching = status ? pets.filter((pet) => pet.status === status) : pets;
    response.json(matching.slice(0, Number(limit)));
  });

  app.post('/v1/pets', (request, response) => {
    const { name, categoryId, status }: NewPet<number> = request.body;
    const pet = { id: pets.length + 1, name, categoryId, status };
    pets.push(pet);
    response.status(201).json(pet);
  });

  app.get('/v1/pets/:petId', (request, response) => {
    const pet = pets.find(({ id }) => id === Number(request.params.petId));
    if (pet) response.json(pet);
    else response.status(404).json({ code: 'not_found', message: 'No such pet', status: 404 });
  });

  app.use(onError);
  return listen(app);
}
