import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../../sample.fixture.ts';
import { html, joined, prose } from './markup.ts';

describe('html', () => {
  test('escapes every value unless it is markup', () => {
    expect(html`<p title="${'"\'<&>'}">${html`<b>${1}</b>`}${undefined}</p>`.markup).toBe(
      '<p title="&quot;&#39;&lt;&amp;&gt;"><b>1</b></p>',
    );
    expect(html`${HOSTILE}`.markup).not.toMatch(/[<>"']|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test('puts items one after another', () => {
    expect(joined([html`a`, html`b`], ' & ').markup).toBe('a &amp; b');
  });
});

describe('prose', () => {
  test.each([
    ['more than `limit`.', 'more than <code>limit</code>.'],
    ['`a` and `b <i>`', '<code>a</code> and <code>b &lt;i&gt;</code>'],
    ['(`limit=20`)', '(<code>limit=20</code>)'],
    ['without', 'without'],
  ])('shows what stands in back-ticks as code: %s', (text, markup) => {
    expect(prose(text).markup).toBe(markup);
  });

  test.each(['a single ` is kept', 'a`b`c', '``', 'over `two\nlines`'])('and nothing else: %s', (text) => {
    expect(prose(text).markup).toBe(text);
  });
});
