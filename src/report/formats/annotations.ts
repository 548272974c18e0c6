import { judgedExchange } from '../model/queries.ts';
import { count, excerptText, printable } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import type { ReportView } from '../view.ts';

/** How many errors GitHub shows of a step. */
export const SHOWN_BY_GITHUB = 10;

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

const counted = (all: readonly string[], noun: string): readonly string[] =>
  all.length === 0 ? [] : [count(all.length, noun)];

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
  const rest: Annotation = {
    level: 'notice',
    title: `${[...counted(hidden, 'more error'), ...counted(left, 'more violation')].join(' and ')} of ${view.target}`,
    lines: [`${[...new Set([...hidden, ...left])].join(', ')}: see the summary of this job, or report.html`],
  };
  return [...others, ...shown, ...(left.length + hidden.length === 0 ? [] : [rest])].map(annotation).join('');
}
