import type { RequirementStatus, RunResult } from '../../model/result.ts';
import type { ServiceDescription } from '../../model/service.ts';
import { count, grouped } from '../../model/text.ts';
import { VERDICT_NAMES } from '../../model/verdict.ts';
import { targetName } from '../../view.ts';
import { letter, matrixRows, readingDifferences } from '../matrix.ts';
import { anchor, list, numbers, sign, status, TONES, type Tone, table, VERDICT_TONES, wide } from './elements.ts';
import { html, type Markup, prose } from './markup.ts';
import { type PageSection, pageOf } from './page.ts';
import { controls } from './requirements.ts';

/** A target with its own report, as the page leads to it. */
interface ComparedTarget {
  readonly result: RunResult;
  /** Address of its report, relative to the page. */
  readonly report: string;
}

const DIFFERENT = 'different';

/** What is shown by a sign alone, so that the rest stands out. */
const QUIET: ReadonlySet<Tone> = new Set(['good', 'plain']);

/** A status on one target, linked to the requirement in the report of the target. */
function cell(id: string, { report }: ComparedTarget, found: RequirementStatus | undefined): Markup {
  if (found === undefined) return html`<td class="state"></td>`;
  const tone = TONES[found];
  const shown = QUIET.has(tone) ? html`${sign(tone)}<span class="unspoken">${found}</span>` : status(tone, found);
  return html`<td class="state"><a href="${report}#${anchor(id)}">${shown}</a></td>`;
}

function targetTable(targets: readonly ComparedTarget[]): Markup {
  const rows = targets.map(({ result, report }, index) => {
    const { summary, verdict, exitCode } = result;
    const figures = [summary.judged, summary.holding, summary.violated, summary.requests].map(grouped);
    const name = html`<a href="${report}">${targetName(result)}</a>`;
    return { cells: [letter(index), name, status(VERDICT_TONES[exitCode], VERDICT_NAMES[verdict]), ...figures] };
  });
  const columns = ['Name', 'Target and its report', 'Verdict', ...numbers('Judged', 'Hold', 'Violated', 'Requests')];
  return wide('targets', table({ columns, rows }));
}

function requirementsTable(targets: readonly ComparedTarget[], all: ReturnType<typeof matrixRows>): Markup {
  const groups = new Map<string, number>();
  for (const { shared = DIFFERENT } of all) groups.set(shared, (groups.get(shared) ?? 0) + 1);
  const choices = [...groups]
    .map(([value, number]) => ({ value, number, name: value === DIFFERENT ? value : `${value} on all` }))
    .toSorted((one, other) => Number(other.value === DIFFERENT) - Number(one.value === DIFFERENT));
  // What differs is what the reader came for.
  const sorted = all.toSorted((one, other) => Number(one.shared !== undefined) - Number(other.shared !== undefined));
  const rows = sorted.map(({ id, says, statuses, shared }) => {
    const cells = targets.map((target, index) => cell(id, target, statuses[index]));
    return html`<tr id="${anchor(id)}" data-outcome="${shared ?? DIFFERENT}"><th scope="row">${id}</th>${cells}<td>${prose(says)}</td></tr>
`;
  });
  const letters = targets.map((_, index) => ({ name: letter(index), of: 'state' }) as const);
  const columns = ['Requirement', ...letters, 'What it says'];
  const caption = html`<caption class="soft">Where the targets differ first. ✓ holds, – not applicable, not selected or untestable.</caption>`;
  return html`${controls(choices, { canFold: false })}${wide('requirements by target', table({ of: 'matrix', caption, columns, rows }))}`;
}

function readingsTable(targets: readonly ComparedTarget[]): Markup | undefined {
  const soft = (text: string): Markup => html`<span class="soft">${text}</span>`;
  const rows = readingDifferences(targets.map(({ result }) => result)).map(({ id, says, shared, own }) => {
    const all = shared.length === 0 ? undefined : html`<br><span class="soft">All: ${prose(shared.join(' · '))}</span>`;
    const cells = own.map((texts) =>
      texts === undefined ? soft('not observed') : (list(texts.map(prose)) ?? soft('nothing more')),
    );
    return { cells: [id, html`${prose(says)}${all}`, ...cells] };
  });
  if (rows.length === 0) return undefined;
  const columns = ['Requirement', 'The open point', ...targets.map((_, index) => letter(index))];
  return wide('differences at open points', table({ of: 'matrix', columns, rows }));
}

/** Several targets side by side: requirement by target, and where they differ at open points. */
export function targetPage(targets: readonly ComparedTarget[], { title }: ServiceDescription): string {
  const all = matrixRows(targets.map(({ result }) => result));
  const different = all.filter(({ shared }) => shared === undefined).length;
  const everywhere = all.filter(({ shared }) => shared === 'holds').length;
  const conforming = targets.filter(({ result }) => result.exitCode === 0).length;
  const tone: Tone =
    conforming === targets.length ? 'good' : targets.some(({ result }) => result.exitCode === 1) ? 'bad' : 'unsure';
  const readings = readingsTable(targets);
  const sections: readonly (PageSection | undefined)[] = [
    { id: 'targets', heading: 'Targets', content: targetTable(targets) },
    { id: 'requirements', heading: 'Requirements', content: requirementsTable(targets, all) },
    readings && { id: 'observations', heading: 'Different where the specification is silent', content: readings },
  ];
  const [suite] = targets.map(({ result }) => result.suite);
  return pageOf({
    title: `${count(targets.length, 'target')} · ${title} conformance`,
    heading: `${title} conformance · ${count(targets.length, 'target')} side by side`,
    about: targets.map(({ result }, index) => `${letter(index)} ${targetName(result)}`).join(' · '),
    tone,
    conclusion: `${conforming} of ${count(targets.length, 'target')} ${conforming === 1 ? 'conforms' : 'conform'}.`,
    inShort: `${count(everywhere, 'requirement')} ${everywhere === 1 ? 'holds' : 'hold'} on every target · ${different} ${different === 1 ? 'differs' : 'differ'}`,
    sections: sections.flatMap((section) => section ?? []),
    footer: suite === undefined ? '' : `${suite.name} ${suite.version}`,
  });
}
