import { expect, test } from 'vitest';
import { answering, exchange, greenResult, redResult, viewed, violation } from '../sample.fixture.ts';
import { harReport } from './har.ts';

test('the exchanges of violations as HTTP Archive 1.2, without credentials', () => {
  const har = JSON.parse(harReport(viewed(redResult())));
  expect(har.log.version).toBe('1.2');
  expect(har.log.creator).toEqual({ name: 'petstore-conformance', version: '1.0.0' });
  const [control, judged] = har.log.entries;
  expect(control._role).toBe('control');
  expect(judged).toMatchObject({
    startedDateTime: '2026-03-01T10:00:00.000Z',
    time: 4.2,
    timings: { send: 0, wait: 4.2, receive: 0 },
    cache: {},
    _check: 'LIST-2',
    request: { method: 'GET', queryString: [{ name: 'limit', value: '1' }], httpVersion: 'HTTP/1.1', bodySize: 0 },
    response: { status: 200, statusText: 'OK', content: { mimeType: 'application/json' } },
  });
  expect(judged.request.headers).toContainEqual({ name: 'Authorization', value: 'Bearer [redacted]' });
});

test('traffic is added once; no response has status 0; bytes are in base64', () => {
  const answer = { kind: 'no response', code: 'timeout', sentence: 'Nothing came.', milliseconds: 5000 } as const;
  const silent = exchange({ answer });
  const binary = answering('');
  const body = { encoding: 'base64', base64: '/w==', size: 1, cut: false } as const;
  const bytes = exchange({ answer: { kind: 'response', status: 200, headers: [], body, milliseconds: 1 } });
  const shared = exchange();
  const result = { ...redResult(violation({ exchanges: [shared] })) };
  const entries = JSON.parse(harReport(viewed(result), [shared, silent, bytes, binary])).log.entries;
  expect(entries.filter((entry: { _check?: string }) => entry._check === undefined)).toHaveLength(3);
  expect(entries.at(-3).response).toMatchObject({ status: 0, _error: 'timeout: Nothing came.' });
  expect(entries.at(-2).response.content).toMatchObject({ encoding: 'base64', text: '/w==', size: 1 });
  expect(JSON.parse(harReport(viewed(greenResult()))).log.entries).toEqual([]);
});
