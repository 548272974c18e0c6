import { distinct } from '../model/queries.ts';
import { readingInFull } from '../model/readings.ts';
import type { Observation } from '../model/result.ts';
import { coverageText, seenText } from '../model/summary.ts';
import { count, duration, list, printable } from '../model/text.ts';
import type { PartView } from '../view.ts';
import { columnsOf, cut, fill, grid, hanging, padded, paragraph } from './columns.ts';
import { type Layout, labelled } from './terminal-findings.ts';

/** At most this many requirements with one reason are named; more are counted. */
const MOST_NAMED = 20;

/** How many requirements of each part hold, are violated and were not judged. */
export function tally(layout: Layout): string {
  const digits = `${Math.max(0, ...layout.parts.map(({ requirements }) => requirements.length))}`.length;
  const parts = layout.parts
    .map((part) => ({ title: part.title, counts: partCounts(part, digits, layout) }))
    .filter(({ counts }) => counts !== '');
  if (parts.length === 0) return '';
  const widest = Math.max(...parts.map(({ title }) => columnsOf(title)));
  return grid(
    parts.map(({ title, counts }) => `${padded(title, widest)}  ${counts}`),
    layout.width,
  );
}

function partCounts({ requirements, outcomes }: PartView, digits: number, { colors }: Layout): string {
  const having = (status: string) => outcomes.find((one) => one.status === status)?.number ?? 0;
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
export function openPoints({ observations, parts, verbose, width, lineWidth }: Layout): readonly string[] {
  const lead = 'Where the specification is silent, this service';
  if (verbose) {
    const all = observations.map((one) => labelled(one.requirement, readingInFull(one), lineWidth));
    return list(paragraph(`${lead}:`, lineWidth), all);
  }
  const seen = parts
    .map((part) => ({ title: part.title, readings: readingsOf(part.observations) }))
    .filter(({ readings }) => readings.length > 0);
  const widest = Math.max(...seen.map(({ title }) => columnsOf(title)));
  const lines = seen.map(({ title, readings }) => asManyAsFit(readings, `  ${padded(title, widest)}  `, width));
  const isWhole = lines.every((line) => line.isWhole);
  const number = seen.flatMap(({ readings }) => readings).length;
  const title = isWhole ? `${lead}:` : `${lead} (${number} in all, see --verbose):`;
  return list(
    paragraph(title, lineWidth),
    lines.map(({ line }) => line),
  );
}

/** Each reading once: a short one of every requirement before the second of any, so that a line says as much as it can. */
function readingsOf(seen: readonly Observation[]): readonly string[] {
  const readings = seen.map(({ requirement, reading }) => ({ requirement, reading: printable(reading) }));
  const byLength = readings.toSorted((one, other) => columnsOf(one.reading) - columnsOf(other.reading));
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
export function coverageLines({ result: { coverage }, verbose, width }: Layout): readonly string[] {
  const texts = coverage.map((space) => printable(coverageText(space)));
  const isComplete = coverage.every(({ covered, possible }) => covered === possible);
  if (isComplete && !verbose && texts.length > 0) return [fill('Covered: ', texts, ' · ', width)];
  return list(
    'Covered:',
    texts.map((text) => hanging('  ', text, width)),
  );
}

/** How likely a rare fault of each operation was to be seen: of its successes, and with --verbose of every status. */
export function rareFaultLines({ result, verbose, width }: Layout): readonly string[] {
  const { answers = [] } = result;
  const counted = answers.filter(({ status }) => verbose || status < 300);
  if (counted.length === 0) return [];
  const texts = counted.map((one) =>
    verbose ? `${one.operation} ${one.status} ${seenText(one.count)}` : `${one.operation} ${seenText(one.count)}`,
  );
  const what = verbose ? 'answers' : 'successes';
  return [fill(`Chance of seeing 1 fault in 100 ${what}: `, texts, ' · ', width)];
}

/** Requirements by the reason why there is no verdict on them. */
export function reasons(lead: string, groups: Layout['notJudged'], { verbose, width }: Layout): readonly string[] {
  const lines = groups.map(({ reason, ids }) => {
    const names = ids.length > MOST_NAMED && !verbose ? count(ids.length, 'requirement') : ids.join(', ');
    const text = `${names} (${printable(reason)})`;
    return groups.length === 1 ? paragraph(`${lead}: ${text}`, width) : `  ${paragraph(text, width - 2)}`;
  });
  return lines.length === 1 ? lines : list(`${lead}:`, lines);
}

export function baselineLines({ result, expectedFailures, staleAdvice, colors, lineWidth }: Layout): readonly string[] {
  const expected = `Expected failures (${result.baseline?.file}): ${expectedFailures.join(', ')}`;
  return [
    ...(expectedFailures.length === 0 ? [] : [paragraph(printable(expected), lineWidth)]),
    ...staleAdvice.map((advice) => colors.red(paragraph(printable(advice), lineWidth))),
  ];
}

/** What only a verbose report lists. */
export function verboseSections(layout: Layout): readonly string[] {
  const { result, untestable, lineWidth } = layout;
  const rows = result.requirements.map(({ id, status, kind, says }) =>
    hanging(`  ${id.padEnd(10)} ${status.padEnd(14)} ${kind.padEnd(8)} `, printable(says), lineWidth),
  );
  const times = result.latencies.map(({ operation, requests, p50, p95, p99, max }) => {
    const percentiles = `p50 ${duration(p50)} · p95 ${duration(p95)} · p99 ${duration(p99)} · max ${duration(max)}`;
    return labelled(operation, `${percentiles} · ${count(requests, 'request')}`, lineWidth);
  });
  const options = printable(result.run.options.join(' '));
  return [
    ...list('Requirements:', rows),
    ...list('Latency:', times),
    ...reasons('Cannot be tested', untestable, layout),
    ...(options === '' ? [] : [paragraph(`Options: ${options}`, lineWidth)]),
  ];
}
