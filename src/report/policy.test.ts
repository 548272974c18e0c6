import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { nearMisses } from '../reading/reading-key.ts';
import { baselineChange, baselineText, parseBaseline } from '../result/baseline-file.ts';
import { comparedFindings, compareRuns } from '../result/comparison.ts';
import { appendToHistory, lastComparable, type RunRecord, readHistory } from '../result/history.ts';
import type { Finding, RequirementResult, RunResult } from '../result/result.ts';
import { conclude, concludeReplay } from '../result/verdict.ts';
import { quote } from '../text.ts';
import { comparisonDocument } from './comparison.ts';
import { baselined, CONTEXT, GREEN, RED, redWith } from './golden.fixture.ts';
import { createProgress } from './progress.ts';
import { createRedactor, redactResult } from './redact.ts';
import { terminalText } from './terminal.ts';
import { writeReports } from './write.ts';

const one = RED.findings.filter(({ key }) => key === 'createPet 500');
const two = [...one, ...RED.findings.filter(({ key }) => key === 'listPets length')];

/** A result of requirements with these outcomes. */
function outcomes(...given: readonly Partial<RequirementResult>[]): RunResult {
  const base = GREEN.requirements.filter(({ id }) => id === 'LIST-2');
  const requirements = given.flatMap((more, at) => base.map((row) => ({ ...row, id: `R-${at}`, ...more })));
  return { ...GREEN, ...conclude({ requirements, findings: [] }), requirements };
}

const passed = Array.from({ length: 9 }, () => ({}));
/** All that applies. */
const all = outcomes(...passed, { outcome: 'not applicable' });
const untested = { outcome: 'not tested', reason: 'why' } as const;

describe('the verdict', () => {
  const cases: readonly (readonly [string, Pick<RunResult, 'exitCode' | 'conclusion'>, number, string])[] = [
    ['all that applies', all, 0, 'All 9 applicable requirements passed.'],
    [
      'nine tenths',
      outcomes(...passed, { ...untested, reasonOf: 'service' }),
      0,
      'No violations; 9 of 10 requirements were tested.',
    ],
    [
      'less',
      outcomes(...passed, untested, { ...untested, reasonOf: 'service' }),
      3,
      'No verdict: only 9 of 11 applicable requirements were tested.',
    ],
    [
      'less, as the collection shows no more',
      outcomes(...passed, ...passed.slice(1).map(() => ({ ...untested, reasonOf: 'collection' }) as const)),
      0,
      'No violations; 9 of 17 requirements were tested.',
    ],
    [
      'less than half, as the collection shows no more',
      outcomes({}, { ...untested, reasonOf: 'collection' }, { ...untested, reasonOf: 'collection' }),
      3,
      'No verdict: only 1 of 3 applicable requirements were tested.',
    ],
    [
      'left out by the user',
      outcomes({}, { ...untested, reasonOf: 'user' }, { outcome: 'not selected' }),
      0,
      'No violations; 1 of 3 requirements was tested.',
    ],
    ['nothing', outcomes({ outcome: 'not selected' }), 3, 'No verdict: no requirement was tested.'],
    [
      'ended early',
      conclude({ ...all, interrupted: 'SIGINT' }),
      3,
      'No verdict: only 9 of 9 applicable requirements were tested. The run was ended early (SIGINT).',
    ],
    [
      'nine tenths of what was planned',
      conclude({ ...all, planned: { done: 90, planned: 100 } }),
      0,
      'All 9 applicable requirements passed.',
    ],
    [
      'less of it',
      conclude({ ...all, planned: { done: 1_079, planned: 1_200 } }),
      3,
      'No verdict: only 89 % of the planned requests were sent.',
    ],
    ['a target that is down', conclude({ ...outcomes(), untestableTarget: 'Cannot reach it.' }), 3, 'Cannot reach it.'],
    [
      'first',
      conclude({ ...all, first: 'All remembered animals are gone.' }),
      0,
      'All remembered animals are gone. All 9 applicable requirements passed.',
    ],
  ];
  test.each(cases)('%s', (_, { exitCode, conclusion }, code, sentence) => {
    expect([exitCode, conclusion]).toEqual([code, sentence]);
  });
});

const ENTRY = '- { requirement: LIST-2, finding: a, reason: b }';

