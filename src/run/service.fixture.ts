/** A correct Pet Store in a few lines of node:http, which a hook can change, and options for a run against it. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LosslessNumber, parse } from 'lossless-json';
import { onTestFinished } from 'vitest';
import { plainOptions } from '../cli/options/run-settings.ts';
import { documentOf } from '../report/document.ts';
import { terminalText } from '../report/terminal.ts';
import type { ConformanceOptions } from '../result/builders.ts';
import type { RunResult } from '../result/result.ts';

export const KEY = 'Pet-1Store_Key';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly nth: number;
  /** The connection that it came on. */
  readonly connection: Socket;
}

export interface FixtureResponse {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the body; UTF-8 by default. */
  readonly encoding?: 'latin1' | 'utf16le';
  /** No response comes. */
  readonly hangs?: boolean;
}

/** How a service differs: `right` gives the correct response, also to a changed request. */
export type Change = (
  request: ReceivedRequest,
  right: (otherwise?: Partial<ReceivedRequest>) => FixtureResponse,
) => FixtureResponse | Promise<FixtureResponse>;

interface Animal {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: string | undefined;
}

export const errorOf = (status: number, message = 'no'): FixtureResponse => ({
  status,
  body: JSON.stringify({ code: `e${status}`, message, status }),
});
const STATUSES: readonly unknown[] = ['available', 'pending', 'sold'];
const textOf = ({ id, name, categoryId, status }: Animal): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${status === undefined ? '' : `,"status":"${status}"`}}`;

function list(query: string, animals: readonly Animal[]): FixtureResponse {
  const parameters = new URLSearchParams(query);
  const [limits, statuses] = [parameters.getAll('limit'), parameters.getAll('status')];
  if (limits.length > 1 || !limits.every((limit) => /^([1-9]\d?|100)$/.test(limit))) return errorOf(400);
  if (statuses.length > 1 || !statuses.every((status) => STATUSES.includes(status))) return errorOf(400);
  const [status] = statuses;
  const page = animals.filter((animal) => status === undefined || animal.status === status).reverse();
  return {
    status: 200,
    body: `[${page
      .slice(0, Number(limits[0] ?? 20))
      .map(textOf)
      .join(',')}]`,
  };
}

/** Throws if the body is not strict JSON. */
export function jsonOf(body: Uint8Array): unknown {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  JSON.parse(text);
  return parse(text);
}

function create(body: Buffer, animals: Animal[]): FixtureResponse {
  let value: unknown;
  try {
    value = jsonOf(body);
  } catch {
    return errorOf(400);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return errorOf(400);
  const { name, categoryId, status } = Object.assign(Object.create(null), value);
  const category =
    categoryId instanceof LosslessNumber && /^-?\d{1,19}$/.test(categoryId.value)
      ? BigInt(categoryId.value)
      : undefined;
  if (typeof name !== 'string' || category === undefined || BigInt.asIntN(64, category) !== category)
    return errorOf(400);
  if (status !== undefined && !STATUSES.includes(status)) return errorOf(400);
  const animal = { id: BigInt(animals.length + 1), name, categoryId: category, status };
  animals.push(animal);
  return { status: 201, body: textOf(animal) };
}

function right({ method, url, headers, body }: ReceivedRequest, animals: Animal[]): FixtureResponse {
  if (headers.authorization !== `Bearer ${KEY}`) return errorOf(401);
  const [path = '', ...rest] = url.split('?');
  const query = rest.join('?');
  if (path === '/v1/pets') return method === 'POST' ? create(body, animals) : list(query, animals);
  try {
    const id = decodeURIComponent(path.replace('/v1/pets/', ''));
    const found = method === 'GET' ? animals.find((animal) => `${animal.id}` === id) : undefined;
    return found === undefined ? errorOf(404) : { status: 200, body: textOf(found) };
  } catch {
    return errorOf(400);
  }
}

interface RunningService {
  readonly baseUrl: string;
  readonly requests: ReceivedRequest[];
  /** The most concurrent connections and requests. */
  readonly most: { connections: number; requests: number };
  readonly server: Server;
  /** Goes down, with all requests in flight; comes up again after this many milliseconds, or never, perhaps empty. */
  crash(restartsAfter?: number, isEmptied?: boolean): void;
}

/** Starts the service, and stops it when the test ends. */
export async function serve(
  change: Change = (_, answer) => answer(),
  configure: (server: Server) => void = () => {},
): Promise<RunningService> {
  const animals: Animal[] = [];
  const requests: ReceivedRequest[] = [];
  const most = { connections: 0, requests: 0 };
  const open = new Set<Socket>();
  let underWay = 0;
  const server = createServer({ maxHeaderSize: 256 * 1024, keepAliveTimeout: 60_000 }, (request, response) => {
    most.requests = Math.max(most.requests, ++underWay);
    response.on('close', () => --underWay);
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', async () => {
      const { method = '', url = '', headers } = request;
      const { socket: connection } = request;
      const one = { method, url, headers, body: Buffer.concat(pieces), nth: requests.length, connection };
      requests.push(one);
      let answer: FixtureResponse | undefined;
      const reply = await change(one, (otherwise) => {
        answer ??= right({ ...one, ...otherwise }, animals);
        return answer;
      });
      if (reply.hangs === true) return;
      response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers });
      response.end(reply.body, reply.encoding ?? 'utf8');
    });
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('end', () => open.delete(socket)).on('close', () => open.delete(socket));
    // Processes the ends of other connections first.
    setTimeout(() => {
      most.connections = Math.max(most.connections, open.size);
    }, 2);
  });
  configure(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const crash = (restartsAfter?: number, isEmptied = false): void => {
    if (isEmptied) animals.splice(0);
    for (const socket of open) socket.destroy();
    server.close();
    if (restartsAfter !== undefined) setTimeout(() => server.listen(port, '127.0.0.1'), restartsAfter);
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests, most, server, crash };
}

export const optionsFor = (baseUrl: string, more: Partial<ConformanceOptions> = {}): ConformanceOptions => ({
  ...plainOptions({ baseUrl, token: KEY, seed: 7, today: '2026-01-01', profile: 'smoke' }),
  ...more,
});

/** What the terminal shows at the end of a run. */
export const reportOf = (result: RunResult): string =>
  terminalText(documentOf(result, { reportDir: 'reports' }), { color: false, output: 'normal', columns: 120 });

/** Each finding in one line, for messages of tests. */
export const findingLines = ({ findings }: RunResult): readonly string[] =>
  findings.map(
    ({ says, requirements, example }) =>
      `${says} (${requirements.join(', ')}): ${example.request.target} ${example.request.body?.text.slice(0, 80) ?? ''}`,
  );
