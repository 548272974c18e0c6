/** A document as text for a terminal. Everything that a service sent is escaped. */
import pc from 'picocolors';
import { count, excerpt, named } from '../text.ts';
import type { Block, Document, FindingBlock, Item, RequirementsBlock, Section, TableBlock } from './blocks.ts';
import { apart, columnsOf, cut, hanging } from './columns.ts';
import { bodyText, type EvidenceLine, piecesOf } from './evidence-lines.ts';
import { harmless } from './harmless.ts';

interface TerminalOptions {
  readonly color: boolean;
  /** quiet: findings and the conclusion · verbose: all requirements, recorded readings, headers and latencies too. */
  readonly output: 'quiet' | 'normal' | 'verbose';
  /** Columns of the terminal; undefined if the text goes elsewhere and is not wrapped. */
  readonly columns?: number | undefined;
  /** The last line, which names the reports, such as `Reports in reports/: junit.xml, report.html`. */
  readonly reports?: string | undefined;
}

interface Layout {
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly width: number;
  readonly verbose: boolean;
  readonly isQuiet: boolean;
}

/** Longer lines are hard to read, however wide the terminal is; in a narrower terminal, nothing fits. */
const WIDEST = 120;
const NARROWEST = 40;
/** The most characters of a target, a header or a body, without and with `--verbose`. */
const LONGEST_BODY = 180;
const LONGEST_VERBOSE = 4_000;
/** The most remarks of a green run. */
const MOST_REMARKS = 3;

/** A sentence without its backticks, which are for pages. */
const plain = (text: string): string => harmless(text).replace(/(^|[\s(“])`([^`]+)`/g, '$1$2');

/** The text of a request or response, and its body. */
function withBody({ text, body }: EvidenceLine, { verbose }: Layout): string {
  const limit = verbose ? LONGEST_VERBOSE : LONGEST_BODY;
  const shown = body === undefined ? '' : `   ${harmless(bodyText(body, limit))}`;
  return harmless(shortened(text, limit)) + shown;
}

/** The beginning of a text, and how long it is. */
function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${excerpt(text, limit)} (${count(text.length, 'character')})`;
}

/** Signs below what is wrong in the body of a request; nothing where the line is wrapped. */
function underline({ text, body }: EvidenceLine, layout: Layout): readonly string[] {
  if (body?.wrong === undefined || layout.isQuiet) return [];
  const pieces = piecesOf(body, layout.verbose ? LONGEST_VERBOSE : LONGEST_BODY);
  const before = columnsOf(`    ${harmless(text)}   ${harmless(pieces.lead + pieces.before)}`);
  const signs = '^'.repeat(Math.max(1, columnsOf(harmless(pieces.wrong))));
  const isWrapped = columnsOf(`    ${withBody({ kind: 'request', label: '', text, body }, layout)}`) > layout.width;
  return isWrapped ? [] : [`${' '.repeat(before)}${layout.colors.red(signs)}`];
}

function evidenceText(line: EvidenceLine, layout: Layout): readonly string[] {
  const { colors, width, verbose } = layout;
  const { kind, label, text, isExtra = false } = line;
  if (isExtra && !verbose) return [];
  switch (kind) {
    case 'request':
      return [hanging('    ', withBody(line, layout), width, 6), ...underline(line, layout)];
    case 'response':
      return [hanging('    → ', withBody(line, layout), width)];
    case 'header':
      return text
        .split('\n')
        .map((header) => hanging('      ', colors.dim(harmless(shortened(header, LONGEST_BODY))), width));
    case 'earlier': {
      return [hanging(`    ${label}: `, withBody(line, layout), width, 6)];
    }
    case 'sentence':
      return [hanging(`    ${label}: `, plain(text), width, 6)];
    // A wrapped command could not be copied.
    case 'command':
      return [`    ${colors.dim(`${label === 'curl' ? '' : `${label}: `}${harmless(text)}`)}`];
  }
}

/** The rate is at the end of the last sentence, or on a line of its own above the commands. */
function findingText({ says, requirements, rate, lines }: FindingBlock, layout: Layout): string {
  const { colors, width } = layout;
  const shown = lines.filter(({ isExtra }) => layout.verbose || isExtra !== true);
  const last = shown.findLast(({ kind }) => kind === 'sentence');
  const texts = shown
    .filter(({ kind }) => kind !== 'command')
    .flatMap((line) => {
      if (line !== last) return evidenceText(line, layout);
      return [apart(`    ${line.label}: ${plain(line.text)}`, colors.dim(rate), width, 6)];
    });
  return [
    apart(`${colors.red('✗')} ${colors.bold(plain(says))}`, colors.dim(named(requirements)), width, 2),
    ...texts,
    ...(last === undefined ? [`    ${colors.dim(rate)}`] : []),
    ...shown.flatMap((line) => (line.kind === 'command' ? evidenceText(line, layout) : [])),
  ].join('\n');
}

