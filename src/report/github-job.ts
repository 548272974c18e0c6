import { randomUUID } from 'node:crypto';
import { appendFile, stat } from 'node:fs/promises';
import { annotation, annotations, SHOWN_BY_GITHUB } from './formats/annotations.ts';
import { markdownReport } from './formats/markdown.ts';
import type { RunResult } from './model/result.ts';
import { renderRedacted, type WriteOptions } from './write.ts';

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
  async add(result: RunResult, options: Omit<WriteOptions, 'formats'>): Promise<void> {
    const warning = await this.#addSummary(result, options);
    const text = renderRedacted(result, options, (view) => annotations(view, this.#errorsLeft));
    this.#errorsLeft -= text.match(/^::error /gm)?.length ?? 0;
    this.#annotations.push(warning, text);
  }

  /** What the log must end with: commands count again, and make the annotations of all results. */
  end(): string {
    return `::${this.#token}::\n${this.#annotations.join('')}`;
  }

  /** @returns a warning where the summary could not be added: the verdict does not depend on it */
  async #addSummary(result: RunResult, options: Omit<WriteOptions, 'formats'>): Promise<string> {
    const file = this.#summaryFile;
    if (file === undefined || file === '') return '';
    const warn = (why: string): string =>
      annotation({ level: 'warning', title: 'The summary is not on this page', lines: [why] });
    try {
      const written = await stat(file).catch(() => undefined);
      const room = SUMMARY_LIMIT - (written?.size ?? 0) - 1;
      if (room < LEAST_SUMMARY) return warn('The step has written all that GitHub shows; summary.md has the summary.');
      const text = renderRedacted(result, options, (view) => markdownReport(view, room));
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