describe('a baseline', () => {
  const entry = '- { requirement: CREATE-8, finding: "createPet 500", reason: known }\n';
  const cases: readonly (readonly [string, RunResult, number, string])[] = [
    ['of the finding', baselined(one, entry), 0, '7 of 9 requirements passed. 2 failed as the baseline expects.'],
    ['of one of two', baselined(two, entry), 1, '1 finding: 2 of 9 requirements failed unexpectedly.'],
    [
      'stale',
      baselined([], `# note\n${entry}`),
      1,
      '1 baseline entry must be removed: known.yaml:2 (CREATE-8 no longer fails).',
    ],
    [
      'stale for a wider profile only',
      baselined([], '- { requirement: CREATE-8, finding: createPet 500, reason: a, profile: thorough }'),
      0,
      'All 9 requirements passed.',
    ],
    [
      'expired',
      baselined(one, '- { requirement: CREATE-8, finding: "createPet 500", reason: a, expires: 2026-03-03 }'),
      1,
      '1 finding: 2 of 9 requirements failed. 1 baseline entry must be removed: known.yaml:1 (it expired on 2026-03-03).',
    ],
  ];
  test.each(cases)('%s', (_, { exitCode, conclusion }, code, sentence) => {
    expect([exitCode, conclusion]).toEqual([code, sentence]);
  });

  test('is written from a result, and makes the next run green; reasons and comments stay', () => {
    const gone = '- { requirement: CREATE-1, finding: createPet 415, reason: a }   # gone soon\n';
    const kept =
      '- requirement: LIM-2\n  finding: getPet 200\n  reason: "why: \'x\'"\n  profile: thorough\n# the end\n';
    const existing = `# ours\n${gone}${kept}`;
    const before = baselined(two, existing);
    const text = baselineText(baselineChange(before, { expires: '2030-01-01' }), existing);
    expect(text).toBe(`# ours
${kept}- { requirement: CREATE-8, finding: "createPet 500", reason: "createPet answers 500 to null in place of an object, or 1 other kind of request, expected 400", expires: "2030-01-01", profile: smoke }
- { requirement: LIST-2, finding: "listPets length", reason: "the page has 2 animals where 1 or fewer are permitted", expires: "2030-01-01", profile: smoke }
`);
    expect(baselined(two, text).exitCode).toBe(0);
    expect(baselined(two, baselineText(baselineChange(before), '', 'json')).exitCode).toBe(0);
  });

  test.each([
    ['{', 'f:1 is not YAML: Flow map must end with a }'],
    ['LIST-2', 'f is not a list of entries'],
    [
      '# a\n- { requirement: LIST-99, finding: a, reason: b }',
      'f:2 lists "LIST-99", which is not a testable requirement',
    ],
    [`${ENTRY}\n\n${ENTRY}`, 'f:3 repeats the entry of line 1'],
    ['- { requirement: LIST-2, finding: a }', 'f:1 has no reason'],
    ['- { requirement: LIST-2, reason: a }', 'f:1 has no finding; write the key of a finding'],
    [
      '- { requirement: LIST-2, finding: a, reason: b, expires: 2030-13-01 }',
      'f:1 has expires: 2030-13-01; write a date',
    ],
    ['- { requirement: LIST-2, finding: a, reason: b, operation: getPet }', 'f:1 has an unknown member "operation"'],
    ['- LIST-2', 'f:1 is not an entry; write requirement:, finding: and reason:'],
  ])('%s', (yaml, message) => {
    expect(() => parseBaseline(yaml, 'f', ['LIST-2'])).toThrow(message);
  });
});

