import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PACKAGE_ROOT } from '../../package.ts';
import { recordingServer } from '../../petstore/rig.fixture.ts';

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
export const listen: (app: RequestListener) => Promise<Listening> = recordingServer;
