import { expect, test } from 'vitest';
import { looksLikeProduction } from './production.ts';

test.each([
  'https://shop.test/v1',
  'https://staging.pets.com/v1',
  'https://pets-staging.pets.com/v1',
  'https://stagingshop.com/v1',
  'https://api.dev.pets.com/v1',
  'https://qa2.pets.com/v1',
  'https://sandbox.pets.com/v1',
  'https://test-api.pets.com/v1',
  'http://localhost:8080/v1',
  'http://a.localhost/v1',
  'http://printer.local/v1',
  'https://staging.example/v1',
  'http://127.0.0.1:8080/v1',
  'http://10.1.2.3/v1',
  'http://172.31.0.1/v1',
  'http://192.168.1.5/v1',
  'http://[::1]:8080/v1',
  'http://[fd00::1]/v1',
  'http://[fe80::1]/v1',
  'http://[::ffff:127.0.0.1]/v1',
])('%s is for trials', (url) => {
  expect(looksLikeProduction(url)).toBe(false);
});

test.each([
  'https://api.pets.com/v1',
  'https://contest.com/v1',
  'https://devotion.com/v1',
  'https://latest.pets.com/v1',
  'https://localpets.com/v1',
  'https://pets.com/staging/v1',
  'https://example.com/v1',
  'http://172.32.0.1/v1',
  'http://8.8.8.8/v1',
  'http://[2001:db8::1]/v1',
])('%s looks like production', (url) => {
  expect(looksLikeProduction(url)).toBe(true);
});
