import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { type Context, OpenAPIBackend } from 'openapi-backend';
import { refuse, send } from '../answers.fixture.ts';
import { categoryIdIn, int64Of } from '../exact-json.fixture.ts';
import { type Listening, listen, OPENAPI } from '../listen.fixture.ts';
import type { Pet } from '../pet.fixture.ts';

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = error instanceof URIError ? 400 : (error.status ?? 500);
  refuse(response, status, error.name, error.message);
};

/** The first version, which remembers what it was given; what a body leaves out is still made from the contract. */
export async function startRightMock(key: string): Promise<Listening> {
  const pets = new Map<bigint, Pet>();
  const bodies = new WeakMap<IncomingMessage, Buffer>();
  const api = new OpenAPIBackend({
    definition: OPENAPI,
    apiRoot: '/v1',
    quick: true,
    // The format would be judged by a number that has been rounded.
    customizeAjv: (ajv) => ajv.addFormat('int64', true),
  });
  api.register({
    listPets: ({ request: { query } }: Context, _request: Request, response: Response) => {
      const { limit = 20, status } = query;
      const matching = [...pets.values()].filter((pet) => status === undefined || pet.status === status);
      return send(response, matching.slice(0, Math.min(Number(limit), 100)));
    },
    createPet: ({ request: { requestBody } }: Context, request: Request, response: Response) => {
      const categoryId = categoryIdIn(bodies.get(request));
      if (categoryId === undefined) return refuse(response, 400, 'invalid', 'categoryId must be an int64');
      const { mock } = api.mockResponseForOperation('createPet');
      const { name, status = mock.status } = requestBody;
      const pet: Pet = { id: BigInt(pets.size + 1), name, categoryId, status };
      pets.set(pet.id, pet);
      return send(response.status(201), pet);
    },
    getPet: (_context: Context, request: Request, response: Response) => {
      // The parameter has been converted: `0x1` and `1e0` would be 1.
      const id = int64Of(decodeURIComponent(request.path.slice('/v1/pets/'.length)));
      const pet = id === undefined ? undefined : pets.get(id);
      return pet ? send(response, pet) : refuse(response, 404, 'not_found', 'No such pet');
    },
    validationFail: (context: Context, _request: Request, response: Response) =>
      refuse(response, 400, 'invalid', JSON.stringify(context.validation.errors)),
    notFound: (_context: Context, _request: Request, response: Response) =>
      refuse(response, 404, 'not_found', 'No such resource'),
    unauthorizedHandler: (_context: Context, _request: Request, response: Response) =>
      refuse(response, 401, 'unauthorized', 'API key missing or invalid'),
  });
  api.registerSecurityHandler('apiKey', ({ request }) => request.headers['authorization'] === `Bearer ${key}`);
  await api.init();

  const app = express();
  app.use(express.json({ verify: (request, _response, bytes) => bodies.set(request, bytes) }));
  app.use((request, response) => {
    const { method, originalUrl: path, body } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value = '']) => [name, value]));
    return api.handleRequest({ method, path, body, headers }, request, response);
  });
  app.use(onError);
  return listen(app);
}
