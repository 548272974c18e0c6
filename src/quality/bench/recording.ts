import { createServer } from 'node:http';
import { Pool } from 'undici';

/** A request as it arrived, for the floor to send again. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query, as they stood. */
  readonly path: string;
  /** Names and values in turn, without those of the connection. */
  readonly headers: readonly string[];
  /** In Base64; missing where there was none. */
  readonly body?: string | undefined;
  readonly isChunked: boolean;
}

export interface Recording {
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  stop(): Promise<void>;
}

/** Set by the client itself, for each connection anew. */
const ABOUT_THE_CONNECTION = /^(connection|keep-alive|host|transfer-encoding|content-length)$/i;

/** Stands in front of a service, hands every request on and keeps it, body and all, in the order of arrival. */
export async function startRecording(baseUrl: string): Promise<Recording> {
  const target = new URL(baseUrl);
  const pool = new Pool(target.origin);
  const requests: RecordedRequest[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', rawHeaders } = incoming;
    const isChunked = incoming.headers['transfer-encoding'] !== undefined;
    const hasBody = isChunked || incoming.headers['content-length'] !== undefined;
    const place = requests.length;
    const headers = withoutConnection(rawHeaders);
    requests.push({ method, path, headers, isChunked });
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const body = hasBody ? Buffer.concat(chunks) : null;
      if (body !== null) requests[place] = { method, path, headers, isChunked, body: body.toString('base64') };
      const answer = await pool.request({ method, path, headers: [...headers], body });
      const content = Buffer.from(await answer.body.arrayBuffer());
      const { connection, 'keep-alive': _, 'transfer-encoding': __, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode, rest).end(content);
    } catch {
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname}`,
    requests,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await pool.destroy();
    },
  };
}

function withoutConnection(raw: readonly string[]): readonly string[] {
  return raw.filter((_, at) => !ABOUT_THE_CONNECTION.test(raw[at - (at % 2)] ?? ''));
}
