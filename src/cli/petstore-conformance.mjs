#!/usr/bin/env node
// The entry of the program: plain JavaScript that any Node can parse, so that an old one gets a clear answer.
import { setFlagsFromString } from 'node:v8';

// A fifth less memory, in the worker too, for some 0.2 s: what a run may take of both is bounded, and memory is what a
// hostile service drives up. As a flag of Node it would be forgotten.
setFlagsFromString('--optimize-for-size');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`petstore-conformance needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  // A reader that has seen enough, such as `head`, closes the pipe: no fault of anyone's.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
  await import('./typescript.mjs');
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2), process.env, process);
}
