import net, { createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  brief,
  LIST,
  list,
  listen,
  networkTo,
  POST,
  post,
  raw,
  response,
  type Script,
  says,
  stoppedCode,
  times,
} from './rig.fixture.ts';
import { retryAfterMs } from './throttle.ts';

describe('connections', () => {
  test.each([1, 3])('at most %i are open, with as many requests in flight', async (connections) => {
    let underWay = 0;
    let most = 0;
    const service = await raw((socket) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        socket.write(response(200));
      }, 1);
    });
    const network = networkTo(service.port, { connections });
    const script = () =>
      network.fresh(async (connection) => {
        const sent = [await connection.send(LIST, 'list'), await connection.send(LIST, 'list')];
        return sent.map(({ place }) => `${place}`);
      });
    const all = [...times(40, (at) => network.lend(list, at % 5)), ...times(6, script)];
    expect(new Set((await Promise.all(all)).flat())).toEqual(new Set(['200 []', '0', '1']));
    expect([most, service.counts.mostOpen]).toEqual([connections, connections]);
    expect(network.counts).toMatchObject({ requests: 52, connectionsUsed: service.counts.connections });
  });

  test('carry no more requests than a run may send, those that are sent again included', async () => {
    let arrived = 0;
    const service = await raw((socket) =>
      socket.write(response(++arrived % 10 === 5 ? 429 : 200, '[]', ['retry-after: 0'])),
    );
    const network = networkTo(service.port, { connections: 8, mostRequests: 31 });
    const sent = await Promise.all(times(40, (at) => network.lend(list, at % 8)));
    expect([arrived, network.counts.requests]).toEqual([31, 31]);
    expect(new Set(sent)).toEqual(new Set(['200 []', 'spent']));
    network.allow(2);
    expect(new Set(await Promise.all(times(4, () => network.lend(list))))).toContain('200 []');
    expect(arrived).toBe(33);
  });

  test('are lent to one borrower at a time; what goes first is next, and what is sent alone is the only one open', async () => {
    const service = await raw(says(response(200), 'stay'));
    const network = networkTo(service.port, { connections: 2 });
    const order: string[] = [];
    const borrow = (name: string, isFirst: boolean) =>
      network.lend(
        async (connection) => {
          await list(connection);
          order.push(name);
          await list(connection);
        },
        0,
        isFirst,
      );
    const alone = network.lend(async (connection) => {
      await list(connection);
      const sent = await connection.send(LIST, 'list', true);
      return [sent.place, service.counts.open];
    }, 1);
    await Promise.all([borrow('first', false), borrow('last', false), borrow('script', true)]);
    expect(order).toEqual(['first', 'script', 'last']);
    expect(await alone).toEqual([1, 1]);
  });

  test('closed by the service after each response, announced or not, are not used again', async () => {
    for (const headers of [['connection: close'], []]) {
      const service = await raw((socket) => socket.end(response(200, '[]', headers)));
      const network = networkTo(service.port, { connections: 4 });
      const sent = await Promise.all(times(80, (at) => network.lend(at % 2 ? list : post, at % 4)));
      expect(sent.filter((one) => one !== '200 []').length).toBeLessThanOrEqual(headers.length === 0 ? 4 : 0);
    }
  });

  // Responds to the first request of each connection, and resets it at the second.
  const racing: Script = (socket, _request, _nth, onConnection) =>
    onConnection === 0 ? socket.write(response(200)) : socket.resetAndDestroy();
  const onceReset: Script = (socket, _request, nth) =>
    nth === 1 ? socket.resetAndDestroy() : socket.write(response(200));

  // biome-ignore format: one table
  const RESETS: readonly (readonly [what: string, script: Script, sends: readonly string[], seen: readonly string[], heard: number])[] = [
    ['an idle connection: not sent again here', onceReset, ['list', 'pause', 'list'], ['200 []', 'reset'], 2],
    ['two idle ones: from then on, one that was idle is not used again', racing, ['list', 'pause', 'list', 'pause', 'list', 'pause', 'post', 'pause', 'list', 'pause', 'post'], ['200 []', 'reset', '200 []', 'reset', '200 []', '200 []'], 6],
    ['a busy connection', onceReset, ['list', 'list'], ['200 []', 'reset'], 2],
    ['a new connection', (socket) => socket.resetAndDestroy(), ['list'], ['reset'], 1],
    ['within an answer', (socket, _request, nth) => nth > 0 ? socket.end('HTTP/1.1 2') : socket.write(response(200)), ['list', 'pause', 'list'], ['200 []', 'truncated'], 2],
  ];
  test.each(RESETS)('a reset of %s', async (_what, script, sends, seen, heard) => {
    // The clock that the suite reads stands still but for pauses.
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    const service = await raw(script);
    const network = networkTo(service.port);
    const found: string[] = [];
    for (const send of sends) {
      if (send === 'pause') now += 10;
      else found.push(await network.lend(send === 'post' ? post : list));
    }
    expect([found, service.heard.length]).toEqual([seen, heard]);
  });

  test('one that ends before everything was written is opened again, for a creation too', async () => {
    let left = 1;
    const server = createServer((socket) => {
      const script = left-- > 0 ? () => socket.resetAndDestroy() : () => socket.resume().write(response(201));
      socket.once('data', script);
    });
    const network = networkTo((await listen(server)).port);
    const request = { ...POST, body: Buffer.alloc(16_000_000) };
    expect(brief(await network.lend((connection) => connection.send(request, 'post')))).toBe('201 []');
  });
});

