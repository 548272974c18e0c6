/** The reference service in a process of its own, which notes when its first requests came and its last was answered. */
import { override } from '../../reference/changes.ts';
import { startReference } from '../../reference/index.ts';
import type { Variant } from '../../reference/steps.ts';
import { BENCH_KEY, type ServiceSettings } from './service.ts';

let requests = 0;
let secondAt = 0;
let lastAt = 0;

const timed: Variant = {
  name: 'timed',
  says: 'notes when its second request came and its last was answered',
  chooses: 'SERV-1',
  change: override('configure', (original) => (server, service) => {
    original(server, service);
    server.on('request', (_request, response) => {
      requests += 1;
      if (requests === 2) secondAt = performance.now();
      response.once('close', () => {
        lastAt = performance.now();
      });
    });
  }),
};

const { latencyMs = 0, animals: seedAnimals }: ServiceSettings = JSON.parse(process.argv[2] ?? '{}');
const { baseUrl } = await startReference({ token: BENCH_KEY, latencyMs, seedAnimals, variants: [timed] });
process.on('message', () => process.send?.(lastAt - secondAt));
process.once('disconnect', () => process.exit());
process.send?.(baseUrl);
