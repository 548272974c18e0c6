import { Agent, createServer, request as forward, type IncomingHttpHeaders } from 'node:http';

/** A request as it arrived. Connection headers are left out. */
export interface Recorded {
  readonly method: string;
  /** Path and query, as they stood. */
  readonly path: string;
  readonly headers: readonly string[];
  /** Latin-1, so that every byte is kept. */
  readonly body: string;
  /** What the service answered, as text. */
  readonly answer: string;
  readonly answerHeaders: IncomingHttpHeaders;
  readonly status: number;
}

export interface Recorder {
  readonly baseUrl: string;
  readonly requests: readonly Recorded[];
  stop(): Promise<void>;
}

const ABOUT_THE_CONNECTION = /^(connection|keep-alive|host|transfer-encoding|content-length)$/i;

/** Stands in front of a service, hands every request on and remembers it. */
export async function startRecorder(baseUrl: string): Promise<Recorder> {
  const target = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  const requests: Recorded[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '', rawHeaders } = incoming;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const { host, ...headers } = incoming.headers;
      const onward = forward({ agent, port: target.port, host: target.hostname, method, path, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const whole = Buffer.concat(parts);
          const status = answer.statusCode ?? 0;
          requests.push({
            method,
            path,
            headers: headerLines(rawHeaders),
            body: body.toString('latin1'),
            answer: whole.toString('utf8'),
            answerHeaders: answer.headers,
            status,
          });
          const { connection, 'transfer-encoding': _, ...rest } = answer.headers;
          outgoing.writeHead(status, rest).end(whole);
        });
      });
      onward.on('error', () => outgoing.destroy());
      onward.end(body);
    });
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname}`,
    requests,
    stop: () => {
      agent.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function headerLines(raw: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!ABOUT_THE_CONNECTION.test(name)) lines.push(`${name.toLowerCase()}: ${value}`);
  }
  return lines;
}