describe('what did not reach the service is sent again', () => {
  test('while nothing listens; for good, it is no fault of the service', async () => {
    const first = await raw(says(response(200), 'stay'));
    const network = networkTo(first.port, { connections: 4, patienceMs: 400 });
    await network.lend(list);
    await first.stop();
    const waiting = times(8, () => network.lend(list));
    await new Promise((resolve) => setTimeout(resolve, 80));
    const second = await raw(says(response(200), 'stay'), first.port);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['200 []']));
    await second.stop();
    const send = async () => (await network.lend((connection) => connection.send(LIST, 'list'))).outcome;
    expect(await send()).toMatchObject({ code: 'connection-refused', reached: false });
  });

  test.each([
    ['EMFILE', 2],
    ['EADDRNOTAVAIL', 2],
    ['EAI_AGAIN', undefined],
  ])('after %s', async (code, reduced) => {
    const service = await raw(says(response(200), 'stay'));
    const network = networkTo(service.port, { connections: 4 });
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(net, 'connect').mockImplementationOnce(() => {
      const socket = new net.Socket();
      setImmediate(() => socket.destroy(Object.assign(new Error('none'), { code })));
      return socket;
    });
    expect(await network.lend(post)).toBe('200 []');
    expect([service.heard.length, network.reduced?.to]).toEqual([1, reduced]);
  });

  test('a host that no name server knows', async () => {
    const network = networkTo(1, { baseUrl: 'http://no-such-host.invalid/v1', patienceMs: 0 });
    const { outcome } = await network.lend((connection) => connection.send(LIST, 'list'));
    expect(outcome).toMatchObject({ code: 'dns', reached: false });
  });
});