describe('redaction', () => {
  const KEY = 'petstore-key/ü"7';
  const { evidence } = createRedactor({ secrets: [KEY], nearMisses: [`${KEY}x`, 'PETSTORE-KEY/Ü"7', 'short'] });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  test.each([
    KEY,
    encodeURIComponent(KEY),
    encodeURIComponent(encodeURIComponent(KEY)),
    JSON.stringify(KEY).slice(1, -1),
    'petstore-key\\/\\u00fc\\"7',
    base64(KEY),
    base64(`user:${KEY}`).slice(4),
    base64(`Bearer ${KEY}`),
    'petstore-key/&#252;&quot;7',
  ])('%s', (written) => {
    const left = evidence(`a ${written} b`);
    expect(left).toMatch(/^a .*\[redacted\].* b$/);
    expect(left).not.toMatch(/petstore|cGV0c3Rv/);
  });

  test('near misses of 12 characters and more have a name of their own; shorter ones stay', () => {
    expect(evidence(`${KEY}x, PETSTORE-KEY/Ü"7, short`)).toBe('[redacted near miss], [redacted near miss], short');
  });

  test('a key of 8 to 11 characters is redacted as a whole, in either letter case', () => {
    const short = createRedactor({ secrets: ['petstor1'], nearMisses: [] });
    expect(short.evidence('GET /v1/pets petstor1 PETSTOR1 pet%73tor1')).toBe(
      'GET /v1/pets [redacted] [redacted] [redacted]',
    );
  });

  test('an escape behind a backslash of the key is not taken for another backslash', () => {
    const key = '0123456789abcd\\efgh';
    const escapes = key.replace(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
    expect(createRedactor({ secrets: [], nearMisses: [key] }).evidence(escapes)).toBe('[redacted near miss]');
  });

  test('of a longer key, the first 12 characters are enough, in any form and place', () => {
    const key = 'Abcdefgh\\ijkl-"mnop/qrst&uvwx';
    const cut = createRedactor({ secrets: [key], nearMisses: [] });
    const forms = [key, encodeURIComponent(key), JSON.stringify(JSON.stringify(key)).slice(3, -3), base64(`me:${key}`)];
    expect(forms.map((form) => cut.evidence(`a ${form.slice(0, -4)}`).replace(/^a \S{0,4}\[redacted\]/, ''))).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });

  test('of a key in the other letter case, the first 12 characters are enough, too', () => {
    const key = 'abcdefghijklmnopqrstuvwx';
    const near = `A${key.slice(1)}`;
    const cut = createRedactor({ secrets: [key], nearMisses: [near] });
    const numbers = near.replace(/./g, (sign) => `&#${sign.charCodeAt(0)};`);
    for (const form of [numbers, base64(`${near} and more`)])
      expect(cut.evidence(`a ${form.slice(0, -14)}`)).toMatch(/^a \[redacted\]\S{0,6}$/);
  });

  test('for texts that contain no secret, few expressions are compiled', () => {
    const key = 'sk_live_9fQ2xT7bVw3LrZ0e';
    const near = [...nearMisses(key)];
    const made: string[] = [];
    const Counted = class extends RegExp {
      constructor(pattern: string | RegExp, flags?: string) {
        super(pattern, flags);
        made.push(this.source);
      }
    };
    vi.stubGlobal('RegExp', Counted);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { evidence: redact } = createRedactor({ secrets: [key], nearMisses: near });
    const texts = [`{"id":1,"name":"${'x y '.repeat(250)}"}`, 'GET /v1/pets?status=sold&limit=%37', '"\\u0073k_live"'];
    expect(texts.map(redact)).toEqual(texts);
    // Each of them has at least four forms.
    expect(made.length).toBeLessThan(near.length * 2);
  });

  test('a secret outside the Basic Multilingual Plane of which only a part is found', () => {
    const { evidence: redact } = createRedactor({ secrets: [], nearMisses: ['🐾Abcdefgh-ijklmnop'] });
    expect(redact('🐾Abcdefgh-ijk mnop')).toBe('🐾Abcdefgh-ijk mnop');
  });

  test('what a service said is quoted in a sentence so that it is found there, seen and short', () => {
    const { sentence } = createRedactor({ secrets: [KEY], nearMisses: [] });
    expect(sentence(`the name ${quote(`of ${KEY}\u202e`)} is wrong`)).toBe('the name "of [redacted]\\u202e" is wrong');
    expect(quote(`${'x'.repeat(59)}🐾"`)).toBe(`"${'x'.repeat(59)}…"`);
  });

  test.each(['bad', 'petstore-key', 'petstore-conformance', 'createPet answers'])(
    'the key "%s" leaves our own words',
    (key) => {
      const [finding] = one;
      if (finding === undefined) throw new Error('no finding');
      const request = { ...finding.example.request, headers: [['authorization', `Bearer ${key}`]] as const };
      const text = `{"message":"bad request for ${key}"}`;
      const body = { encoding: 'text', text, bytes: text.length, cut: false } as const;
      const example = { ...finding.example, request, answer: { status: 400, headers: [], body } };
      const given = redWith([{ ...finding, example, violation: `the message "no ${key}" is wrong` }]);
      const redacted = redactResult(given, createRedactor({ secrets: [key], nearMisses: [] }));
      const [shown] = redacted.findings;
      const answer = shown?.example.answer;
      expect(shown?.example.request.headers.at(-1)).toEqual(['authorization', 'Bearer [redacted]']);
      expect(shown?.says).toBe(finding.says);
      expect(shown?.example.curl).toBe(example.curl);
      expect(answer !== undefined && 'body' in answer && answer.body.text).toContain(
        key === 'bad' ? '"bad request' : 'for [redacted]"',
      );
      expect(shown?.violation).toContain(key === 'bad' ? '"no bad"' : '"no [redacted]"');
      expect({ ...redacted, findings: [] }).toEqual({ ...given, findings: [] });
    },
  );
});

describe('a comparison', () => {
  const with3 = (third: Partial<RequirementResult>): RunResult => outcomes({}, {}, third);
  const before = with3({});
  test.each([
    ['failed', with3({ outcome: 'failed' }), 1, ['R-2']],
    ['not tested because of the service', with3({ ...untested, reasonOf: 'service' }), 1, ['R-2']],
    ['not tested because of the collection', with3({ ...untested, reasonOf: 'collection' }), 0, []],
    ['not tested because of the surroundings', with3({ ...untested, reasonOf: 'surroundings' }), 0, []],
    ['left out by the user', with3({ ...untested, reasonOf: 'user' }), 0, []],
  ] as const)('a requirement that passed, now %s', (_, after, exitCode, ids) => {
    const { exitCode: code, requirements } = compareRuns(before, { ...after, verdict: 'conforms' });
    const worse = requirements.filter(({ change }) => change === 'regression');
    expect([code, worse.map(({ id }) => id)]).toEqual([exitCode, ids]);
  });

  test('is shown in a few lines', () => {
    const document = comparisonDocument(compareRuns(GREEN, RED));
    const text = terminalText(document, { color: false, output: 'normal' });
    expect(text).toMatch(/7 regressions, \d new findings\. The runs differ in target, options\./);
    expect(text).toContain('AUTH-2 passed → failed');
    expect(text).toContain(
      'new: createPet answers 500 to null in place of an object, or 1 other kind of request, expected 400 (',
    );
    expect(compareRuns(RED, GREEN).requirements.filter(({ change }) => change === 'fixed')).toHaveLength(7);
  });

  test('is made of the last runs of the same target and profile; a line of another form is an error', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'history-')), 'h.jsonl');
    const other: RunResult = { ...RED, run: { ...RED.run, profile: 'thorough' } };
    for (const result of [RED, GREEN, other, redWith(one), redWith(two)]) await appendToHistory(file, result);
    expect(lastComparable(await readHistory(file)).map(({ findings }) => findings.length)).toEqual([1, 2]);
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"format":"petstore-con`);
    await appendToHistory(file, redWith(two));
    await expect(readHistory(file)).rejects.toThrow(`${file}:6 is not a run of this version; remove the line`);
  });

  const rows = RED.requirements.map((row) => (row.outcome === 'failed' ? { ...row, ...untested } : row));
  const noVerdict = { requirements: rows, findings: [], untestableTarget: 'the target cannot be tested' };
  const down = (): RunResult => ({ ...RED, ...conclude(noVerdict), requirements: rows, findings: [] });
  const red = (): RunResult => redWith(RED.findings);
  const well = (): RunResult => redWith([]);
  test.each([
    ['an outage hides no regression', [well(), down(), down(), red()], 2, [0, 3], 1],
    ['an outage after a red night shows no regression', [well(), red(), down(), red()], 2, [1, 3], 0],
    ['without a verdict, the last run is compared all the same', [well(), down(), down()], 2, [0, 2], 3],
    ['--last counts runs with a verdict', [well(), red(), down(), red()], 3, [0, 3], 1],
    ['where no run has a verdict, the last two are compared', [down(), down(), down()], 2, [1, 2], 3],
    ['a first verdict has nothing before it but an outage', [down(), red()], 2, [0, 1], 0],
  ] as const)('%s', (_, runs, last, [before, after], exitCode) => {
    const chosen = lastComparable(runs, last);
    const all: readonly (RunRecord | undefined)[] = runs;
    expect([all.indexOf(chosen.at(0)), all.indexOf(chosen.at(-1))]).toEqual([before, after]);
    const [first, latest] = [chosen.at(0) ?? well(), chosen.at(-1) ?? well()];
    const comparison = compareRuns(first, latest);
    expect(comparison.exitCode).toBe(exitCode);
    const { conclusion } = comparisonDocument(comparison);
    expect(conclusion.includes('The earlier run has no verdict: ')).toBe(first.exitCode === 3);
  });
});

