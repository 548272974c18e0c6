import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Listening, listen } from '../listen.fixture.ts';

/** Where Debian installs it. */
const NGINX = '/usr/sbin/nginx';

export const hasNginx = (): boolean => existsSync(NGINX);

/** The rest of Debian's own configuration, with all that nginx writes in its own folder. */
const around = (site: string, { host }: URL): string => `
daemon off;
pid nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  upstream service { server ${host}; }
  ${site}
}
`;

/** A port that is free now. */
async function freePort(): Promise<number> {
  const { baseUrl, stop } = await listen(() => {});
  await stop();
  return Number(new URL(baseUrl).port);
}

/** Starts nginx with a file of `conf.d` before a service. */
export async function startNginx(site: string, service: Listening): Promise<Listening> {
  const port = await freePort();
  const text = readFileSync(new URL(site, import.meta.url), 'utf8').replace(/unix:\S*?(?=[;\s])/, `127.0.0.1:${port}`);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-nginx-'));
  // Started by root, its workers have an account of their own.
  chmodSync(folder, 0o755);
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(configuration, around(text, new URL(service.baseUrl)));
  const options = ['-p', folder, '-e', 'stderr', '-c', configuration];
  const nginx = spawn(NGINX, options, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(nginx, 'close');
  await listens(nginx);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      nginx.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves once nginx says that it has opened its sockets; rejects with what it says where it ends before. */
function listens({ stderr }: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('start worker processes')) resolve();
    });
    stderr?.on('close', () => reject(new Error(`nginx did not start: ${said}`)));
  });
}
