import { baselineAdvice, expectedTexts } from '../model/baseline.ts';
import { byPart, distinct, groupedByReason, observations, type PartResult } from '../model/queries.ts';
import { readingInFull } from '../model/readings.ts';
import type { Observation, RequirementStatus } from '../model/result.ts';
import { coverageText, seenText } from '../model/summary.ts';
import { count, duration, list, printable } from '../model/text.ts';
import { columnsOf, cut, fill, grid, hanging, padded, paragraph } from './columns.ts';
import { type Layout, labelled } from './terminal-layout.ts';

/** So many requirements with one reason are named; more are counted. */
const MOST_NAMED = 20;

/** How many requirements of each part hold, are violated and were not judged. */
export function tally(layout: Layout): string {
  const all = byPart(layout.result, layout.service);
  const digits = `${Math.max(0, ...all.map(({ requirements }) => requirements.length))}`.length;
  const parts = all
    .map((part) => ({ title: part.title, counts: partCounts(part, digits, layout) }))
    .filter(({ counts }) => counts !== '');
  if (parts.length === 0) return '';
  const widest = Math.max(...parts.map(({ title }) => columnsOf(title)));
  return grid(
    parts.map(({ title, counts }) => `${padded(title, widest)}  ${counts}`),
    layout.width,
  );
}

function partCounts({ requirements }: PartResult, digits: number, { colors }: Layout): string {
  const having = (status: string) => requirements.filter((row) => row.status === status).length;
  const expected = requirements.filter((row) => row.status === 'violated' && row.expectedFailure).length;
  const counts = [
    { sign: '✓', number: having('holds'), color: colors.green },
    { sign: '✗', number: having('violated') - expected, color: colors.red },
    { sign: '✗ expected', number: expected, color: colors.yellow },
    { sign: '?', number: having('not judged'), color: colors.yellow },
  ].filter(({ number }) => number > 0);
  return counts.map(({ sign, number, color }) => color(`${sign} ${`${number}`.padStart(digits)}`)).join('  ');
}

/** What the service does at open points: a line for each part of the specification, or all of it with --verbose. */
export function openPoints(layout: Layout): readonly string[] {
  const { result, service, verbose, lineWidth } = layout;
  const lead = 'Where the specification is silent, this service';
  const seen = observations(result);
  if (verbose) {
    return list(
      paragraph(`${lead}:`, lineWidth),
      seen.map((one) => labelled(one.requirement, readingInFull(one), layout)),
    );
  }
  const parts = byPart(result, service)
    .map(({ title, checks }) => ({ title, readings: readingsOf(checks.flatMap((check) => check.observations)) }))
    .filter(({ readings }) => readings.length > 0);
  const widest = Math.max(...parts.map(({ title }) => columnsOf(title)));
  const lines = parts.map(({ title, readings }) => {
    const label = `  ${padded(title, widest)}  `;
    return { readings, ...asManyAsFit(readings, label, layout.width) };
  });
  const hidden = lines.some(({ isWhole }) => !isWhole);
  const number = lines.reduce((sum, { readings }) => sum + readings.length, 0);
  const title = hidden ? `${lead} (${number} in all, see --verbose):` : `${lead}:`;
  return list(
    paragraph(title, lineWidth),
    lines.map(({ line }) => line),
  );
}

/** Each reading once: a short one of every requirement before the second of any, so that a line says as much as it can. */
function readingsOf(seen: readonly Observation[]): readonly string[] {
  const told = seen.map(({ requirement, reading }) => ({ requirement, reading: printable(reading) }));
  const byLength = told.toSorted((one, other) => columnsOf(one.reading) - columnsOf(other.reading));
  const isFirst = ({ requirement }: Observation, at: number): boolean =>
    byLength.findIndex((other) => other.requirement === requirement) === at;
  const firsts = byLength.filter(isFirst);
  return distinct([...firsts, ...byLength].map(({ reading }) => reading));
}