function itemText({ lead, text, ids }: Item, { colors, width, verbose }: Layout): string {
  const about = ids === undefined ? '' : colors.dim(` (${named(ids, verbose ? 999 : 6)})`);
  return hanging(lead === undefined ? '  ' : `  ${lead} `, plain(text) + about, width, 4);
}

function requirementsText({ groups }: RequirementsBlock, { colors, width }: Layout): string {
  const signs = { good: colors.green('✓'), bad: colors.red('✗'), unsure: colors.yellow('?'), plain: colors.dim('–') };
  const texts = groups.map(({ title, summary, rows }) => {
    const lines = rows.map(({ id, tone, says, facts }) => {
      const [, [reason] = []] = facts.find(([name]) => tone === 'unsure' && name === 'reason') ?? [];
      const why = reason === undefined ? '' : ` (${reason})`;
      return hanging(`  ${signs[tone]} ${id.padEnd(10)} `, plain(says + why), width);
    });
    return [`  ${colors.bold(title)} ${colors.dim(summary)}`, ...lines].join('\n');
  });
  return texts.join('\n');
}

function tableText({ columns, rows, texts = 1 }: TableBlock): string {
  const all = [columns, ...rows].map((cells) => cells.map(harmless));
  const widths = columns.map((_, at) => Math.max(...all.map((cells) => columnsOf(cells[at] ?? ''))));
  const cell = (text: string, at: number): string => {
    const blanks = ' '.repeat((widths[at] ?? 0) - columnsOf(text));
    return at < texts ? text + blanks : blanks + text;
  };
  return all.map((cells) => `  ${cells.map(cell).join('   ')}`.trimEnd()).join('\n');
}

function blockText(block: Block, layout: Layout): string {
  switch (block.kind) {
    case 'list':
      return block.items.map((item) => itemText(item, layout)).join('\n');
    case 'evidence':
      return block.lines.flatMap((line) => evidenceText(line, layout)).join('\n');
    case 'finding':
      return findingText(block, layout);
    case 'requirements':
      return requirementsText(block, layout);
    case 'table':
      return tableText(block);
  }
}

/** A block without colours, each paragraph on one line. */
export const plainText = (block: Block): string =>
  blockText(block, { colors: pc.createColors(false), width: Number.POSITIVE_INFINITY, verbose: false, isQuiet: false });

function sectionText({ bare, heading, blocks }: Section, layout: Layout): string {
  const texts = blocks.map((block) => blockText(block, layout));
  const gap = blocks.some(({ kind }) => kind === 'finding') ? '\n\n' : '\n';
  return `${bare === true ? '' : `${layout.colors.bold(heading)}\n`}${texts.join(gap)}`;
}

/** The few remarks that a green run shows beside its verdict. */
function remarks(sections: readonly Section[], layout: Layout): readonly string[] {
  const items = sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'list' ? block.items : [])));
  const shown = items.length > MOST_REMARKS ? items.slice(0, MOST_REMARKS - 1) : items;
  const more = items.length - shown.length;
  const oneLine: Layout = { ...layout, colors: pc.createColors(false), width: Number.POSITIVE_INFINITY };
  const texts = shown.map((item) => layout.colors.dim(cut(itemText(item, oneLine), layout.width)));
  return more === 0 ? texts : [...texts, `  ${more} more remarks with --verbose, and in report.html`];
}

/** The report: a few lines for a green run; for a red one, what a person needs to fix the service. */
export function terminalText(document: Document, options: TerminalOptions): string {
  const { heading, about, tone, conclusion, figures, sections } = document;
  const { color, output, columns, reports } = options;
  const colors = pc.createColors(color);
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.min(WIDEST, Math.max(NARROWEST, columns));
  const verbose = output === 'verbose';
  const layout: Layout = { colors, width, verbose, isQuiet: output === 'quiet' };
  const paint = { good: colors.green, bad: colors.red, unsure: colors.yellow, plain: colors.bold }[tone];
  const soft = (text: string): string => colors.dim(hanging('', text, width, 2));
  const head = soft([heading, ...about].map(harmless).join(' · '));
  const end = [
    ...(output === 'quiet' || figures.length === 0 ? [] : [soft(figures.map(harmless).join(' · '))]),
    paint(hanging('', plain(conclusion), width)),
    ...(reports === undefined || output === 'quiet' ? [] : [soft(harmless(reports))]),
  ];
  const isEvidence = ({ kind }: Block): boolean => kind === 'finding' || kind === 'evidence';
  const shown = sections
    .filter(({ level }) => level === 'brief' || (verbose && level === 'full'))
    .filter(({ blocks }) => output !== 'quiet' || blocks.every(isEvidence));
  const isShort = tone === 'good' && !verbose && shown.every(({ bare }) => bare === true);
  const texts = isShort ? remarks(shown, layout) : shown.map((section) => sectionText(section, layout));
  const joined = isShort ? [head, ...texts, ...end].join('\n') : [head, ...texts, end.join('\n')].join('\n\n');
  return `${joined}\n`;
}