describe('a result that is repeated', () => {
  const [finding] = one;
  if (finding === undefined) throw new Error('no finding');
  const { key } = finding;
  const tested = (outcome: RequirementResult['outcome'], more: Partial<RequirementResult> = {}): RunResult => {
    const green = redWith([]);
    const isAbout = ({ id }: RequirementResult): boolean => finding.requirements.includes(id);
    const requirements = green.requirements.map((row) => (isAbout(row) ? { ...row, outcome, ...more } : row));
    return { ...green, requirements };
  };
  const sent = new Set([key]);
  const cases: readonly (readonly [string, Partial<Finding>, RunResult, ReadonlySet<string>, string, number])[] = [
    ['that is found again', {}, redWith(one), sent, 'still fails', 1],
    ['whose requirements pass', {}, tested('passed'), sent, 'passes', 0],
    ['of which no request was sent again', {}, tested('passed'), new Set(), 'not tested', 3],
    ['that had failed at times', { intermittent: true }, tested('passed'), sent, 'did not fail this time', 3],
    ['that was seen once', { seenOnce: true }, tested('passed'), sent, 'did not fail this time', 3],
    ['whose requirements were only partly tested', {}, tested('passed', { partly: true }), sent, 'not tested', 3],
    ['whose requirements do not apply', {}, tested('not applicable'), sent, 'not tested', 3],
    ['whose requirements were not tested', {}, tested('not tested'), sent, 'not tested', 3],
  ];
  test.each(cases)('a finding %s', (_, more, after, sentAgain, end, exitCode) => {
    const compared = comparedFindings([{ ...finding, ...more }], after, sentAgain);
    expect(compared.map((each) => each.end)).toEqual([end]);
    expect(concludeReplay(compared, undefined).exitCode).toBe(exitCode);
  });

  test('what came anew fails, what still fails is told first, and no finding is no verdict', () => {
    const compared = comparedFindings([{ ...finding, key: 'gone' }, finding], redWith(two), sent);
    expect(compared.map(({ end }) => end)).toEqual(['still fails', 'new', 'not tested']);
    expect(concludeReplay(compared, undefined)).toMatchObject({
      exitCode: 1,
      conclusion: '1 of 2 recorded findings still fails; 1 of 2 recorded findings was not tested; 1 new finding.',
    });
    expect(concludeReplay([], undefined).exitCode).toBe(3);
    expect(concludeReplay(comparedFindings([finding], tested('not tested')), 'It is down.').conclusion).toBe(
      'It is down.',
    );
  });
});

