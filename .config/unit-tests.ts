/** Keeps unit tests fast: one that opens a socket or starts a process fails with the name that its file should have. */
import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

function refuse(): never {
  throw new Error('A unit test opens no socket and starts no process: name its file *.integration.test.ts');
}

Object.assign(Server.prototype, { listen: refuse });
Object.assign(Socket.prototype, { connect: refuse });
Object.assign(ChildProcess.prototype, { spawn: refuse });
