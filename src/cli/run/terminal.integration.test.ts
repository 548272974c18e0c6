/** What a person sees at a terminal, while the program runs and at its end. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../report/formats/columns.ts';
import { screenOf } from '../../report/formats/screen.fixture.ts';
import type { RunOptions } from '../run-options.ts';
import { PROGRAM } from './program.fixture.ts';
import {
  Captured,
  FakeSignals,
  newFolder,
  quickOptions,
  reached,
  runHere,
  serviceWith,
} from './run-in-process.fixture.ts';

const COLUMNS = 60;

const terminal = () => Object.assign(new Captured(), { columns: COLUMNS, rows: 40, isTTY: true });
const interactive = { interactive: true, output: 'normal' } as const;

const widest = (lines: readonly string[]): number =>
  Math.max(...lines.filter((line) => !/^ {2}(curl|replay) /.test(line)).map(columnsOf));

describe('at a terminal', () => {
  test('progress is drawn while the checks run, and nothing but the report is left', async () => {
    const { baseUrl } = await serviceWith();
    const screen = terminal();
    const options = quickOptions(baseUrl, { ...interactive, only: ['LIST-2', 'LIST-9'] });
    const { code } = await runHere(options, new FakeSignals(), screen);
    expect(code).toBe(0);
    for (const phase of ['Contacting the service', 'Running in parallel', 'Writing the reports']) {
      expect(screen.text).toContain(`${phase}`);
    }
    expect(screen.text).toMatch(/━+─+ {2}\d+ of \d+ checks · (about \d+ s|a few seconds) left/);
    const lines = screenOf(screen.text);
    expect(lines[0]).toMatch(/^Pet Store conformance · http:/);
    expect(lines.slice(-2).join(' ')).toMatch(/Reports| {2}in /);
    expect(lines.join('\n')).not.toMatch(/[━─]|checks ·/);
    expect(widest(lines)).toBeLessThanOrEqual(COLUMNS);
  });

  /** The lines of a run that is interrupted. */
  async function interrupted(changes: Partial<RunOptions> = {}): Promise<readonly string[]> {
    const service = await serviceWith();
    const screen = terminal();
    const signals = new FakeSignals();
    const running = runHere(quickOptions(service.baseUrl, { ...interactive, ...changes }), signals, screen);
    await reached(service.requests, 20, running);
    signals.send('SIGINT');
    expect((await running).code).toBe(130);
    return screenOf(screen.text);
  }

  test('an interrupt is answered at once, above the progress of the end, and the report follows', async () => {
    const lines = await interrupted();
    const at = lines.findIndex((line) => line.startsWith('Interrupted:'));
    expect(lines.slice(at, at + 4)).toEqual([
      'Interrupted: nothing more is sent, and the reports are written.',
      'Press Ctrl+C again to stop immediately.',
      '',
      expect.stringMatching(/^Pet Store conformance · http:/),
    ]);
  });

  test('an interrupt promises no reports where none are written', async () => {
    expect(await interrupted({ reports: [] })).toContain('Interrupted: nothing more is sent.');
  });

  test('where the rate is bounded, the pace is told', async () => {
    const { baseUrl } = await serviceWith();
    const screen = terminal();
    const rateLimit = { kind: 'fixed', perSecond: 200 } as const;
    await runHere(quickOptions(baseUrl, { ...interactive, rateLimit, only: ['GET-1'] }), undefined, screen);
    expect(screen.text).toContain('200 requests/s, as --rate-limit asks');
  });

  test('without a terminal nothing is drawn', async () => {
    const { baseUrl } = await serviceWith();
    const { stderr, stdout } = await runHere(quickOptions(baseUrl, { output: 'normal', only: ['GET-2'] }));
    expect(`${stdout}${stderr}`).not.toMatch(/\u001b|[━─]/);
    expect(stdout).toMatch(/^Pet Store conformance/);
  });
});

/** util-linux has it; without it there is no other way here to a terminal. */
const hasScript = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasScript)('at a real terminal', () => {
  /** Runs the program at a terminal of 60 columns, and returns all that is written to it. */
  async function atTerminal(environment: NodeJS.ProcessEnv): Promise<string> {
    const command = `stty cols ${COLUMNS} rows 40; exec "$NODE" "$PROGRAM" --profile smoke --seed 7 --only GET-1 --report json --report-dir "$DIR"`;
    const env = { PATH: process.env['PATH'], NODE: process.execPath, PROGRAM, DIR: newFolder(), ...environment };
    const child = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(child, 'close');
    return text;
  }

  test('the bar is drawn and erased, the report fits, and the cursor is there again', async () => {
    const text = await atTerminal({ TERM: 'xterm-256color' });
    expect(text).toContain('━');
    expect(text).toContain('\u001b[32m');
    expect(text.lastIndexOf('\u001b[?25h')).toBeGreaterThan(text.lastIndexOf('\u001b[?25l'));
    const lines = screenOf(text);
    expect(lines[0]).toBe('Pet Store conformance · the embedded reference service');
    expect(widest(lines)).toBeLessThanOrEqual(COLUMNS);
    expect(lines.join('\n')).not.toContain('━');
  });

  // What else counts as one without control codes, a unit test says.
  test('a dumb terminal gets no control codes', async () => {
    const text = await atTerminal({ TERM: 'dumb' });
    expect(text).not.toContain('\u001b');
    expect(text).toMatch(/^Pet Store conformance/);
    expect(widest(text.split(/\r?\n/))).toBeLessThanOrEqual(COLUMNS);
  });
});