test('reports are written whole, and what cannot be written is reported', async () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'reports-')), 'out');
  const options = { formats: ['junit', 'html'] as const, dir, context: CONTEXT };
  expect(await writeReports(GREEN, options)).toEqual({ files: ['junit.xml', 'report.html'], problems: [] });
  expect(readdirSync(dir)).toEqual(['junit.xml', 'report.html']);
  const { files, problems } = await writeReports(GREEN, { ...options, dir: join(dir, 'junit.xml') });
  expect(files).toEqual([]);
  expect(problems).toEqual([
    'reports cannot be written: part of the path is a file, not a folder (EEXIST); choose another --report-dir',
  ]);
});

test('progress: the share of what is planned, the requests sent, and the pace', () => {
  let [at, written] = [0, ''];
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  const progress = createProgress({ stream, interactive: false, color: false, quiet: false, now: () => at });
  const state = (done: number) => ({ phase: 'Testing', done, planned: 5_000, sent: 2 * done });
  for (at = 0; at <= 12_000; at += 1_000) progress.update(state(at / 10));
  progress.update({ ...state(1_200), news: 'Slower: ::error::x' });
  // For a while, nothing is sent; the pace is still that of the whole run.
  for (at = 13_000; at <= 24_000; at += 1_000) progress.update(state(1_200));
  progress.finish();
  expect(written.split('\n')).toEqual([
    'Testing · 20 % of what is planned · 2,000 requests · 200/s',
    'Slower: : :error::x',
    'Testing · 24 % of what is planned · 2,400 requests · 120/s',
    '',
  ]);
});
