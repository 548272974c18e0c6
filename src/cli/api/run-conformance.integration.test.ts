/** The package's main entry, as a program uses it. Each run is one of the real runner. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY, recordingServer } from '../../petstore/rig.fixture.ts';
import { resultValidator } from '../../report/read-result.ts';
import { newFolder, serviceWith } from '../run/run-in-process.fixture.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import type { ConformanceEvent } from './events.ts';
import { RunAbortedError, runConformance, UsageError } from './index.ts';

/** Before the removal date of getPet, whenever the tests run. */
const USUAL = { token: KEY, profile: 'smoke', seed: 7, today: '2027-01-01', settleMs: 300 } as const;

/** An error that a call was rejected with. */
async function rejection(options: ConformanceOptions): Promise<unknown> {
  return runConformance(options).then(
    () => 'it ran',
    (error: unknown) => error,
  );
}

/** What a listener is told, by its kind. */
function heard<T extends ConformanceEvent['type']>(events: readonly ConformanceEvent[], type: T) {
  return events.filter((event): event is Extract<ConformanceEvent, { type: T }> => event.type === type);
}

describe('a run of a program', () => {
  test('tells what happens, and resolves with the result; no file is written', async () => {
    const service = await serviceWith(['limit-7-gives-8']);
    const events: ConformanceEvent[] = [];
    const filesBefore = readdirSync('reports');
    const { exitCode } = process;
    const result = await runConformance({
      ...USUAL,
      profile: 'standard',
      seed: 1,
      baseUrl: service.baseUrl,
      only: ['LIST-2', 'GET-2', 'CREATE-1'],
      onEvent: (event) => events.push(event),
    });
    expect(result).toMatchObject({ verdict: 'violations', exitCode: 1, run: { seed: 1, profile: 'standard' } });
    expect(resultValidator()(JSON.parse(JSON.stringify(result)))).toBe(true);
    expect(events[0]).toMatchObject({
      type: 'run-started',
      target: { baseUrl: service.baseUrl, embedded: false },
      seed: 1,
      runId: result.run.id,
      checks: ['LIST-2', 'CREATE-1', 'GET-2'],
    });
    expect(heard(events, 'phase-started').map(({ phase }) => phase)).toEqual([
      'preflight',
      'starting',
      'main',
      'still',
      'every answer',
      'reports',
    ]);
    expect(heard(events, 'progress').at(-1)).toMatchObject({ done: 3, total: 3 });
    expect(new Map(heard(events, 'check-ended').map(({ check }) => [check.id, check.outcome.kind]))).toEqual(
      new Map([
        ['LIST-2', 'failed'],
        ['CREATE-1', 'passed'],
        ['GET-2', 'passed'],
      ]),
    );
    const [found] = heard(events, 'violation-found');
    expect(found).toMatchObject({ check: 'LIST-2', requirement: 'LIST-2', violation: { code: 'page-too-long' } });
    expect(events.at(-1)).toEqual({ type: 'run-ended', result, written: true });
    expect(JSON.stringify(events)).not.toContain(KEY);
    expect(readdirSync('reports')).toEqual(filesBefore);
    expect(process.exitCode).toBe(exitCode);
  });

  test('may follow another one, and writes reports where a folder is named', async () => {
    const { baseUrl } = await serviceWith();
    const chosen = { ...USUAL, baseUrl, only: ['CREATE-1'] };
    const [one, other] = [newFolder(), newFolder()];
    const first = await runConformance({ ...chosen, reportDir: one });
    const second = await runConformance({ ...chosen, reportDir: other, reports: ['md'] });
    expect([first.verdict, second.verdict]).toEqual(['conforms', 'conforms']);
    const usual = ['conformance.json', 'created.jsonl', 'junit.xml', 'report.html', 'summary.md'];
    expect(readdirSync(one).sort()).toEqual(usual);
    expect(readdirSync(other).sort()).toEqual(['created.jsonl', 'summary.md']);
  });

  test('judges the reference service where no address is given, beside another run in the same process too', async () => {
    const judging = { profile: 'smoke', only: ['GET-2'], readOnly: undefined } as const;
    const results = await Promise.all([runConformance(judging), runConformance(judging)]);
    const conforms = { verdict: 'conforms', target: { embedded: true } };
    expect(results).toMatchObject([conforms, conforms]);
  });

  test('shows no key, where the service repeats it', async () => {
    const service = await recordingServer(({ headers: { authorization } }, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify([{ id: 1, name: authorization, categoryId: 1, status: authorization }]));
    });
    const events: ConformanceEvent[] = [];
    const chosen = { ...USUAL, baseUrl: service.baseUrl, only: ['RES-*', 'LIST-6'], readOnly: true };
    const result = await runConformance({ ...chosen, onEvent: (event) => events.push(event) });
    await service.stop();
    expect(result.verdict).toBe('violations');
    for (const told of [JSON.stringify(result), JSON.stringify(events)]) {
      expect(told).toContain('[redacted]');
      expect(told).not.toContain(KEY);
    }
  });
});

