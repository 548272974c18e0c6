import { partOf } from '../../suites/index.ts';
import { type Checked, isControl, type OpenQuestion } from '../check/checked.ts';
import type { Requirement } from '../check/requirement.ts';
import type { CatalogueRow } from '../contract/catalogue.ts';
import { type OperationName, operationOf } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { weightOf } from '../run/findings.ts';
import type { RunOptions } from '../run/options.ts';
import type { PlannedRows } from '../run/planned-rows.ts';
import { selection } from '../run/selection.ts';
import type { Ending } from '../run/state.ts';
import { count } from '../text.ts';
import type { RequirementResult } from './result.ts';

/** What a run did, from which the outcomes of requirements follow. */
export interface TestedRun {
  /** What its suites say: a requirement may have several rules. */
  readonly requirements: readonly Requirement[];
  readonly options: Pick<RunOptions, 'only' | 'skip' | 'readOnly' | 'maxCreates' | 'today'>;
  readonly checked: readonly Checked[];
  /** Why calls were not sent, with their count. */
  readonly unsent: ReadonlyMap<string, number>;
  /** How many rows were planned and sent; undefined if the run did not get that far. */
  readonly rows?: Pick<PlannedRows, 'done' | 'planned' | 'byRequirement'> | undefined;
  /** A creation was not sent, as its budget was used up. */
  readonly isSpent: boolean;
  /** What looked wrong and could not be asked to the end. */
  readonly questions: readonly OpenQuestion[];
  /** How many animals it created, and how many of them no page showed. */
  readonly animals: { readonly created: number; readonly unlisted: number };
  /** Why it ended early; undefined if it did not. */
  readonly ended?: Ending | undefined;
}

/** A requirement with its outcome; open points with the plainest exchange that shows each reading. */
export interface RequirementOutcome extends Omit<RequirementResult, 'recorded'> {
  readonly recorded: readonly { readonly reading: string; readonly count: number; readonly exchange: Exchange }[];
}

/** Where a rule held: by rejecting something, on these operations, or otherwise. */
interface Held {
  readonly byRejecting: Set<OperationName>;
  otherwise: boolean;
}

interface Tally {
  responses: number;
  /** By the sentence of the rule; none for the status. */
  readonly rules: Map<string | undefined, Held>;
  failed: boolean;
  readonly recorded: Map<string, { count: number; example: Checked }>;
}

/** The outcome of each requirement of the catalogue. */
export function outcomesOf(catalogue: readonly CatalogueRow[], tested: TestedRun): readonly RequirementOutcome[] {
  const tallies = new Map<string, Tally>();
  const tallyOf = (id: string): Tally => {
    const found = tallies.get(id) ?? { responses: 0, rules: new Map(), failed: false, recorded: new Map() };
    tallies.set(id, found);
    return found;
  };
  const controls = new Set<OperationName>();
  for (const checked of tested.checked) {
    const { call, outcome } = checked.exchange;
    if (isControl(checked)) controls.add(call.operation);
    const isRejection = (outcome.status ?? 0) >= 300;
    for (const id of new Set(checked.tested.map(({ requirement }) => requirement))) tallyOf(id).responses += 1;
    for (const { requirement, rule, holds } of checked.tested) {
      if (!holds) continue;
      const { rules } = tallyOf(requirement);
      const held = rules.get(rule) ?? { byRejecting: new Set(), otherwise: false };
      rules.set(rule, held);
      if (isRejection && requirement === checked.expected.requirement) held.byRejecting.add(call.operation);
      else held.otherwise = true;
    }
    for (const { requirement } of checked.violations) tallyOf(requirement).failed = true;
    for (const { requirement, reading } of checked.recorded) {
      const { recorded } = tallyOf(requirement);
      const before = recorded.get(reading);
      const example = before === undefined || weightOf(checked) < weightOf(before.example) ? checked : before.example;
      recorded.set(reading, { count: (before?.count ?? 0) + 1, example });
    }
  }
  return catalogue.map((row) => outcomeOf(row, tallies.get(row.id), controls, tested));
}

