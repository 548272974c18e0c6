import { describe, expect, test } from 'vitest';
import { type ProxySettings, proxyAuthorization, proxyFor, proxySecrets } from './proxy.ts';

const BOTH: ProxySettings = { http: 'http://plain:3128/', https: 'http://secure:3128/', noProxy: '' };

const hostFor = (origin: string, noProxy: string): string | undefined =>
  proxyFor(origin, { ...BOTH, noProxy })?.hostname;

describe('the proxy for an address', () => {
  test('goes by the scheme of the address', () => {
    expect(hostFor('http://shop.example', '')).toBe('plain');
    expect(hostFor('https://shop.example', '')).toBe('secure');
    expect(proxyFor('https://shop.example', { http: 'http://plain/', noProxy: '' })).toBeUndefined();
    expect(proxyFor('http://shop.example', { https: 'http://secure/', noProxy: '' })).toBeUndefined();
    expect(proxyFor('http://shop.example', undefined)).toBeUndefined();
  });

  test('is used for the loopback too, unless it is left aside', () => {
    expect(hostFor('http://127.0.0.1:8080', '')).toBe('plain');
    expect(hostFor('http://localhost:8080', 'localhost')).toBeUndefined();
  });

  test.each([
    ['*', 'http://shop.example'],
    ['shop.example', 'http://shop.example'],
    ['SHOP.example', 'http://shop.EXAMPLE'],
    ['example', 'http://shop.example'],
    ['.example', 'http://shop.example'],
    ['*.shop.example', 'http://a.shop.example'],
    ['.shop.example', 'http://shop.example'],
    ['shop.example.', 'http://shop.example'],
    ['other, shop.example', 'http://shop.example'],
    ['other shop.example\tthird', 'http://shop.example'],
    ['shop.example:80', 'http://shop.example'],
    ['shop.example:443', 'https://shop.example'],
    ['shop.example:8080', 'http://shop.example:8080'],
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['127.0.0.0/8', 'http://127.9.9.9'],
    ['10.0.0.0/8,127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['[::1]', 'http://[::1]'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['fe80::/10', 'http://[fe80::7]'],
  ])('is none with NO_PROXY=%s for %s', (noProxy, origin) => {
    expect(hostFor(origin, noProxy)).toBeUndefined();
  });

  test.each([
    ['', 'http://shop.example'],
    [' , ', 'http://shop.example'],
    ['hop.example', 'http://shop.example'],
    ['shop.example', 'http://shop.example.org'],
    ['a.shop.example', 'http://shop.example'],
    ['shop.example:8080', 'http://shop.example'],
    ['shop.example:80', 'https://shop.example'],
    ['0.0.1', 'http://127.0.0.1'],
    ['127.0.0.0/33', 'http://127.0.0.1'],
    ['127.0.0.0/x', 'http://127.0.0.1'],
    ['10.0.0.0/8', 'http://127.0.0.1'],
    ['[::1]:80', 'http://[::1]:8080'],
    ['::2', 'http://[::1]'],
    ['.', 'http://shop.example'],
    ['*.', 'http://shop.example'],
  ])('is the usual one with NO_PROXY=%s for %s', (noProxy, origin) => {
    expect(hostFor(origin, noProxy)).toBe(origin.startsWith('https') ? 'secure' : 'plain');
  });
});

test('credentials are taken from the URL, decoded, and known as secrets in every form', () => {
  const url = 'http://me:p%40ss@plain:3128/';
  const basic = Buffer.from('me:p@ss').toString('base64');
  expect(proxyAuthorization(new URL(url))).toBe(`Basic ${basic}`);
  expect(proxyAuthorization(new URL('http://plain'))).toBeUndefined();
  expect(proxySecrets({ http: url, https: 'http://secure/', noProxy: '' })).toEqual(['p%40ss', 'p@ss', basic]);
  expect(proxySecrets({ http: 'http://token@plain', noProxy: '' })).toEqual([
    'token',
    Buffer.from('token:').toString('base64'),
  ]);
  expect(proxySecrets(undefined)).toEqual([]);
});
