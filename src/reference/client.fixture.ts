import { request } from 'undici';
import { readJson } from './json.ts';
import { type ReferenceOptions, type RunningReference, startReference } from './server.ts';

export const KEY = 'Key-For-Tests';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body, with exact integers, read where it is asked for; undefined where there is none, or HTML. */
  readonly body: unknown;
}

export interface Sending {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A running service and a small client that knows its key. */
export interface Rig extends RunningReference {
  send(path: string, sending?: Sending): Promise<Reply>;
  post(body: string | Buffer): Promise<Reply>;
}

export async function startRig(options: Partial<ReferenceOptions> = {}): Promise<Rig> {
  const reference = await startReference({ token: KEY, ...options });
  const send = async (path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Reply> => {
    const response = await request(`${reference.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, ...headers },
      body: body ?? null,
    });
    const text = await response.body.text();
    let read: { readonly body: unknown } | undefined;
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      get body() {
        read ??= { body: text === '' || text.startsWith('<') ? undefined : readJson(text) };
        return read.body;
      },
    };
  };
  return {
    ...reference,
    send,
    post: (body) =>
      send('/pets', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
  };
}
