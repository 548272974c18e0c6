import { randomUUID } from 'node:crypto';
import { appendFile, stat } from 'node:fs/promises';
import { markdownReport } from './formats/markdown.ts';
import { distinct, judgedExchange } from './model/queries.ts';
import type { RunResult } from './model/result.ts';
import { count, excerptText, printable } from './model/text.ts';
import { VERDICT_NAMES } from './model/verdict.ts';
import type { ReportView } from './view.ts';
import { type RenderOptions, redactedRenderer } from './write.ts';

/** How many errors GitHub shows of a step. */
const SHOWN_BY_GITHUB = 10;

/** Longer ones are cut by GitHub, at an end that is no use. */
const TITLE_LIMIT = 200;
const MESSAGE_LIMIT = 3_000;

interface Annotation {
  readonly level: 'error' | 'notice' | 'warning';
  readonly title: string;
  readonly lines: readonly string[];
}

const inMessage = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const inTitle = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A workflow command that makes an annotation: one line, in which nothing of the texts is a command. */
export function annotation({ level, title, lines }: Annotation): string {
  const message = lines.map((line) => excerptText(printable(line), MESSAGE_LIMIT)).join('\n');
  return `::${level} title=${inTitle(excerptText(printable(title), TITLE_LIMIT))}::${inMessage(message)}\n`;
}

function violationsOf({ causes }: ReportView): readonly (Annotation & { readonly requirement: string })[] {
  const unexpected = causes.flatMap(({ findings }) => findings.filter(({ expected }) => !expected));
  return unexpected.map(({ check: { id, title, requirement }, violations: [first] }) => {
    const curl = first && judgedExchange(first)?.curl;
    const sentence = first?.message ?? 'the requirement is violated';
    // The beginning of a command would send something else.
    const lines = curl === undefined || curl.length > MESSAGE_LIMIT ? [sentence] : [sentence, curl];
    return { level: 'error', title: `${id} ${title}`, requirement, lines };
  });
}

/** What is wrong beside violations: no verdict could be reached, the suite failed, the baseline has stale or expired entries. */
function otherErrors({ result, heading, internalErrors, staleAdvice }: ReportView): readonly Annotation[] {
  const { exitCode, verdict, conclusion } = result;
  const error = (title: string, line: string) => ({ level: 'error' as const, title, lines: [line] });
  const isUntold = exitCode === 3 || (exitCode === 2 && internalErrors.length === 0);
  return [
    ...(isUntold ? [error(`${heading}: ${VERDICT_NAMES[verdict]}`, conclusion)] : []),
    ...internalErrors.map(({ check, message }) => error(`Internal error of the suite: ${check.id}`, message)),
    ...(staleAdvice.length === 0 ? [] : [error(`${heading}: stale or expired baseline`, staleAdvice.join('; '))]),
  ];
}

/**
 * What is wrong, as annotations of a GitHub job: each violation with its requirement, one sentence and the command that
 * shows it; the cause that explains most first. One notice names those that GitHub would not show.
 * @param most how many errors the step may still show
 */
export function annotations(view: ReportView, most = SHOWN_BY_GITHUB): string {
  const errors = otherErrors(view);
  const others = errors.slice(0, most);
  const violations = view.isUnjudgeable ? [] : violationsOf(view);
  const shown = violations.slice(0, most - others.length);
  const left = violations.slice(shown.length).map(({ requirement }) => requirement);
  const hidden = errors.slice(others.length).map(({ title }) => title);
  const numbers = [
    ...(hidden.length === 0 ? [] : [count(hidden.length, 'more error')]),
    ...(left.length === 0 ? [] : [count(left.length, 'more violation')]),
  ];
  const rest: Annotation = {
    level: 'notice',
    title: `${numbers.join(' and ')} of ${view.target}`,
    lines: [`${distinct([...hidden, ...left]).join(', ')}: see the summary of this job, or report.html`],
  };
  return [...others, ...shown, ...(numbers.length === 0 ? [] : [rest])].map(annotation).join('');
}

/** GitHub shows no summary of a step that is larger. */
const SUMMARY_LIMIT = 1024 * 1024;

/** With less than this, a summary says too little. */
const LEAST_SUMMARY = 1_000;

/**
 * The job of GitHub Actions that a run is part of: its page shows the summary of each result, and violations as
 * annotations. Several results share what a page has room for.
 */
export class GitHubJob {
  readonly #summaryFile: string | undefined;
  readonly #token = randomUUID();
  readonly #annotations: string[] = [];
  #errorsLeft = SHOWN_BY_GITHUB;

  /** @param summaryFile the file whose text GitHub adds to the page */
  constructor(summaryFile: string | undefined) {
    this.#summaryFile = summaryFile;
  }

  /** What the log must begin with: from here on nothing in it is a workflow command, whatever a service sends. */
  begin(): string {
    return `::stop-commands::${this.#token}\n`;
  }

  /** Adds the summary of a result to the page. */
  async add(result: RunResult, options: RenderOptions): Promise<void> {
    const rendered = redactedRenderer(result, options);
    const warning = await this.#addSummary(rendered);
    const text = rendered((view) => annotations(view, this.#errorsLeft));
    this.#errorsLeft -= text.match(/^::error /gm)?.length ?? 0;
    this.#annotations.push(warning, text);
  }

  /** What the log must end with: commands count again, and make the annotations of all results. */
  end(): string {
    return `::${this.#token}::\n${this.#annotations.join('')}`;
  }

  /** @returns a warning where the summary could not be added: the verdict does not depend on it */
  async #addSummary(rendered: ReturnType<typeof redactedRenderer>): Promise<string> {
    const file = this.#summaryFile;
    if (file === undefined || file === '') return '';
    const warn = (why: string): string =>
      annotation({ level: 'warning', title: 'The summary is not on this page', lines: [why] });
    try {
      const written = await stat(file).catch(() => undefined);
      const room = SUMMARY_LIMIT - (written?.size ?? 0) - 1;
      if (room < LEAST_SUMMARY) return warn('The step has written all that GitHub shows; summary.md has the summary.');
      const text = rendered((view) => markdownReport(view, room));
      // Redaction may lengthen a text.
      if (Buffer.byteLength(text) > room) return warn('It is too large; summary.md has it.');
      await appendFile(file, `${text}\n`);
      return '';
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      return warn(`$GITHUB_STEP_SUMMARY cannot be written (${code}); summary.md has the summary.`);
    }
  }
}