/** In one line, as many of the readings as fit whole, but the beginning of the first at least; the others are counted. */
function asManyAsFit(readings: readonly string[], label: string, width: number) {
  const room = width - columnsOf(label);
  const shown: string[] = [];
  const lineOf = (some: readonly string[]): string => {
    const more = readings.length - some.length;
    return [...some, ...(more === 0 ? [] : [`${more} more`])].join(' · ');
  };
  for (const reading of readings) {
    if (columnsOf(lineOf([...shown, reading])) <= room) shown.push(reading);
  }
  if (shown.length > 0) return { line: label + lineOf(shown), isWhole: shown.length === readings.length };
  const [first = ''] = readings;
  const others = readings.length === 1 ? '' : ` · ${readings.length - 1} more`;
  return { line: `${label}${cut(first, room - columnsOf(others))}${others}`, isWhole: false };
}

/** In one line where every space was covered; a line each where something is missing, or with --verbose. */
export function coverageLines({ result, verbose, width }: Layout): readonly string[] {
  const spaces = result.coverage;
  const texts = spaces.map((space) => printable(coverageText(space)));
  if (texts.length === 0) return [];
  const isComplete = spaces.every(({ covered, possible }) => covered === possible);
  if (isComplete && !verbose) return [fill('Covered: ', texts, ' · ', width)];
  return list(
    'Covered:',
    texts.map((text) => hanging('  ', text, width)),
  );
}

/** How likely a rare fault of each operation was to be seen: of its successes, and with --verbose of every status. */
export function rareFaultLines({ result, verbose, width }: Layout): readonly string[] {
  const { answers = [] } = result;
  const told = answers.filter(({ status }) => verbose || status < 300);
  if (told.length === 0) return [];
  const texts = told.map((one) =>
    verbose ? `${one.operation} ${one.status} ${seenText(one.count)}` : `${one.operation} ${seenText(one.count)}`,
  );
  const what = verbose ? 'answers' : 'successes';
  return [fill(`Chance to see a fault in 1 of 100 ${what}: `, texts, ' · ', width)];
}

/** The requirements of one status, with the reasons. */
export function reasons(
  lead: string,
  status: RequirementStatus,
  { result, verbose, width }: Layout,
): readonly string[] {
  const groups = groupedByReason(result, status);
  const lines = groups.map(({ reason, ids }) => {
    const names = ids.length > MOST_NAMED && !verbose ? count(ids.length, 'requirement') : ids.join(', ');
    const text = `${names} (${printable(reason)})`;
    return groups.length === 1 ? paragraph(`${lead}: ${text}`, width) : `  ${paragraph(text, width - 2)}`;
  });
  return lines.length === 1 ? lines : list(`${lead}:`, lines);
}

export function baselineLines({ result, colors, lineWidth }: Layout): readonly string[] {
  const { baseline } = result;
  const expected = baseline === undefined ? [] : expectedTexts(baseline);
  const told = `Expected failures (${printable(baseline?.file ?? '')}): ${printable(expected.join(', '))}`;
  return [
    ...(expected.length === 0 ? [] : [paragraph(told, lineWidth)]),
    ...baselineAdvice(result).map((advice) => colors.red(paragraph(printable(advice), lineWidth))),
  ];
}

/** What only a verbose report lists. */
export function verboseSections(layout: Layout): readonly string[] {
  const { requirements, latencies, run } = layout.result;
  const rows = requirements.map(({ id, status, kind, says }) =>
    hanging(`  ${id.padEnd(10)} ${status.padEnd(14)} ${kind.padEnd(8)} `, printable(says), layout.lineWidth),
  );
  const times = latencies.map(({ operation, requests, p50, p95, p99, max }) => {
    const percentiles = `p50 ${duration(p50)} · p95 ${duration(p95)} · p99 ${duration(p99)} · max ${duration(max)}`;
    return labelled(operation, `${percentiles} · ${count(requests, 'request')}`, layout);
  });
  return [
    ...list('Requirements:', rows),
    ...list('Latency:', times),
    ...reasons('Cannot be tested', 'untestable', layout),
    ...(run.options.length === 0 ? [] : [paragraph(`Options: ${printable(run.options.join(' '))}`, layout.lineWidth)]),
  ];
}
