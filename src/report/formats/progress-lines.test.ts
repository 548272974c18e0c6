import { describe, expect, test } from 'vitest';
import type { RunProgress } from '../model/progress.ts';
import { columnsOf } from './columns.ts';
import { progressLines, progressText } from './progress-lines.ts';

const main: RunProgress = {
  phase: 'main',
  done: 43,
  total: 105,
  requests: 1_431,
  running: ['LIST-2 (shrinking)', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'CREATE-1', 'CREATE-2', 'CREATE-3'],
  share: 0.5,
  leftMs: 40_000,
};

const drawn = (
  state: RunProgress,
  width: number,
  look: { readonly ageMs?: number; readonly isEnding?: boolean } = {},
) => progressLines(state, { width, color: false, ...look });

describe('progress on a terminal', () => {
  test('has a bar, what is done, the time left, the phase, and what is running', () => {
    expect(drawn(main, 79)).toEqual([
      '━━━━━━━━━━─────────  43 of 105 checks · 1,431 requests · about 40 s left',
      'Running in parallel · LIST-2 (shrinking), AUTH-2, AUTH-3, AUTH-4, CREATE-1, CR…',
    ]);
  });

  test.each([
    [
      59,
      [
        '━━━━━━━───────  43 of 105 checks · about 40 s left',
        'Running in parallel · LIST-2 (shrinking), AUTH-2, AUTH-3, …',
      ],
    ],
    [39, ['━━━━━─────  about 40 s left', 'Running in parallel · LIST-2 (shrinkin…']],
    [
      199,
      [
        '━━━━━━━━━━━━━━━───────────────  43 of 105 checks · 1,431 requests · about 40 s left',
        'Running in parallel · LIST-2 (shrinking), AUTH-2, AUTH-3, AUTH-4, CREATE-1, CREATE-2, CREATE-3',
      ],
    ],
  ])('in %i columns', (width, lines) => {
    expect(drawn(main, width)).toEqual(lines);
  });

  const states: readonly (readonly [
    what: string,
    state: Partial<RunProgress>,
    ageMs: number,
    lines: readonly string[],
  ])[] = [
    [
      'before anything was sent',
      { phase: 'preflight', running: ['https://a/v1'] },
      0,
      ['Contacting the service · https://a/v1'],
    ],
    [
      'while the service does not answer',
      { phase: 'preflight', running: ['https://a/v1'] },
      12_100,
      ['Contacting the service · for 12 s · https://a/v1'],
    ],
    ['at the end', { phase: 'reports', running: [] }, 0, ['Writing the reports']],
    [
      'while the service asks for a slow pace',
      { running: [], heldBack: { by: 'service', perSecond: 2.04, pauseMs: 900 } },
      0,
      ['━━━━━━━───────  43 of 105 checks · about 40 s left', 'Running in parallel · 2 requests/s, as the service asks'],
    ],
    [
      'while the service asks for a pause, of which some has passed',
      { running: [], leftMs: 700_000, heldBack: { by: 'service', perSecond: 2, pauseMs: 30_000 } },
      10_000,
      [
        '━━━━━━━───────  43 of 105 checks · about 12 min left',
        'Running in parallel · waiting 20 s, as the service asks',
      ],
    ],
    [
      'when the service has just begun to refuse',
      { running: [], leftMs: undefined, heldBack: { by: 'service', perSecond: undefined, pauseMs: 0 } },
      0,
      ['━━━━━━━───────  43 of 105 checks · 1,431 requests', 'Running in parallel · slowing down, as the service asks'],
    ],
    [
      'where the user bounds the rate',
      { running: [], heldBack: { by: 'user', perSecond: 0.5, pauseMs: 0 } },
      0,
      [
        '━━━━━━━───────  43 of 105 checks · about 40 s left',
        'Running in parallel · 0.5 requests/s, as --rate-limit asks',
      ],
    ],
    [
      'where nothing is known of the time',
      { phase: 'quiet', running: [], share: undefined, leftMs: undefined, done: 105 },
      0,
      ['━━━━━━━━━━━━━━  105 of 105 checks · 1,431 requests', 'Running one at a time'],
    ],
    [
      'when more time has passed than was left',
      { phase: 'still', running: [] },
      60_000,
      ['━━━━━━━───────  43 of 105 checks · a few seconds left', 'Mostly read-only checks'],
    ],
  ];
  test.each(states)('%s', (_what, change, ageMs, lines) => {
    expect(drawn({ ...main, ...change }, 59, { ageMs })).toEqual(lines);
  });

  test('says so once the user has ended the run', () => {
    expect(drawn({ ...main, running: [] }, 59, { isEnding: true })[1]).toBe('Ending the run');
  });

  test('no line is wider than the terminal, whatever it shows, and none is obeyed', () => {
    for (const width of [20, 30, 40, 59, 79, 119, 199]) {
      for (const running of [
        [`https://${'日本語.'.repeat(60)}example/v1`],
        ['🐶'.repeat(200)],
        ['\u001b[2J'.repeat(99)],
      ]) {
        for (const phase of ['preflight', 'main'] as const) {
          const lines = drawn({ ...main, phase, running }, width);
          expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width);
          expect(lines.join('')).not.toContain('\u001b');
        }
      }
    }
  });

  test('is coloured only where asked for', () => {
    expect(drawn(main, 79).join('')).not.toContain('\u001b');
    expect(progressLines(main, { width: 79, color: true }).join('')).toContain('\u001b[36m━');
  });
});

test('progress in a log is a line with the phase, the figures, the time left and the pace', () => {
  expect(progressText({ ...main, heldBack: { by: 'service', perSecond: 13, pauseMs: 0 } })).toBe(
    'Running in parallel · 43 of 105 checks · 1,431 requests · about 40 s left · 13 requests/s, as the service asks',
  );
  const what = 'createPet without the right key';
  expect(progressText({ ...main, heldBack: { by: 'service', perSecond: 13, pauseMs: 5_000, what } })).toMatch(
    / · waiting 5 s to send createPet without the right key, as the service asks$/,
  );
  expect(progressText({ ...main, phase: 'preflight', leftMs: undefined })).toBe('Contacting the service');
});
