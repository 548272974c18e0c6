import { setTimeout as delay } from 'node:timers/promises';
import { addressOf } from '../../http/connect/route.ts';
import type { RecordedExchange } from '../../http/recorded.ts';
import { type Asked, askedIn } from '../../petstore/recorded-call.ts';
import { RecordedKeys } from '../../petstore/recorded-keys.ts';
import { count } from '../../report/model/text.ts';
import { invalid } from '../errors.ts';
import { withoutQuotations } from './names.ts';
import { PassingServer } from './passing-server.ts';
import { redactorFor } from './secrets.ts';
import { beginTraffic, type TrafficOptions } from './traffic-run.ts';

export interface ProxyOptions extends TrafficOptions {
  readonly baseUrl: string;
  readonly port: number;
  readonly host: string;
}

/** Most refusals that wait until their key is accepted: then it was right. */
const MOST_WAITING = 50;

/**
 * Passes requests on to a service until Ctrl+C or the end of its time, and judges the answers as they pass.
 *
 * @returns the exit code of the verdict
 * @throws UsageError where it cannot listen, or a file cannot be written
 */
export async function proxyTraffic(options: ProxyOptions, stdout: NodeJS.WritableStream): Promise<number> {
  const { baseUrl, port, host, run: settings } = options;
  const over = new AbortController();
  const stop = (): void => over.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const address = addressOf(baseUrl);
  const keys = new RecordedKeys(['proxy']);
  const run = await beginTraffic(options, address.baseUrl, keys, (check, { message }, isExpected) => {
    const line = `${check}: ${options.redactNames ? withoutQuotations(message) : message}`;
    stdout.write(`${redactorFor(keys.secrets, line)(line)}\n`);
    if (settings.failFast && !isExpected) stop();
  });
  const waiting: { readonly recorded: RecordedExchange; readonly asked: Asked }[] = [];
  const judgeWaiting = (which: (one: (typeof waiting)[number]) => boolean): void => {
    for (const one of waiting.filter(which)) {
      waiting.splice(waiting.indexOf(one), 1);
      run.judge(one.recorded, one.asked);
    }
  };
  let unjudged = 0;
  let judgingMs = 0;
  const judge = (recorded: RecordedExchange): void => {
    const asked = askedIn(recorded);
    keys.learn(recorded, asked);
    if (asked?.baseUrl !== address.baseUrl) {
      unjudged += 1;
      return;
    }
    waiting.push({ recorded, asked });
    const isKnown = (one: (typeof waiting)[number]): boolean =>
      keys.credentialOf(one.recorded, one.asked).isUnknown !== true;
    judgeWaiting((one) => isKnown(one) || waiting.length > MOST_WAITING);
  };
  const judgeTimed = (recorded: RecordedExchange): void => {
    const began = performance.now();
    judge(recorded);
    judgingMs += performance.now() - began;
  };
  const server = new PassingServer(address, settings, judgeTimed);
  const shown = await server.listen(port, host).catch((error: unknown) => {
    throw invalid(
      '--port',
      `cannot listen on ${host}:${port} (${error instanceof Error ? error.message : error}); choose another`,
    );
  });
  stdout.write(`Passing ${shown} on to ${address.baseUrl} (report: Ctrl+C)\n`);
  const { maxTimeMs } = settings;
  const stopped = new Promise<void>((resolve) =>
    over.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  if (maxTimeMs !== undefined) delay(maxTimeMs, undefined, { signal: over.signal }).then(stop, () => {});
  await stopped;
  await server.close();
  judgeWaiting(() => true);
  const { responses, p50, p95 } = server.added;
  const notes = [
    `The proxy passed ${count(responses, 'response')} on, and added ${p50} ms to each (median; 95 % within ${p95} ms). To judge one, once it had passed, took ${(judgingMs / Math.max(1, responses)).toFixed(1)} ms.`,
    ...(unjudged === 0
      ? []
      : [`${count(unjudged, 'request')} of other operations, or that say nothing, were passed on only.`]),
    ...(server.unreached === 0
      ? []
      : [`${count(server.unreached, 'request')} did not reach the service, or got no answer.`]),
  ];
  return run.end(notes, stdout);
}
