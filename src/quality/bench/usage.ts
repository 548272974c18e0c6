import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The environment variable that names the folder in which the processes of a command write down their usage. */
export const USAGE_FOLDER = 'PETSTORE_BENCH_USAGE';

/** What a process wrote down as it ended. */
export interface ProcessFile {
  readonly kind: 'process';
  readonly processorMs: number;
  readonly peakBytes: number;
}

/** What a thread wrote down when it made one of its first connections. */
export interface ConnectionFile {
  readonly kind: 'connection';
  readonly at: number;
  /** The processor time of the process until then. */
  readonly processorMs: number;
}

/** What a command used, over all of its processes. */
export interface Usage {
  readonly processor: number;
  readonly peakBytes: number;
  /** Its first connections, in the order of time. */
  readonly connections: readonly ConnectionFile[];
}

/** Adds up what the processes of a command wrote down; undefined where none of them came to its end. */
export function usageOf(files: readonly (ProcessFile | ConnectionFile)[]): Usage | undefined {
  const processes = files.filter((file) => file.kind === 'process');
  if (processes.length === 0) return undefined;
  return {
    processor: processes.reduce((sum, { processorMs }) => sum + processorMs, 0),
    peakBytes: Math.max(...processes.map(({ peakBytes }) => peakBytes)),
    connections: files.filter((file) => file.kind === 'connection').toSorted((a, b) => a.at - b.at),
  };
}

/** How far apart (ms) the clocks of two processes may be. */
const CLOCKS_APART = 5;

/** The processor time from a moment on: from the last connection that was made before it. */
export function processorSince(moment: number, { processor, connections }: Usage): number | undefined {
  const connection = connections.findLast(({ at }) => at <= moment + CLOCKS_APART);
  return connection === undefined ? undefined : processor - connection.processorMs;
}

/** The usage of the command whose processes wrote into this folder. */
export async function readUsage(folder: string): Promise<Usage | undefined> {
  const files: (ProcessFile | ConnectionFile)[] = [];
  for (const name of await readdir(folder)) {
    const file: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'));
    if (isUsageFile(file)) files.push(file);
  }
  return usageOf(files);
}

const isUsageFile = (file: unknown): file is ProcessFile | ConnectionFile =>
  typeof file === 'object' && file !== null && 'kind' in file && 'processorMs' in file;
