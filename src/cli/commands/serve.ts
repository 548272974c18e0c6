/** The commands that start the reference service and list its faults and variants. */
import { COMMAND } from '../../package.ts';
import { codeOf } from '../../result/files.ts';
import { didYouMean, invalid, quoted, UsageError } from '../errors.ts';
import type { Values } from '../options/option.ts';
import { keyOf } from '../options/run-settings.ts';
import { FAULTS_OPTIONS, SERVE_OPTIONS } from '../options/tables.ts';
import { table } from '../terminal.ts';
import { command } from './command.ts';

/** The key that the service accepts if none is given; it is not secret. */
const DEMO_KEY = 'petstore-demo-key';

/** Runs the reference service until SIGINT or SIGTERM. */
export const serveCommand = command({
  name: 'serve',
  summary: 'start the reference service',
  options: SERVE_OPTIONS,
  perform: async (values, _args, { environment, stdout, signals, secrets }) => {
    const token = keyOf(values, environment);
    if (token !== undefined) secrets.push(token);
    let stop = (): void => {};
    // From the start, so that no early signal is lost.
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.on(signal, stop);
    try {
      const service = await started(values, token ?? DEMO_KEY);
      const key = token === undefined ? DEMO_KEY : 'as given, not shown';
      stdout.write(`Reference service at ${service.baseUrl} (API key: ${key}; stop it with Ctrl+C)\n`);
      await stopped;
      await service.stop();
      return 0;
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.off(signal, stop);
    }
  },
});

async function started({ port, host, latencyMs, animals, ...given }: Values<typeof SERVE_OPTIONS>, token: string) {
  const { FAULTS, startReference, VARIANTS } = await import('../../reference/index.ts');
  const faults = named('fault', given.faults, FAULTS, VARIANTS);
  const variants = named('variant', given.variants, VARIANTS, FAULTS);
  const seedAnimals = animals === undefined ? {} : { seedAnimals: animals };
  try {
    return await startReference({ port, host, latencyMs, faults, variants, token, ...seedAnimals });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const why = code === 'EADDRINUSE' ? `${port} is already in use` : `it cannot be listened on (${code})`;
    throw invalid('--port', `${why} on ${host}; choose another, or 0 for any free one, or another --host`);
  }
}

interface Named {
  readonly name: string;
}

/** The faults or variants of these names. @param others what the other option takes */
function named<T extends Named>(
  kind: 'fault' | 'variant',
  names: readonly string[],
  all: readonly T[],
  others: readonly Named[],
): T[] {
  const other = kind === 'fault' ? 'variant' : 'fault';
  return names.map((name) => {
    const found = all.find((item) => item.name === name);
    if (found !== undefined) return found;
    if (others.some((item) => item.name === name))
      throw new UsageError('name-unknown', `--${kind}: ${quoted(name)} is a ${other}; use --${other} ${name}`);
    const known = all.map((item) => item.name);
    const what = `unknown name ${quoted(name)}${didYouMean(name, known)}`;
    throw new UsageError('name-unknown', `--${kind}: ${what} (${COMMAND} faults lists them all)`);
  });
}

/** Prints what `serve --fault` and `serve --variant` accept. */
export const faultsCommand = command({
  name: 'faults',
  summary: 'list the faults and variants of the reference service',
  options: FAULTS_OPTIONS,
  perform: async (values, _args, context) => {
    const { FAULTS, VARIANTS } = await import('../../reference/index.ts');
    const faults = FAULTS.map(({ name, breaks, says }) => ({ name, breaks, says }));
    const variants = VARIANTS.map(({ name, chooses, says }) => ({ name, chooses, says }));
    const text = [
      table([['fault', 'breaks', 'the service'], ...faults.map(Object.values<string>)]),
      table([['variant', 'chooses', 'the service'], ...variants.map(Object.values<string>)]),
    ];
    context.stdout.write(values.json ? `${JSON.stringify({ faults, variants }, undefined, 2)}\n` : text.join('\n'));
    return 0;
  },
});