describe('a run that is ended', () => {
  test('by its signal sends nothing more, and is rejected with what was judged', async () => {
    const service = await serviceWith();
    const reportDir = newFolder();
    const controller = new AbortController();
    const events: ConformanceEvent[] = [];
    const reason = new Error('enough');
    const error = await rejection({
      ...USUAL,
      baseUrl: service.baseUrl,
      reportDir,
      signal: controller.signal,
      onEvent: (event) => {
        events.push(event);
        if (event.type === 'phase-started' && event.phase === 'main') controller.abort(reason);
      },
    });
    const sent = service.requests.length;
    if (!(error instanceof RunAbortedError)) throw error;
    expect(error).toMatchObject({ name: 'AbortError', code: 'run-aborted', cause: reason });
    expect(error.result).toMatchObject({ run: { interrupted: 'abort' }, exitCode: 3 });
    expect(error.result?.notes).toEqual(['The run was aborted before everything was judged.']);
    expect(events.at(-1)).toEqual({ type: 'run-ended', result: error.result, written: true });
    expect(existsSync(join(reportDir, 'conformance.json'))).toBe(true);
    expect(service.requests).toHaveLength(sent);
  });

  test('before it begins sends nothing at all', async () => {
    const { baseUrl, requests } = await serviceWith();
    const error = await rejection({ ...USUAL, baseUrl, signal: AbortSignal.abort('SIGINT') });
    expect(error).toMatchObject({ name: 'AbortError', cause: 'SIGINT', result: undefined });
    expect(requests).toEqual([]);
  });

  test('by an error of the listener is rejected with that error', async () => {
    const wrong = new Error('no disk');
    const onEvent = ({ type }: ConformanceEvent): void => {
      if (type === 'phase-started') throw wrong;
    };
    expect(await rejection({ profile: 'smoke', only: ['GET-2'], onEvent })).toBe(wrong);
  });
});

describe('wrong options are refused with the codes of the command line', () => {
  test.each<[unknown, string, RegExp]>([
    [{ profle: 'smoke' }, 'option-unknown', /^"profle": unknown option; did you mean profile\?$/],
    [{ verbose: true }, 'option-unknown', /^"verbose": unknown option/],
    [{ profile: 'quick' }, 'value-invalid', /^profile \(--profile\): "quick" is not one of smoke, standard, thorough/],
    [{ maxTimeMs: '60s' }, 'value-invalid', /^maxTimeMs \(--max-time\): "60s" is not a value/],
    [{ maxTimeMs: 0 }, 'value-invalid', /^maxTimeMs \(--max-time\): "0" is not a number of seconds/],
    [{ concurrency: null }, 'value-invalid', /^concurrency \(--concurrency\): "null"/],
    [{ readOnly: 'yes' }, 'value-invalid', /^readOnly \(--read-only\): "yes" is neither true nor false$/],
    [{ rateLimit: 50 }, 'value-invalid', /^rateLimit \(--rate-limit\): "50" is not a value/],
    [{ rateLimit: { kind: 'fixed', perSecond: 0 } }, 'value-invalid', /^rateLimit \(--rate-limit\): "0\/s"/],
    [{ only: 'LIST-2' }, 'value-invalid', /^only \(--only\): not an array/],
    [{ only: ['LSIT-2'] }, 'requirement-unknown', /did you mean LIST-2\?/],
    [{ only: ['LIST-2'], skip: ['LIST-*'] }, 'nothing-selected', /no check is left to run/],
    [{ baseUrl: ['http://a/v1'], token: 'x' }, 'value-invalid', /^baseUrl \(--base-url\): an array/],
    [{ baseUrl: 'http://a/v2', token: 'x' }, 'value-invalid', /^baseUrl \(--base-url\): .*did you mean/],
    [{ baseUrl: 'http://a/v1' }, 'key-missing', /^token: /],
    [{ headers: [{ name: 'X-Tenant' }] }, 'value-invalid', /^headers \(--header\): what is given/],
    [{ insecure: true, caFile: '/ca.pem' }, 'option-conflict', /^insecure and caFile: /],
    [{ reports: ['json'] }, 'option-conflict', /^reports: .*reportDir/],
    [{ reportDir: '/dev/null/x' }, 'value-invalid', /^reportDir: /],
    [{ replay: '/none.json' }, 'file-unreadable', /^replay \(--replay\): /],
    [{ proxies: { http: 'socks5://a', noProxy: '' } }, 'value-invalid', /^http_proxy: /],
  ])('%j', async (options, code, message) => {
    const error = await rejection(Object(options));
    if (!(error instanceof UsageError)) throw error;
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('but a secret is never repeated', async () => {
    const secret = 'Se cret';
    const error = await rejection({ baseUrl: 'http://127.0.0.1:1/v1', token: secret });
    expect(error).toMatchObject({ code: 'value-invalid', message: expect.not.stringContaining(secret) });
  });
});