function outcomeOf(
  row: CatalogueRow,
  tally: Tally | undefined,
  controls: ReadonlySet<OperationName>,
  tested: TestedRun,
): RequirementOutcome {
  const { untestable, ...facts } = row;
  const common = {
    ...facts,
    part: partOf(row.id),
    expectedFailure: false,
    responses: tally?.responses ?? 0,
    recorded: [...(tally?.recorded ?? [])].map(([reading, { count, example }]) => {
      return { reading, count, exchange: example.exchange };
    }),
  };
  if (untestable !== undefined) return { ...common, outcome: 'untestable', reason: untestable };
  if (!selection(tested.options)(row.id)) return { ...common, outcome: 'not selected' };
  if (tally?.failed === true) return { ...common, outcome: 'failed' };
  const hasHeld = (rule: string | undefined): boolean => {
    const { otherwise = false, byRejecting = [] } = tally?.rules.get(rule) ?? {};
    return otherwise || [...byRejecting].some((operation) => controls.has(operation));
  };
  const rules = rulesOf(row.id, tested, tally);
  const isHeld = rules.some(hasHeld) || (rules.length === 0 && common.recorded.length > 0);
  const notApplicable = whyNotApplicable(row.id, tested, isHeld);
  if (notApplicable !== undefined) return { ...common, outcome: 'not applicable', reason: notApplicable };
  const doubt = whyInDoubt(row.id, tested);
  if (doubt !== undefined) return { ...common, outcome: 'not tested', ...doubt };
  if (!isHeld) return { ...common, outcome: 'not tested', ...whyNotTested(row.id, tally, controls, tested) };
  const lacking = rules.find((rule) => !hasHeld(rule));
  const partly =
    whyPartly(row.id, tested) ??
    (rules.length === 0 ? undefined : whyUnlisted(row.id, tested)) ??
    (lacking && { ...whyNotTested(row.id, tally, controls, tested), reason: `no response exercised "${lacking}"` });
  return partly === undefined
    ? { ...common, outcome: 'passed' }
    : { ...common, outcome: 'passed', partly: true, ...partly };
}

const entriesOf = (id: string, { requirements }: TestedRun): readonly Requirement[] =>
  requirements.filter((one) => one.id === id);

/** The rules of a requirement, by their sentences: those of the suites, and the status where a response was tested by it. */
function rulesOf(id: string, tested: TestedRun, tally: Tally | undefined): readonly (string | undefined)[] {
  const entries = entriesOf(id, tested);
  const own = entries.flatMap(({ says, broken }) => (broken === undefined ? [] : says));
  const isStatus = entries.some(({ broken, records }) => broken === undefined && records === undefined);
  return [...own, ...(isStatus || tally?.rules.has(undefined) === true ? [undefined] : [])];
}

function whyNotApplicable(id: string, tested: TestedRun, isHeld: boolean): string | undefined {
  const entries = entriesOf(id, tested);
  const [{ from = '', until = '9999' } = {}] = entries;
  const { today } = tested.options;
  if (today < from) return `it applies from ${from} on`;
  if (today >= until) return `it applied before ${until}`;
  const isAboutConnection = entries.some((one) => one.isAboutConnection === true);
  return isAboutConnection && !isHeld && closesEach(tested.checked)
    ? 'the service closes each connection after one response'
    : undefined;
}

/** Whether no connection was used twice, though several responses came. */
const closesEach = (checked: readonly Checked[]): boolean =>
  checked.filter(({ exchange: { outcome } }) => outcome.kind === 'answer').length > 1 &&
  checked.every(({ exchange: { place } }) => place === 0);

/** What looked wrong, and why it could not be asked again. */
function whyInDoubt(id: string, { questions, unsent, ended }: TestedRun): Reason | undefined {
  const doubt = questions.find((one) => one.requirement === id && one.isMoot !== true);
  if (doubt === undefined) return undefined;
  const why = ended?.reason ?? mostFrequent(unsent) ?? 'the responses changed each time';
  return {
    reason: `${doubt.says}, but this could not be checked again: ${why}`,
    reasonOf: ended?.reasonOf ?? 'surroundings',
  };
}

