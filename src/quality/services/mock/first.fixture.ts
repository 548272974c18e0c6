import express, { type Request, type Response } from 'express';
import { type Context, OpenAPIBackend } from 'openapi-backend';
import { refuse } from '../answers.fixture.ts';
import { type Listening, listen, OPENAPI } from '../listen.fixture.ts';

/** A mock server as the documentation of openapi-backend shows it: every answer is made from the contract. */
export async function startFirstMock(key: string): Promise<Listening> {
  // Quick: its check of the document knows no OpenAPI 3.1.
  const api = new OpenAPIBackend({ definition: OPENAPI, apiRoot: '/v1', quick: true });
  api.register({
    notImplemented: (context: Context, _request: Request, response: Response) => {
      const { status, mock } = api.mockResponseForOperation(context.operation.operationId ?? '');
      return response.status(status).json(mock);
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
  app.use(express.json());
  app.use((request, response) => {
    const { method, originalUrl: path, body } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value = '']) => [name, value]));
    return api.handleRequest({ method, path, body, headers }, request, response);
  });
  return listen(app);
}
