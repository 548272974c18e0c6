import fc from 'fast-check';
import { PET_STATUSES } from '../contract/contract-facts.ts';
import type { Call } from '../reading/call.ts';
import { create, get, list } from '../reading/call.ts';

/** How many random values of each kind a standard run sends. */
const DRAWN = { queries: 12, ids: 8, names: 8, bodies: 12 } as const;

/** Texts of all of Unicode. Those of fast-check take most of a second to prepare. */
const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0x20, max: 0x7e }),
        fc.integer({ min: 0xa0, max: 0xffff }),
        fc.integer({ min: 0x10000, max: 0x10ffff }),
      ),
      {
        minLength: 1,
        maxLength,
        size: 'max',
      },
    )
    .map((points) => String.fromCodePoint(...points));

/** Created only when needed, as it takes a while. */
function arbitraries() {
  const status = fc.constantFrom(...PET_STATUSES);
  const limit = fc.integer({ min: 1, max: 100 });

  /** Any limit and any status, in either order. */
  const query = fc.tuple(fc.option(limit), fc.option(status), fc.boolean()).map(([most, only, isFirst]) => {
    const parts = [...(most === null ? [] : [`limit=${most}`]), ...(only === null ? [] : [`status=${only}`])];
    return (isFirst ? parts : parts.reverse()).join('&');
  });

  const id = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    anyText(12).map((text) => encodeURIComponent(text.replace(/\p{Cs}/gu, '')).replaceAll('.', '%2E')),
  );

  /** Any Unicode text that the specification does not leave open, to follow the mark of the run. */
  const name = anyText(40).map((text) => text.replace(/[\p{Cs}\p{Cc}$]/gu, ''));
  const category = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const body = fc
    .tuple(name, category, fc.option(status))
    .map(
      ([text, number, only]) =>
        `{"name":${JSON.stringify(`$NAME ${text}`)},"categoryId":${number}${only === null ? '' : `,"status":"${only}"`}}`,
    );

  /** A valid body with a piece removed, doubled, or replaced. */
  const mutation = fc
    .tuple(
      status,
      fc.nat(),
      fc.nat(6),
      fc.constantFrom('cut', 'twice', '"', '{', ']', ',', ':', '0', 'x', ' ', '\\', 'null'),
    )
    .map(([only, at, length, change]) => {
      const text = `{"name":"$NAME","categoryId":$NUMBER,"status":"${only}"}`;
      const place = at % text.length;
      const piece = text.slice(place, place + length + 1);
      const instead = change === 'cut' ? '' : change === 'twice' ? piece + piece : change;
      return text.slice(0, place) + instead + text.slice(place + length + 1);
    })
    // Half of the mark of the run would be a name that nobody recognises.
    .filter((text) => !/[$A-Z]/.test(text.replaceAll(/\$NAME|\$NUMBER/g, '')));
  return { query, id, body, mutation };
}

/** A table of random calls, for a requirement and a stage. */
interface Drawn {
  readonly requirement: string;
  readonly stage: 'rows' | 'full';
  readonly calls: readonly Call[];
}

/** Random calls, the same for the same seed; `times` as many as in a standard run. */
export function drawnCalls(seed: number, times: number): readonly Drawn[] {
  const draw = <T>(arbitrary: fc.Arbitrary<T>, count: number): readonly T[] =>
    fc.sample(arbitrary, { seed, numRuns: Math.max(1, Math.round(count * times)) });
  const { query, id, body, mutation } = arbitraries();
  const rows = (requirement: string, calls: readonly Call[], stage: Drawn['stage'] = 'rows'): Drawn => ({
    requirement,
    stage,
    calls,
  });
  return [
    rows(
      'LIST-9',
      draw(query, DRAWN.queries).map((text) => list(text)),
      'full',
    ),
    rows(
      'GET-2',
      draw(id, DRAWN.ids).map((text) => get(text)),
    ),
    rows(
      'RES-6',
      draw(body, DRAWN.names).map((text) => create(text)),
    ),
    rows(
      'CREATE-4',
      draw(mutation, DRAWN.bodies).map((text) => create(text)),
    ),
  ];
}
