import type { Writable } from 'node:stream';
import { FAULTS, type RunningReference, startReference, VARIANTS } from '../../reference/index.ts';
import { invalid, quoted } from '../errors.ts';
import { unknownName } from '../suggestions.ts';
import type { ServeOptions } from './command.ts';

/** The key that the service accepts if none is given; it is public, so it may be shown. */
const DEMO_KEY = 'petstore-demo-key';

/**
 * Runs the reference service until SIGINT or SIGTERM.
 * @returns the exit code
 * @throws UsageError if a fault or a variant is unknown, or the address cannot be used
 */
export async function serve(options: ServeOptions, stdout: Writable): Promise<number> {
  // Listened for from the start: an early signal must not be lost.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const service = await start(options);
  const key = options.token === undefined ? DEMO_KEY : 'as given, not shown';
  stdout.write(`Reference service at ${service.baseUrl} (API key: ${key}; stop it with Ctrl+C)\n`);
  await stopped;
  await service.stop();
  return 0;
}

async function start({ token = DEMO_KEY, animals, ...options }: ServeOptions): Promise<RunningReference> {
  const { port, host } = options;
  const faults = named('--fault', options.faults, FAULTS);
  const variants = named('--variant', options.variants, VARIANTS);
  const seedAnimals = animals === undefined ? {} : { seedAnimals: animals };
  try {
    return await startReference({ ...options, faults, variants, token, ...seedAnimals });
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'EADDRINUSE':
        throw invalid('--port', `${port} is already in use on ${host}; choose another, or 0 for any free one`);
      case 'EACCES':
        throw invalid('--port', `no permission to use ${port}; choose one above 1023, or 0 for any free one`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw invalid('--host', `${quoted(host)} is not an address of this machine; leave it out for 127.0.0.1`);
      default:
        throw error;
    }
  }
}

function named<T extends { readonly name: string }>(option: string, names: readonly string[], all: readonly T[]): T[] {
  return names.map((name) => {
    const found = all.find((item) => item.name === name);
    if (found !== undefined) return found;
    throw unknownName(option, name, all);
  });
}