describe('429', () => {
  test('is followed by a pause as asked, lane by lane, and never returned', async () => {
    const at: number[] = [];
    const service = await raw((socket, request) => {
      if (request.startsWith('GET')) return socket.write(response(200));
      return socket.write(
        at.push(performance.now()) > 2 ? response(201) : response(429, '', ['retry-after: 1'].slice(at.length - 1)),
      );
    });
    const network = networkTo(service.port, { connections: 2 });
    const created = network.lend(post);
    await vi.waitFor(() => expect(network.heldUp?.lanes).toEqual(['post']));
    const heldSince = (network.heldUp?.until ?? 0) - 1_000;
    expect([heldSince >= (at[0] ?? 0), heldSince <= performance.now()]).toEqual([true, true]);
    expect(await network.lend(list)).toBe('200 []');
    expect(at).toHaveLength(1);
    expect(await created).toBe('201 []');
    expect(network.counts).toMatchObject({ requests: 4, throttled: 2 });
    const [first = 0, second = 0, third = 0] = at;
    expect([second - first > 990, third - second > 90]).toEqual([true, true]);
  });

  test('slows a lane down', async () => {
    let tokens = 10;
    const filling = setInterval(() => (tokens = Math.min(10, tokens + 1)), 5);
    onTestFinished(() => clearInterval(filling));
    const service = await raw((socket) =>
      socket.write(tokens-- > 0 ? response(200) : response(429, '', ['retry-after: 0'])),
    );
    const network = networkTo(service.port, { connections: 8 });
    const sent = await Promise.all(times(24, () => network.lend(list)));
    expect(new Set(sent)).toEqual(new Set(['200 []']));
    expect(network.counts.throttled).toBeLessThan(24);
  });

  test('that asks for a longer pause than the run has left ends it at once', async () => {
    const service = await raw((socket) => socket.write(response(429, '', ['retry-after: 40000'])));
    const network = networkTo(service.port, { connections: 2, endsAt: performance.now() + 900_000 });
    const sent = await Promise.allSettled(times(4, () => network.lend((connection) => connection.send(LIST, 'list'))));
    const stopped = {
      code: 'throttled',
      message: 'the service answered 429 and asks for a pause of 40000 s, longer than the time that is left',
    };
    expect(sent.map((one) => one.status === 'rejected' && one.reason)).toMatchObject(times(4, () => stopped));
    expect(service.heard.length).toBe(2);
  });

  test('until the end of the run is no verdict', async () => {
    const end = new AbortController();
    const service = await raw((socket) => socket.write(response(429, '', ['retry-after: 3600'])));
    const network = networkTo(service.port, { signal: end.signal, connections: 2 });
    const sent = times(4, () => network.lend(list).catch(stoppedCode));
    await vi.waitFor(() => expect(network.counts.throttled).toBe(2));
    end.abort();
    expect((await Promise.all(sent)).sort()).toEqual(['ended', 'ended', 'throttled', 'throttled']);
  });

  // biome-ignore format: one table
  const RETRY_AFTER: readonly (readonly [value: string, milliseconds: number | undefined])[] = [
    ['3', 3_000], ['Fri, 01 Jan 2027 00:00:07 GMT', 7_000], ['Friday, 01-Jan-27 00:00:07 GMT', 7_000],
    ['Fri Jan  1 00:00:07 2027', 7_000], ['Thu, 31 Dec 2026 23:59:00 GMT', undefined], ['2099-01-01', undefined],
    ['', undefined], ['soon', undefined], [' 0 ', undefined], ['-1', undefined], ['1.5', undefined],
    ['1, 1', undefined], ['1e3', undefined],
  ];
  test.each(RETRY_AFTER)('Retry-After: %s is %s ms', (value, milliseconds) => {
    const date = ['date', 'Fri, 01 Jan 2027 00:00:00 GMT'] as const;
    expect(retryAfterMs({ headers: [date, ['Retry-After', value]] })).toBe(milliseconds);
  });
});

test('a fixed rate holds for everything', async () => {
  const network = networkTo((await raw(says(response(200), 'stay'))).port, { connections: 4, perSecond: 100 });
  const before = performance.now();
  await Promise.all([...times(25, () => network.lend(list)), ...times(6, () => network.fresh(post))]);
  expect(performance.now() - before).toBeGreaterThanOrEqual(290);
});

test('the end of the run ends requests in flight and those that wait', async () => {
  const end = new AbortController();
  const service = await raw(() => setImmediate(() => end.abort()));
  const network = networkTo(service.port, { signal: end.signal, connections: 2 });
  const codes = await Promise.all(times(20, () => network.lend(list).catch(stoppedCode)));
  expect(new Set(codes)).toEqual(new Set(['ended']));
});
