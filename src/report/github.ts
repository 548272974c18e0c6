/** The summary and the annotations of a GitHub Actions job. */
import { appendFile, stat } from 'node:fs/promises';
import { codeOf } from '../result/files.ts';
import { excerpt, named } from '../text.ts';
import type { Document, FindingBlock } from './blocks.ts';
import { harmless } from './harmless.ts';
import { markdownOf } from './markdown.ts';

/** GitHub shows this many errors of a step. */
const MOST_ERRORS = 10;
/** GitHub would cut longer texts. */
const LONGEST_TITLE = 200;
const LONGEST_MESSAGE = 3_000;
/** GitHub does not show a larger summary of a step. */
const LARGEST_SUMMARY = 1024 * 1024;

const inMessage = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const inTitle = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A workflow command that makes an annotation: one line, in which nothing of the texts is a command. */
function annotation(level: 'error' | 'notice' | 'warning', title: string, lines: readonly string[]): string {
  const message = lines.map((line) => excerpt(harmless(line), LONGEST_MESSAGE)).join('\n');
  return `::${level} title=${inTitle(excerpt(harmless(title), LONGEST_TITLE))}::${inMessage(message)}\n`;
}

/** The beginning of the log: from here on, nothing that a service sends is a workflow command. */
export const beginLog = (token: string): string => `::stop-commands::${token}\n`;

/** The end of the log: commands count again, and make the annotations. */
export const endLog = (token: string, annotations: string): string => `::${token}::\n${annotations}`;

/** Annotations: no verdict, baseline entries to remove, and each finding with its curl line. */
export function annotations(document: Document): string {
  const { tone, heading, conclusion, sections } = document;
  const blocks = sections.flatMap((section) => section.blocks);
  const findings = blocks.flatMap((block) => (block.kind === 'finding' && block.tone === 'bad' ? block : []));
  const stale = blocks
    .flatMap((block) => (block.kind === 'list' ? block.items : []))
    .filter(({ lead }) => lead === 'baseline:');
  const errorOf = ({ requirements, says, lines }: FindingBlock): string => {
    const curl = lines.find(({ label }) => label === 'curl')?.text ?? '';
    const wrong = lines.find(({ label }) => label === 'wrong')?.text ?? says;
    // Part of a command would send something else.
    const shown = curl === '' || curl.length > LONGEST_MESSAGE ? [wrong] : [wrong, curl];
    return annotation('error', `${named(requirements)}: ${says}`, shown);
  };
  const errors = [
    ...(tone === 'unsure' ? [annotation('error', `${heading}: no verdict`, [conclusion])] : []),
    ...stale.map(({ text }) => annotation('error', `${heading}: baseline`, [text])),
    ...findings.map(errorOf),
  ];
  const more = errors.length - MOST_ERRORS;
  const rest = annotation('notice', `${more} more errors`, ['See the summary of this job or report.html.']);
  return errors.slice(0, MOST_ERRORS).join('') + (more > 0 ? rest : '');
}

/**
 * Adds the summary to the job page.
 * @param file of $GITHUB_STEP_SUMMARY
 * @returns a warning as an annotation if that was not possible, as the verdict does not depend on it; otherwise nothing
 */
export async function addSummary(document: Document, file: string): Promise<string> {
  const warn = (why: string): string => annotation('warning', 'The summary is not on this page', [why]);
  const text = `${markdownOf(document)}\n`;
  try {
    const size = await stat(file).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (size + Buffer.byteLength(text) > LARGEST_SUMMARY) return warn('The page is full; see summary.md.');
    await appendFile(file, text);
    return '';
  } catch (error) {
    return warn(`$GITHUB_STEP_SUMMARY cannot be written (${codeOf(error) ?? 'unknown error'}); see summary.md.`);
  }
}
