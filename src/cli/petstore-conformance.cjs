#!/usr/bin/env node
// Starts the program. Plain JavaScript, so that an old Node.js can parse it and report that it is too old; and
// CommonJS, as Node.js loads no modules from a folder with a backslash in its name.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

/** The folder of the package. */
const ROOT = join(__dirname, '../..');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

const TOO_FEW_FILES =
  'The limit on open files is too low to load the program: raise it, as with `ulimit -n 256`, and run it again';

/** Why Node.js cannot load the program, by the code of its error. */
const UNLOADABLE = new Map([
  ['ERR_INVALID_MODULE_SPECIFIER', `Node.js loads no program from a folder with a backslash in its name: move ${ROOT}`],
  ['EMFILE', TOO_FEW_FILES],
  ['ENFILE', TOO_FEW_FILES],
]);

/** @param {Error} error */
const failed = (error) => {
  const place = UNLOADABLE.get(Reflect.get(error, 'code'));
  process.stderr.write(`${place ?? (process.env['DEBUG'] ? error.stack : error.message)}\n`);
  process.exitCode = 2;
};

if (major < 20 || (major === 20 && minor < 19)) {
  failed(new Error(`Requires Node.js 20.19 or later; this is ${process.versions.node}.`));
} else {
  // If the process ends before the program does, it must not look like a success.
  process.once('exit', () => {
    if (process.exitCode === undefined) process.exitCode = 2;
  });
  // Otherwise an uncaught error would have the exit code of a violation. A run in progress ends by itself, with the
  // reports so far.
  process.once('uncaughtException', (error) => {
    failed(error);
    if (process.listenerCount('uncaughtException') === 0) process.exit();
  });
  start().then((exitCode) => {
    process.exitCode = exitCode;
  }, failed);
}

async function start() {
  // A reader such as `head` closes the pipe when it has seen enough. The run still writes its reports and keeps its exit
  // code. If output is lost for another reason, the reports are written too.
  /** @type {Error[]} */
  const lost = [];
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (Reflect.get(error, 'code') !== 'EPIPE') lost.push(error);
    });
  }
  // Source maps take time to load, so only if stacks are shown.
  if (process.env['DEBUG'] || process.argv.includes('--verbose') || process.argv.includes('-v')) {
    process.setSourceMapsEnabled(true);
  }
  // A checkout builds what is missing or older than its sources. An installed package has no sources.
  const build = join(ROOT, '.config', 'build.mjs');
  if (existsSync(build)) await (await import(pathToFileURL(build).href)).ensureBuilt();
  // From Node.js 22 on, saves compiling in the next run.
  Reflect.get(require('node:module'), 'enableCompileCache')?.();
  const { main } = await import(pathToFileURL(join(ROOT, 'dist', 'main.js')).href);
  const exitCode = await main(process.argv.slice(2), process.env, process);
  const [cause] = lost;
  if (cause === undefined) return exitCode;
  throw new Error(`The output could not be written: ${cause.message}`, { cause });
}
