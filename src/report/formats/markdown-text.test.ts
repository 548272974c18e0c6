import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { printable } from '../model/text.ts';
import { HOSTILE } from '../sample.fixture.ts';
import { fenced, markdownText } from './markdown-text.ts';

/** What GitHub's Markdown makes of a text; raw HTML is let through, to be seen. */
const rendered = (markdown: string): string =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }).trim();

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** The text that a reader sees of a paragraph; whatever is no paragraph and no code stays as HTML. */
const seen = (html: string): string =>
  html.replace(/<\/?(?:p|code)>/g, '').replace(/&(\w+);/g, (whole, name: string) => CHARACTERS[name] ?? whole);

const asRead = (text: string): string =>
  printable(text)
    .trim()
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\s+/g, ' ');

const PIECES = [
  ...['*', '_', '`', '~', '[', ']', '(', ')', '!', '<', '>', '&', '#', '-', '+', '=', '|', ':', '@', '\\', '.', ' '],
  ...['a', 'é', 'b1', '**', '__', '~~', '---', '~~~', '\n', '\t', '"', '$', '1.', '2)', '[x]', '[ ] ', '[^1]'],
  ...['</p>', '<b>', '<!--', '&amp;', '&#60;', 'www.x.yz', 'http://a.b/c', 'HTTPS://', 'ftp://x.y', '<http://x.y>'],
  ...['<a@b.c>', 'a@b.cd'],
  ...['mailto:a@b.cd', 'xmpp:a@b.cd', '@team'],
];

describe('markdownText', () => {
  test('whatever the text, a reader sees it and nothing else', () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
    const property = fc.property(text, (one) => {
      expect(seen(rendered(markdownText(one))).replace(/\s+/g, ' ')).toBe(asRead(one));
    });
    fc.assert(property, { seed: 1729, numRuns: 5_000 });
    expect(seen(rendered(markdownText(HOSTILE)))).toBe(asRead(HOSTILE));
  });

  test('in a heading, a list or bold text it stays what it is', () => {
    const text = 'a* _b **c** [d](e) <i> `f` @g';
    const inside = 'a* _b **c** [d](e) &lt;i&gt; <code>f</code> <code>@g</code>';
    expect(rendered(`### ${markdownText(text)}`)).toBe(`<h3>${inside}</h3>`);
    expect(rendered(`**${markdownText(text)}**`)).toBe(`<p><strong>${inside}</strong></p>`);
    expect(rendered(`- ${markdownText(text)}`)).toBe(`<ul>\n<li>${inside}</li>\n</ul>`);
  });

  test.each([
    'Conforms: every requirement (LIST-2) holds. Reports in reports/created.jsonl!',
    'a page asked for with `limit=7` holds 8 animals (page-too-long)',
    'snake_case, 3 < 4 & 5 > 4, {a} [1, 2], "quoted", a|b, a - b, a + b, C# $x',
  ])('what needs no escape has none: %s', (text) => {
    expect(markdownText(text)).toBe(text);
  });

  test.each([
    ['*bold* and __bold__', '\\*bold\\* and \\_\\_bold\\_\\_'],
    ['[docs](javascript:y)', '[docs\\](javascript:y)'],
    ['<script>', '\\<script>'],
    ['&lt;', '\\&lt;'],
    ['1. first', '1\\. first'],
    ['# heading', '\\# heading'],
    ['a lone ` here', 'a lone \\` here'],
    ['ask @team at https://x.example/v1.', 'ask `@team` at `https://x.example/v1`.'],
  ])('%s', (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });
});

test('no body can close its fence', () => {
  for (const body of ['```\n# free', '`````\n````', HOSTILE]) {
    const [open, ...rest] = fenced(body).split('\n');
    const fence = /^`+/.exec(open ?? '')?.[0] ?? '';
    expect(rest.filter((line) => line.startsWith(fence))).toEqual([fence]);
    expect(rest.at(-1)).toBe(fence);
  }
});
