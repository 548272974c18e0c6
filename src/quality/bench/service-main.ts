/** The reference service in a process of its own, which counts and times what it is sent. */

import { override } from '../../reference/changes.ts';
import { findFault, startReference } from '../../reference/index.ts';
import type { Variant } from '../../reference/steps.ts';
import { now } from './clock.ts';
import type { ServiceMessage, ServiceReading, ServiceSettings } from './service.ts';

/** How many arrivals are noted: those of the preflight, and the first of the checks. */
const ARRIVALS = 4;
const NOTHING: ServiceReading = { requests: 0, created: 0, arrivals: [], lastAt: undefined };
let reading = NOTHING;

/** Counts at the HTTP server, before and after all that a fault may change. */
const counted: Variant = {
  name: 'counted',
  says: 'counts requests and creations, and notes when the first came and the last was answered',
  chooses: 'SERV-1',
  change: override('configure', (original) => (server, service) => {
    original(server, service);
    server.on('request', ({ method }, response) => {
      const arrivals = reading.arrivals.length < ARRIVALS ? [...reading.arrivals, now()] : reading.arrivals;
      reading = { ...reading, requests: reading.requests + 1, arrivals };
      response.once('close', () => {
        const created = reading.created + (method === 'POST' && response.statusCode === 201 ? 1 : 0);
        reading = { ...reading, created, lastAt: now() };
      });
    });
  }),
};

const tell = (message: ServiceMessage): void => {
  process.send?.(message);
};

const settings: ServiceSettings = JSON.parse(process.argv[2] ?? '');
const { token, latencyMs, animals: seedAnimals, today } = settings;
const faults = (settings.fault === undefined ? [] : [settings.fault]).flatMap((name) => findFault(name) ?? []);
const service = await startReference({
  token,
  latencyMs: latencyMs ?? 0,
  seedAnimals,
  today,
  faults,
  variants: [counted],
});
process.on('message', () => {
  tell({ kind: 'reading', reading });
  reading = NOTHING;
});
// The benchmark has ended, or wants another service.
process.once('disconnect', () => process.exit());
tell({ kind: 'ready', baseUrl: service.baseUrl });
