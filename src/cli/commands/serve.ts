import type { Writable } from 'node:stream';
import {
  FAULTS,
  findFault,
  findVariant,
  type RunningReference,
  startReference,
  VARIANTS,
} from '../../reference/index.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { quoted } from '../quoted.ts';
import type { ServeOptions } from './command.ts';

/** The key that the service takes where none is given; known to all, so it may be shown. */
const DEMO_KEY = 'petstore-demo-key';

/**
 * Runs the reference service until SIGINT or SIGTERM.
 * @returns the exit code
 * @throws UsageError where a fault or a variant is not known, or the address cannot be had
 */
export async function serve(options: ServeOptions, stdout: Writable): Promise<number> {
  const faults = options.faults.map((name) => found('--fault', name, findFault(name), FAULTS));
  const variants = options.variants.map((name) => found('--variant', name, findVariant(name), VARIANTS));
  // Listened for from the start: a signal that comes at once must not be lost.
  const stopped = stopSignal();
  const service = await start(options, faults, variants);
  const key = options.token === undefined ? DEMO_KEY : 'as given, not shown';
  stdout.write(`Reference service at ${service.baseUrl} (API key: ${key}; stop it with Ctrl+C)\n`);
  await stopped;
  await service.stop();
  return 0;
}

type ReferenceOptions = Parameters<typeof startReference>[0];

async function start(
  { port, host, token, latencyMs, animals }: ServeOptions,
  faults: NonNullable<ReferenceOptions['faults']>,
  variants: NonNullable<ReferenceOptions['variants']>,
): Promise<RunningReference> {
  try {
    return await startReference({
      port,
      host,
      token: token ?? DEMO_KEY,
      faults,
      variants,
      latencyMs,
      ...(animals === undefined ? {} : { seedAnimals: animals }),
    });
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'EADDRINUSE':
        throw new UsageError(
          'value-invalid',
          `--port: ${port} is in use on ${host}; give another, or 0 for any free one`,
        );
      case 'EACCES':
        throw new UsageError(
          'value-invalid',
          `--port: ${port} may not be used by this user; give one above 1023, or 0`,
        );
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new UsageError(
          'value-invalid',
          `--host: ${quoted(host)} is no address of this machine; leave it out for 127.0.0.1`,
        );
      default:
        throw error;
    }
  }
}

function found<T>(option: string, name: string, item: T | undefined, all: readonly { readonly name: string }[]): T {
  if (item !== undefined) return item;
  const guess = nearest(
    name,
    all.map((known) => known.name),
  );
  const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
  throw new UsageError(
    'name-unknown',
    `${option}: there is none of the name ${quoted(name)}${hint} (npm test faults lists them all)`,
  );
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
