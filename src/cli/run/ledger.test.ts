import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../report/temporary-folder.fixture.ts';
import { Ledger, rememberedIn } from './ledger.ts';

const folder = temporaryFolder();
const redact = (text: string): string => text.replace('the-key', '[redacted]');
const TARGET = 'http://127.0.0.1:9/v1';

/** What a run writes of animals with these names, with ids from 1. */
function write(file: string, target: string, run: string, names: readonly string[]): void {
  const ledger = new Ledger(file, target, redact, false);
  for (const [at, name] of names.entries()) {
    const fields = { name, categoryId: '7', status: 'sold' };
    ledger.record({ kind: 'created', animal: { id: `${at + 1}`, fields, createdAt: '2026-01-01T00:00:00Z' }, run });
  }
}

const marked = (run: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `conformance ${run} ${at}`);

test('25 marked animals of the last run against a target are remembered, the first and the last among them', () => {
  const file = join(folder, 'created.jsonl');
  expect(rememberedIn(file, TARGET)).toEqual([]);
  write(file, TARGET, 'first', marked('first', 3));
  // What another program may have named so too, what is cut, and what contains a secret, is not checked again.
  const others = ['', '0', `conformance later ${'x'.repeat(600)}`, 'conformance later the-key'];
  write(file, TARGET, 'later', [...marked('later', 60), ...others]);
  write(file, 'http://elsewhere.example/v1', 'other', marked('other', 9));
  const ids = rememberedIn(file, TARGET).map(({ id }) => Number(id));
  expect([ids.length, new Set(ids).size, ids[0], ids.at(-1)]).toEqual([25, 25, 1, 60]);
  expect(rememberedIn(file, TARGET)[0]).toEqual({
    id: '1',
    fields: { name: 'conformance later 0', categoryId: '7', status: 'sold' },
    createdAt: '2026-01-01T00:00:00Z',
  });
});
