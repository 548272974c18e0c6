import { fork } from 'node:child_process';
import { once } from 'node:events';
import { entryPoint } from '../../entry-points.ts';

/** The API key of measured services; it has letters in both cases and digits, as the checks of part 5 need. */
export const BENCH_KEY = 'Bench-3f9c27d1a85be640-Key';

/** How a measured service differs from a plain one. */
export interface ServiceChanges {
  readonly fault?: string | undefined;
  readonly latencyMs?: number;
  /** How many animals it starts with. */
  readonly animals?: number;
  readonly today?: string | undefined;
}

export type ServiceSettings = ServiceChanges & { readonly token: string };

/** What a service saw since the last reading; moments as `now` tells them. */
export interface ServiceReading {
  readonly requests: number;
  readonly created: number;
  /** When the first few requests arrived. */
  readonly arrivals: readonly number[];
  /** When the last answer was sent. */
  readonly lastAt: number | undefined;
}

/** What the process of a service tells. */
export type ServiceMessage =
  | { readonly kind: 'ready'; readonly baseUrl: string }
  | { readonly kind: 'reading'; readonly reading: ServiceReading };

export interface BenchService {
  readonly baseUrl: string;
  /** What it saw since it started, or since the last reading. */
  takeReading(): Promise<ServiceReading>;
}

/** Starts a fresh reference service in another process, hands it to `use`, and ends it. */
export async function withService<Result>(
  changes: ServiceChanges,
  use: (service: BenchService) => Promise<Result>,
): Promise<Result> {
  const settings: ServiceSettings = { ...changes, token: BENCH_KEY };
  const child = fork(entryPoint('bench/service'), [JSON.stringify(settings)]);
  const ended = once(child, 'exit');
  const nextMessage = (): Promise<ServiceMessage> =>
    new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('The measured service has ended early; its error stands above.'));
      child.once('exit', onExit);
      child.once('message', (message: unknown) => {
        child.off('exit', onExit);
        if (isServiceMessage(message)) resolve(message);
        else reject(new Error('The measured service told something else than a reading.'));
      });
    });
  try {
    const ready = await nextMessage();
    if (ready.kind !== 'ready') throw new Error('The measured service did not start.');
    return await use({
      baseUrl: ready.baseUrl,
      takeReading: async () => {
        const answer = nextMessage();
        child.send('read');
        const message = await answer;
        if (message.kind !== 'reading') throw new Error('The measured service gave no reading.');
        return message.reading;
      },
    });
  } finally {
    if (child.connected) child.disconnect();
    await ended;
  }
}

const isServiceMessage = (message: unknown): message is ServiceMessage =>
  typeof message === 'object' && message !== null && 'kind' in message;
