import { fork } from 'node:child_process';
import { once } from 'node:events';
import { entryPoint } from '../../entry-points.ts';

/** The API key of measured services; it has letters in both cases and digits, as the checks of part 5 need. */
export const BENCH_KEY = 'Bench-3f9c27d1a85be640-Key';

/** How a measured service differs from a plain one. */
export interface ServiceSettings {
  readonly latencyMs?: number;
  /** How many animals it starts with. */
  readonly animals?: number;
}

export interface BenchService {
  readonly baseUrl: string;
  /** The time from its second request, the first after that of the preflight, to its last answer (ms). */
  readonly takeDuration: () => Promise<number>;
}

/** Starts a fresh reference service in another process, hands it to `use`, and ends it. */
export async function withService<Result>(
  settings: ServiceSettings,
  use: (service: BenchService) => Promise<Result>,
): Promise<Result> {
  const child = fork(entryPoint('bench/service'), [JSON.stringify(settings)]);
  const ended = once(child, 'exit');
  try {
    const [baseUrl]: unknown[] = await once(child, 'message');
    return await use({
      baseUrl: String(baseUrl),
      takeDuration: async () => {
        child.send('duration');
        const [milliseconds]: unknown[] = await once(child, 'message');
        return Number(milliseconds);
      },
    });
  } finally {
    child.disconnect();
    await ended;
  }
}
