import { expect, test } from 'vitest';
import { repliedWith, toyCall, toyExchange } from './toy-service.fixture.ts';
import { quote, violates } from './violation.ts';

const reply = repliedWith(3, 404);
const earlier = toyExchange(1, 201);

test('the answer alone is the proof of what it shows by itself', () => {
  expect(violates(reply, 'status', 'answers 404', '200', '404')).toEqual({
    code: 'status',
    message: 'answers 404',
    expected: '200',
    actual: '404',
    proof: [reply.exchange],
    call: toyCall(),
  });
});

test('an earlier exchange that the answer contradicts comes before it', () => {
  expect(violates(reply, 'lost', 'it is gone', '200', '404', earlier).proof).toEqual([earlier, reply.exchange]);
});

test('text from a service is quoted on one line, and cut where it is long', () => {
  expect(quote('a "b"\n')).toBe('"a \\"b\\"\\n"');
  expect(quote('x'.repeat(200), 10)).toBe(`"${'x'.repeat(9)}… (200 characters)`);
  expect(quote('x'.repeat(8), 10)).toBe('"xxxxxxxx"');
});
