import { EventEmitter } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll } from 'vitest';
import { KEY, type RecordingReference, recordingReference } from '../../petstore/rig.fixture.ts';
import { findFault, findVariant, type ReferenceOptions } from '../../reference/index.ts';
import type { RunResult } from '../../report/model/result.ts';
import { resultValidator } from '../../report/read-result.ts';
import { temporaryFolder } from '../../temporary-folder.fixture.ts';
import { runConformance } from '../api/run-conformance.ts';
import { main } from '../main.ts';
import { type RunOptions, runDefaults } from '../run-options.ts';
import type { Interrupt, SignalSource } from './interruption.ts';
import type { Printed } from './program.fixture.ts';
import { runCommand } from './run.ts';

const folder = temporaryFolder();

/** A new folder, which the end of the test file removes. */
export const newFolder = (): string => mkdtempSync(join(folder, 'reports-'));

const services: RecordingReference[] = [];
afterAll(() => Promise.all(services.splice(0).map((service) => service.stop())));

/** The reference service with faults and variants, by their names; the end of the test file stops it. */
export async function serviceWith(
  names: readonly string[] = [],
  options: Partial<ReferenceOptions> = {},
  change?: Parameters<typeof recordingReference>[1],
): Promise<RecordingReference> {
  const faults = names.flatMap((name) => findFault(name) ?? []);
  const variants = names.flatMap((name) => findVariant(name) ?? []);
  if (faults.length + variants.length < names.length) throw new Error(`no such fault or variant: ${names}`);
  const service = await recordingReference({ faults, variants, ...options }, change);
  services.push(service);
  return service;
}

/** The options of a quick run, with every report but the archive, in a new folder that the test file's end removes. */
export function quickOptions(baseUrl: string | undefined, changes: Partial<RunOptions> = {}): RunOptions {
  return runDefaults({
    baseUrl,
    token: KEY,
    profile: 'smoke',
    seed: 7,
    // Before the removal date of getPet, whenever the tests run.
    today: '2027-01-01',
    requestTimeoutMs: 2_000,
    maxTimeMs: 60_000,
    settleMs: 300,
    output: 'quiet',
    reports: ['junit', 'json', 'html', 'md'],
    reportDir: newFolder(),
    ...changes,
  });
}

/** Keeps what is written to it. */
export class Captured extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** Signals that a test sends. */
export class FakeSignals extends EventEmitter implements SignalSource {
  readonly exits: number[] = [];
  readonly env: NodeJS.ProcessEnv;
  ppid = 1_000;
  constructor(env: NodeJS.ProcessEnv = {}) {
    super();
    this.env = env;
  }
  exit(code: number): void {
    this.exits.push(code);
  }
  send(signal: Interrupt): void {
    this.emit(signal, signal);
  }
  get listening(): number {
    return this.eventNames().length;
  }
}

export interface EndedHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
  readonly dir: string;
}

/**
 * The whole of a run but for the command line, in this process.
 *
 * @param screen takes both streams, as a terminal of that many columns does
 */
export async function runHere(
  options: RunOptions,
  signals = new FakeSignals(),
  screen?: Captured & { readonly columns: number },
): Promise<EndedHere> {
  const stdout = screen ?? new Captured();
  const stderr = screen ?? new Captured();
  const started = performance.now();
  const code = await runCommand([options], { stdout, stderr }, { runConformance, signals });
  const milliseconds = performance.now() - started;
  return { code, stdout: stdout.text, stderr: stderr.text, milliseconds, dir: options.reportDir };
}

/** The whole program in this process, command line included, with the key of the tests and nothing else of the environment. */
export const mainHere = (...argv: readonly string[]): Promise<Printed> => mainWith({ PETSTORE_API_KEY: KEY }, ...argv);

/** The same with another environment. */
export async function mainWith(environment: NodeJS.ProcessEnv, ...argv: readonly string[]): Promise<Printed> {
  const streams = { stdout: new Captured(), stderr: new Captured() };
  const code = await main(argv, environment, streams);
  const [stdout, stderr] = [streams.stdout.text, streams.stderr.text];
  return { code, stdout, stderr, printed: stdout + stderr };
}

/** The requirements that a result has as violated. */
export const violatedIn = ({ requirements }: RunResult): readonly string[] =>
  requirements.flatMap(({ id, status }) => (status === 'violated' ? id : []));

/** conformance.json, held against its schema. */
export function resultIn(dir: string): RunResult {
  const value: unknown = JSON.parse(readFileSync(join(dir, 'conformance.json'), 'utf8'));
  const validate = resultValidator();
  if (!validate(value)) throw new Error(`conformance.json is not valid: ${JSON.stringify(validate.errors)}`);
  return value;
}

/** The lines of the ledger; none where there is no ledger. */
export function ledgerIn(dir: string): readonly Readonly<Record<string, unknown>>[] {
  if (!readdirSync(dir).includes('created.jsonl')) return [];
  const lines = readFileSync(join(dir, 'created.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) throw new Error(`no line of a ledger: ${line}`);
    return Object.fromEntries(Object.entries(value));
  });
}

/** Resolves once `count` requests have reached a service; rejects where the run that sends them ends before. */
export async function reached(requests: readonly unknown[], number: number, running: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const note = (): void => {
    hasEnded = true;
  };
  running.then(note, note);
  while (requests.length < number) {
    if (hasEnded) throw new Error(`the run ended after ${requests.length} requests`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
