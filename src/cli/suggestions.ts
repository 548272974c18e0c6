import { Command, CommanderError } from 'commander';
import { COMMAND } from '../package.ts';
import { quoted, UsageError } from './errors.ts';

/** Words that people try, by the option that they mean. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  'base-url': ['url', 'target', 'server'],
  token: ['api-key', 'bearer', 'auth'],
  profile: ['level'],
  'request-timeout': ['timeout'],
  'max-time': ['limit-time', 'duration'],
  concurrency: ['workers'],
  'rate-limit': ['rate', 'rps', 'limit'],
  report: ['format', 'reporter'],
  'report-dir': ['output', 'out'],
  only: ['grep', 'include'],
  skip: ['exclude'],
  baseline: ['known-failures', 'allowlist'],
  quiet: ['silent'],
  today: ['date'],
  'no-color': ['no-colour'],
};

/**
 * The candidate that a mistyped word most likely meant, in any letter case; undefined if none is close. commander does
 * not export its suggestions, so they are taken from what it says about an unknown command.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const parser = new Command()
    .exitOverride()
    .helpCommand(false)
    .configureOutput({ writeErr: () => {} });
  for (const name of new Set(candidates.map((candidate) => candidate.toLowerCase()))) parser.command(name);
  try {
    parser.parse(['--', word.toLowerCase()], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const guess = /\(Did you mean (?:one of )?([^ ,?]+)/.exec(error.message)?.[1];
    return candidates.find((candidate) => candidate.toLowerCase() === guess);
  }
  return undefined;
}

/** `; did you mean X?`, or nothing if no candidate is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const guess = nearest(word, candidates);
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

/** The option, among some, that a word stands for: by its meaning or by its letters. All without hyphens in front. */
export function optionLike(word: string, options: readonly string[]): string | undefined {
  return options.find((option) => SYNONYMS[option]?.includes(word.toLowerCase())) ?? nearest(word, options);
}

/** The error for a fault or a variant that does not exist. */
export function unknownName(source: string, name: string, all: readonly { readonly name: string }[]): UsageError {
  const names = all.map((known) => known.name);
  const what = `unknown name ${quoted(name)}${didYouMean(name, names)}`;
  return new UsageError('name-unknown', `${source}: ${what} (${COMMAND} faults lists them all)`);
}