/** The share of its animals that no page may show without a reservation. */
const MOST_UNLISTED = 0.1;

/** Why lists could not be tested in full, where they show too few animals of the run. */
function whyUnlisted(id: string, tested: TestedRun): Reason | undefined {
  const { created, unlisted } = tested.animals;
  const isAboutListed = entriesOf(id, tested).some((one) => one.isAboutListed === true);
  if (!isAboutListed || unlisted <= MOST_UNLISTED * created) return undefined;
  return { reason: `${count(unlisted, 'new animal')} never appeared on a page`, reasonOf: 'collection' };
}

type Reason = Pick<RequirementResult, 'reason' | 'reasonOf'>;

/**
 * A requirement counts as passed without reservation if this share of its rows, and of all rows, was sent; a run, if it
 * tested this share of what the user did not leave out.
 */
export const WHOLE = 0.9;

/** Why fewer requests than planned were sent for a requirement; undefined if enough were. */
function whyPartly(id: string, { rows, unsent, ended }: TestedRun): Reason | undefined {
  if (rows === undefined) return undefined;
  const own = rows.byRequirement.get(id) ?? rows;
  if ([own, rows].every(({ done, planned }) => done >= WHOLE * planned)) return undefined;
  const { done, planned } = own.done < WHOLE * own.planned ? own : rows;
  const sent =
    own.done < WHOLE * own.planned
      ? `${done} of ${planned} requests planned for it were sent`
      : `${Math.floor((100 * done) / planned)} % of the planned requests were sent`;
  return {
    reason: `${sent}: ${ended?.reason ?? mostFrequent(unsent) ?? 'the run ended'}`,
    reasonOf: ended?.reasonOf ?? 'service',
  };
}

const mostFrequent = (unsent: TestedRun['unsent']): string | undefined =>
  [...unsent].sort(([, one], [, other]) => other - one)[0]?.[0];

/** Which of the user's options left out what could exercise a requirement, if any did. */
function whyLeftOut({ options: { readOnly, maxCreates, only }, isSpent }: TestedRun): string | undefined {
  if (readOnly) return '--read-only sends GET requests only';
  if (maxCreates !== undefined && isSpent) return `--max-creates ${maxCreates} was reached`;
  return only.length > 0 ? '--only left out what exercises it' : undefined;
}

/** The reason, and where it lies: with the user, the surroundings, the collection or the service. */
function whyNotTested(
  id: string,
  tally: Tally | undefined,
  controls: ReadonlySet<OperationName>,
  tested: TestedRun,
): Reason {
  const { checked, ended, unsent } = tested;
  const rejected = [...(tally?.rules.values() ?? [])].flatMap(({ byRejecting }) => [...byRejecting]);
  const operation = rejected.find((one) => !controls.has(one));
  const leftOut = whyLeftOut(tested);
  // Without an animal of the run, an operation that names one has no valid request.
  const needsAnimal = operation !== undefined && operationOf({ operation }).says === 'id';
  if (leftOut !== undefined && (operation === undefined || needsAnimal)) return { reason: leftOut, reasonOf: 'user' };
  if (ended !== undefined) return ended;
  if (operation !== undefined)
    return { reason: `${operation} answered no valid request as it must`, reasonOf: 'service' };
  const unlisted = whyUnlisted(id, tested);
  if (unlisted !== undefined) return unlisted;
  const most = mostFrequent(unsent);
  if (most !== undefined) return { reason: most, reasonOf: 'surroundings' };
  const codes = checked.map(({ exchange: { outcome } }) => (outcome.kind === 'failure' ? outcome.code : 'answer'));
  if (codes.length > 0 && !codes.includes('answer')) {
    const isClosed = codes.every((code) => code === 'reset');
    return {
      reason: isClosed ? 'the service closed every connection' : 'no request got a response',
      reasonOf: 'service',
    };
  }
  return { reason: 'no response exercised this requirement', reasonOf: 'service' };
}
