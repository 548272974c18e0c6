import type { buildConnector } from 'undici';
import { type Failure, failureOf } from '../failures.ts';
import { withoutBrackets } from './proxy.ts';

/** How long a service may take to refuse a connection that was just made (ms). */
const REFUSAL_MS = 1_000;

/**
 * Makes one TLS connection and sends nothing on it. With TLS 1.3 a service refuses a missing client certificate only
 * after the handshake; where a request is sent meanwhile, the reason is mostly lost and only a reset is seen.
 *
 * @returns why the service refused the connection; undefined where it did not
 */
export function refusalAfterHandshake(origin: string, connect: buildConnector.connector): Promise<Failure | undefined> {
  const { host, hostname, port, protocol } = new URL(origin);
  return new Promise((resolve) => {
    connect({ host, hostname: withoutBrackets(hostname), port, protocol }, (error, socket) => {
      if (error !== null || socket === null) {
        resolve(failureOf(error));
        return;
      }
      const end = (refusal: Failure | undefined): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(refusal);
      };
      const timer = setTimeout(end, REFUSAL_MS, undefined);
      socket
        .on('error', (refusal) => end(failureOf(refusal)))
        .on('close', () => end(undefined))
        .resume();
    });
  });
}
