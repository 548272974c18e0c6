import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../suites/index.ts';
import { loadCatalogue } from './contract/catalogue.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const { requirements } = loadCatalogue();
const judged = new Set(CHECKS.map(({ requirement }) => requirement));

describe('the catalogue and the checks', () => {
  test('every requirement that can be tested has a check', () => {
    const without = requirements.filter(({ id, untestable }) => untestable === undefined && !judged.has(id));
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test('no requirement that cannot be tested has one', () => {
    const contradicting = requirements.filter(({ id, untestable }) => untestable !== undefined && judged.has(id));
    expect(contradicting.map(({ id }) => id)).toEqual([]);
  });

  test('every check judges a requirement of the catalogue', () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect(CHECKS.filter(({ requirement }) => !known.has(requirement)).map(({ id }) => id)).toEqual([]);
  });

  test('ids and titles are unique, and each check can judge something', () => {
    const ids = CHECKS.map(({ id }) => id);
    const titles = CHECKS.map(({ title }) => title);
    expect(ids).toEqual([...new Set(ids)]);
    expect(titles).toEqual([...new Set(titles)]);
    for (const { id, title, always, provoke } of CHECKS) {
      expect([id, title.length > 10, always !== undefined || provoke !== undefined]).toEqual([id, true, true]);
    }
  });

  test('the checks stand in the order of the specification', () => {
    const order = requirements.map(({ part }) => part);
    const parts = CHECKS.map(({ requirement }) => requirements.find(({ id }) => id === requirement)?.part ?? '');
    expect(parts.map((part) => order.indexOf(part))).toEqual(
      parts.map((part) => order.indexOf(part)).toSorted((a, b) => a - b),
    );
  });
});

/** What the files of a folder import, as [file, specifier]. */
function imports(folder: string): readonly (readonly [file: string, specifier: string])[] {
  const files = readdirSync(`${ROOT}${folder}`)
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => `${folder}/${file}`);
  expect(files.length).toBeGreaterThan(0);
  return files.flatMap((file) => {
    const text = readFileSync(`${ROOT}${file}`, 'utf8');
    return [...text.matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g)].map(
      ([, from, whole]) => [file, from ?? whole ?? ''] as const,
    );
  });
}

describe('who imports whom', () => {
  test('a suite imports only the vocabulary, the generators, other suites and fast-check', () => {
    const allowed = /^(\.\.\/src\/(check|generate)\/[\w-]+\.ts|\.\/[\w.-]+\.ts|fast-check)$/;
    expect(imports('suites').filter(([, specifier]) => !allowed.test(specifier))).toEqual([]);
  });

  test('what talks to the service knows nothing of rules', () => {
    const forbidden = /(^|\/)(check|generate|suites|contract|reference)\//;
    expect(imports('src/target').filter(([, specifier]) => forbidden.test(specifier))).toEqual([]);
  });

  test('the vocabulary knows neither the reference service nor the runner', () => {
    const forbidden = /(^|\/)(reference|run|cli|suites)\//;
    expect(
      [...imports('src/check'), ...imports('src/generate')].filter(([, specifier]) => forbidden.test(specifier)),
    ).toEqual([]);
  });

  test('a report is made of the result model alone', () => {
    const forbidden = /(^|\/)(check|target|reference|suites|cli)\//;
    expect(imports('src/report').filter(([, specifier]) => forbidden.test(specifier))).toEqual([]);
  });
});
