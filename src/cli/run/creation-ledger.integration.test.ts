import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CreationLedger } from '../../engine/creation-ledger.ts';
import type { Exchange } from '../../http/exchange.ts';
import { bytesOf } from '../../petstore/inputs/body.ts';
import { rightKey } from '../../petstore/inputs/credential.ts';
import { ledgerEntry as entry } from '../../petstore/outline.ts';
import { endOf, startProgram } from './program.fixture.ts';
import {
  ledgerIn,
  newFolder,
  quickOptions,
  reached,
  resultIn,
  runHere,
  serviceWith,
} from './run-in-process.fixture.ts';

function created(sent: string, status: number, answered: string): Exchange {
  const request = { operation: 'createPet', method: 'POST', path: '/pets', credential: rightKey('key') } as const;
  return {
    number: 1,
    request: { ...request, body: bytesOf(sent) },
    answer: {
      kind: 'response',
      status,
      headers: [],
      body: bytesOf(answered),
      encodingFault: undefined,
      milliseconds: 1,
    },
    sentAt: 0,
    answeredAt: 1,
    resent: false,
  };
}

test('notes what a 201 has named, without secrets', () => {
  const dir = newFolder();
  const file = join(dir, 'created.jsonl');
  const redact = (text: string): string => text.replaceAll('Secret', '[redacted]');
  const ledger = new CreationLedger({ file, runId: 'run-1', baseUrl: 'http://a.example/v1', entry, redact });
  const sent = '{"name":"Rex","categoryId":3}';
  ledger.record(created(sent, 201, '{"id":9223372036854775807,"name":"Rex","categoryId":3,"status":"available"}'));
  ledger.record(created(sent, 200, '{"ok":true}'));
  ledger.record(created(sent, 201, '{"ok":true}'));
  ledger.record(created(sent, 201, '{"id":"seven","name":"Secret","categoryId":3}'));
  ledger.record(created(sent, 400, '{"code":"bad","message":"bad","status":400}'));
  const common = { categoryId: '3', run: 'run-1', target: 'http://a.example/v1', time: expect.any(String) };
  expect(ledgerIn(dir)).toEqual([
    { ...common, id: '9223372036854775807', name: 'Rex', status: 'available' },
    { ...common, id: 'seven', name: '[redacted]', status: null },
  ]);
  expect(ledger.fault).toBeUndefined();
});

test('a ledger that cannot be written is a remark and no more', () => {
  const ledger = new CreationLedger({ file: newFolder(), runId: 'r', baseUrl: 'b', entry, redact: (text) => text });
  ledger.record(created('{}', 201, '{"id":1}'));
  expect(ledger.fault).toContain('could not be recorded');
});

test('two runs against one target leave the lines of both; the embedded service is gone with its animals', async () => {
  const target = await serviceWith();
  const options = quickOptions(target.baseUrl, { only: ['CREATE-1', 'GET-1'] });
  await runHere(options);
  const first = resultIn(options.reportDir);
  await runHere({ ...options, reports: [] });
  const both = ledgerIn(options.reportDir);
  expect(both.filter(({ run }) => run === first.run.id)).toHaveLength(first.summary.creations);
  expect(new Set(both.map(({ run }) => run)).size).toBe(2);
  expect(new Set(both.map(({ id }) => id)).size).toBe(both.length);
  await runHere({ ...options, readOnly: true });
  expect(ledgerIn(options.reportDir)).toHaveLength(both.length);
  await runHere({ ...options, baseUrl: undefined });
  expect(new Set(ledgerIn(options.reportDir).map(({ run }) => run)).size).toBe(1);
});

test('outlives a process that is killed: every animal but those under way has its line', async () => {
  let stored = 0;
  const target = await serviceWith([], { latencyMs: 10 }, (steps) => ({
    ...steps,
    store: (pet, call) => {
      stored += 1;
      steps.store(pet, call);
    },
  }));
  const dir = newFolder();
  const concurrency = 4;
  const child = startProgram(['-u', target.baseUrl, '--report-dir', dir, '--concurrency', `${concurrency}`]);
  const ended = endOf(child);
  await reached(target.requests, 500, ended);
  child.kill('SIGKILL');
  await ended;
  const lines = readFileSync(join(dir, 'created.jsonl'), 'utf8');
  const noted = ledgerIn(dir);
  expect(child.signalCode).toBe('SIGKILL');
  expect(lines.endsWith('\n')).toBe(true);
  expect(noted.length).toBeGreaterThan(10);
  expect(stored - noted.length).toBeGreaterThanOrEqual(0);
  expect(stored - noted.length).toBeLessThanOrEqual(concurrency);
});
