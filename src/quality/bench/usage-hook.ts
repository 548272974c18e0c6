/**
 * Loaded into every Node.js process of a measured command: as the process ends, it writes down what the operating system
 * has counted for it, all threads included.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { USAGE_FOLDER, type Usage } from './command.ts';

const folder = process.env[USAGE_FOLDER];

if (folder !== undefined && isMainThread) {
  process.once('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage: Usage = { processor: (userCPUTime + systemCPUTime) / 1_000, peak: maxRSS * 1_024 };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(usage));
  });
}
