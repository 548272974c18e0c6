#!/usr/bin/env node
// Starts the program: plain JavaScript that an old Node.js can parse too, so that it can say what it is missing.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Requires Node.js 20.19 or later, this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  // A process that runs out of work before the program has ended must not look like a success.
  process.once('exit', () => {
    if (process.exitCode === undefined) process.exitCode = 2;
  });
  /** @param {Error} error */
  const failed = (error) => {
    process.stderr.write(`${process.env['DEBUG'] ? error.stack : error.message}\n`);
    process.exitCode = 2;
  };
  // Without one of its own, an error that nobody catches would have the exit code of a violation. A run in progress
  // ends by itself, with the reports so far.
  process.once('uncaughtException', (error) => {
    failed(error);
    if (process.listenerCount('uncaughtException') === 0) process.exit();
  });
  start().then((exitCode) => {
    process.exitCode = exitCode;
  }, failed);
}

async function start() {
  // A reader that has seen enough, such as `head`, closes the pipe. Nobody reads the rest, but the reports and the exit
  // code stay what they would be. Where what is printed is lost for another reason, the reports are written all the same.
  /** @type {Error[]} */
  const lost = [];
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (Reflect.get(error, 'code') !== 'EPIPE') lost.push(error);
    });
  }
  // Source maps take time to load: only where stacks are shown.
  if (process.env['DEBUG'] || process.argv.includes('--verbose') || process.argv.includes('-v')) {
    process.setSourceMapsEnabled(true);
  }
  // A checkout builds what is missing or older than its sources. An installed package has no sources.
  const build = new URL('../../.config/build.mjs', import.meta.url);
  if (existsSync(build)) await (await import(build.href)).ensureBuilt();
  // From Node.js 22 on: what was compiled in one run need not be compiled in the next.
  Reflect.get(nodeModule, 'enableCompileCache')?.();
  // Until the old core is gone: --next asks for the new one.
  const argv = process.argv.slice(2).filter((one) => one !== '--next');
  const isMatrix = argv[0] === 'faults' && argv.includes('--run');
  const program = argv.length === process.argv.length - 2 ? 'main' : isMatrix ? 'next-matrix' : 'next-main';
  const { main } = await import(new URL(`../../dist/${program}.js`, import.meta.url).href);
  const exitCode = await main(argv, process.env, process);
  const [cause] = lost;
  if (cause === undefined) return exitCode;
  throw new Error(`The output could not be written: ${cause.message}`, { cause });
}
