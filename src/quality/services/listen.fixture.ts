import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PACKAGE_ROOT } from '../../package.ts';

/** The contract of the service, as its developers were given it. */
export const OPENAPI = fileURLToPath(new URL('spec/openapi.yaml', PACKAGE_ROOT));

/** A service that listens on this machine. */
export interface Listening {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Starts a service that takes one key. */
export type StartService = (key: string) => Promise<Listening>;

/** Serves an application of Node's own HTTP server on a port that is free. */
export async function listen(app: RequestListener): Promise<Listening> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
