import { describe, expect, test } from 'vitest';
import { FAULTS, findFault, findVariant, VARIANTS } from '../reference/index.ts';
import { connectionVariants } from '../reference/variants/connections.ts';
import { lateListVariants } from '../reference/variants/late-lists.ts';
import { replicaVariants } from '../reference/variants/replicas.ts';
import { shortPageVariants } from '../reference/variants/short-pages.ts';
import { throttlingVariants } from '../reference/variants/throttling.ts';
import { drawn } from './behind.ts';
import { HIDING, isHard, KINDS, whyHidden } from './hidden.ts';
import { readOptions } from './options.ts';

const drawnWith = (count: number, ...args: readonly string[]) => drawn(count, readOptions(args));
const namesOf = (count: number, ...args: readonly string[]) =>
  drawnWith(count, ...args).map(({ names, variants }) => [...names, ...(variants ?? [])]);

describe('faults behind variants', () => {
  test('are drawn by the seed, half of them behind variants that make faults hard to see', () => {
    const jobs = drawnWith(300, '--seed', '7');
    expect(namesOf(300, '--seed', '7')).toEqual(namesOf(300, '--seed', '7'));
    expect(namesOf(300, '--seed', '8')).not.toEqual(namesOf(300, '--seed', '7'));
    expect(new Set(jobs.map(({ names }) => `${names}`)).size).toBe(300);
    expect(jobs.filter(({ variants }) => isHard(`${variants}`)).length).toBeGreaterThanOrEqual(150);
  });

  test('need no date, and hang no request', () => {
    const jobs = drawnWith(1_000);
    expect(jobs.filter(({ about }) => /^(VERS-4|SERV-5)$/.test(`${about}`))).toEqual([]);
    expect(jobs.filter(({ variants }) => findVariant(`${variants}`)?.chooses === 'VERS-4')).toEqual([]);
  });

  test('can be chosen by name: both, or one of the two', () => {
    expect(namesOf(1, '--only', 'limit-plus-one,pages-of-7')).toEqual([['limit-plus-one', 'pages-of-7']]);
    const [first, second] = drawnWith(2, '--only', 'limit-plus-one');
    expect([first?.names, second?.names]).toEqual([['limit-plus-one'], ['limit-plus-one']]);
    expect(first?.variants).not.toEqual(second?.variants);
    expect(drawnWith(9, '--only', 'pages-of-7').map(({ variants }) => `${variants}`)).toEqual(
      Array(9).fill('pages-of-7'),
    );
  });

  test('are tested for the requirement that they break', () => {
    for (const { names, about } of drawnWith(50)) expect(about).toEqual([findFault(`${names}`)?.breaks]);
  });
});

describe('kinds of variants', () => {
  test.each(Object.entries(KINDS))('%s', (_, names) => {
    expect(VARIANTS.filter(({ name }) => names.test(name)).length).toBeGreaterThan(2);
  });

  test.each(
    Object.entries({ connectionVariants, lateListVariants, replicaVariants, shortPageVariants, throttlingVariants }),
  )('all of %s are hard', (_, variants) => {
    expect(variants.filter(({ name }) => !isHard(name))).toEqual([]);
  });
});

describe('what hides faults', () => {
  test.each(HIDING)('$because', ({ faults }) => {
    expect(FAULTS.filter(({ breaks, name }) => faults.test(`${breaks} ${name}`)).length).toBeGreaterThan(0);
  });

  test.each([
    ['LIST-2', 'limit-7-gives-8', 'pages-of-5-by-chance', true],
    ['LIST-2', 'limit-7-gives-8', 'pages-of-10', false],
    ['LIST-2', 'limit-plus-one', 'pages-of-5-by-chance', false],
    ['LIM-2', 'limit-above-1000-gives-everything', 'pages-end-at-2-kb-oldest-first', true],
    ['LIM-2', 'limit-100-refused', 'pages-end-at-2-kb-oldest-first', false],
    ['LIST-2', 'one-more-than-the-limit-shown-whole', 'big-collection', true],
    ['AUTH-6', 'connection-remembered-by-createpet', 'http-1-0', true],
    ['AUTH-6', 'connection-remembered-by-createpet', 'idle-connections-closed-at-5-ms', false],
    ['GET-4', 'getpet-404-for-20-ms', 'slow-by-150-ms', true],
  ])('%s %s behind %s: %s', (breaks, fault, variant, is) => {
    expect(whyHidden(breaks, fault, variant) !== undefined).toBe(is);
  });
});
