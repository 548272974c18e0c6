/** report.html in Chromium: people can read and work it, and nothing that a service sends is markup or runs. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BodyEvidence, ExchangeEvidence, RunResult } from '../../result/result.ts';
import { documentOf } from '../document.ts';
import { CONTEXT, GREEN, RED, redWith } from '../golden.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { htmlPage } from './page.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const folder = temporaryFolder();

/** Ends every element, attribute and comment that it could stand in; then it loads, runs, hides and leads elsewhere. */
const MARKUP =
  `"'\`--></pre></code></title></style></script><img src="https://service.example/x" onerror="alert(1)">` +
  '<script>alert(2)</script><style>*{display:none}</style><a href="javascript:alert(3)">x</a>&lt;b&gt;${alert(4)}';
const LONG = 'x'.repeat(3_000);

const text = `${MARKUP}${LONG}`;
const body: BodyEvidence = { encoding: 'text', text, bytes: Buffer.byteLength(text), cut: false };

/** An exchange in which all that can be is hostile. */
const hostile = (one: ExchangeEvidence): ExchangeEvidence => ({
  ...one,
  request: { method: 'POST', target: `/v1/pets?q=${text}`, headers: [[`X-${LONG}`, MARKUP]], body },
  answer: { status: 500, headers: [['Content-Type', MARKUP], [`X-${MARKUP}`, LONG]], body }, // biome-ignore format: one line
});

/** A red result in which the first finding, and all else that quotes a service, is hostile. */
function hostileRed(): RunResult {
  const texts = { says: MARKUP, violation: MARKUP, also: [MARKUP, LONG], unusual: [MARKUP] };
  const findings = RED.findings.map((one, at) => {
    const example = hostile(one.example);
    return at === 0 ? { ...one, ...texts, example, earlier: [example, example, example] } : one;
  });
  const result = redWith(findings);
  return {
    ...result,
    conclusion: `${result.conclusion} ${MARKUP}`,
    notes: [MARKUP, LONG],
    target: { baseUrl: `https://service.example/${MARKUP}/v1`, embedded: false },
    requirements: result.requirements.map((row) => ({
      ...row,
      reason: row.reason && MARKUP,
      recorded: row.recorded.map((one) => ({ ...one, reading: MARKUP, request: `GET /v1/pets?${LONG}` })),
    })),
  };
}

const pageOf = (result: RunResult): string => htmlPage(documentOf(result, { ...CONTEXT, history: [GREEN] }));
const PAGES = { green: pageOf(GREEN), red: pageOf(hostileRed()) };

/** Elements that end beyond the window, or hold more than they show. */
const CUT = `[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && (
  one.getBoundingClientRect().right > innerWidth ||
  (getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth))).map((one) => one.outerHTML)`;
const UNFOLD = `for (const one of document.querySelectorAll('details')) one.open = true`;

async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 300)}`);
}

describe.skipIf(CHROMIUM === undefined)('in a browser', { timeout: 120_000 }, () => {
  let browser: BrowserContext;
  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
    const permissions = ['clipboard-read', 'clipboard-write'];
    const options = { headless: true, args, permissions, ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }) };
    browser = await chromium.launchPersistentContext(join(folder, 'profile'), options);
  });
  afterAll(() => browser.close());

  /** Shows a page. Requests, dialogs, errors and what its policy stops make a test fail. */
  async function showing(name: keyof typeof PAGES, use: (page: Page, noise: string[]) => Promise<void>): Promise<void> {
    writeFileSync(join(folder, `${name}.html`), PAGES[name]);
    const page = await browser.newPage();
    const noise: string[] = [];
    page.on('console', (message) => noise.push(message.text()));
    page.on('pageerror', (error) => noise.push(error.message));
    page.on('request', (request) => noise.push(request.url()));
    page.on('dialog', (dialog) => {
      noise.push(dialog.message());
      void dialog.dismiss();
    });
    const address = pathToFileURL(join(folder, `${name}.html`)).href;
    await page.goto(address);
    await use(page, noise);
    expect(noise).toEqual([address]);
    await page.close();
  }

  const names = ['green', 'red'] as const;

  test.each(names)('%s: nothing is markup but its own, and nothing of it is lost', (name) =>
    showing(name, async (page) => {
      expect(await page.locator('img, iframe, object, base, form, [onerror], [style]').count()).toBe(0);
      expect(await page.locator('script, style').count()).toBe(2);
      expect(await page.locator('a:not([href^="#"])').count()).toBe(0);
      if (name === 'green') return;
      await page.evaluate(UNFOLD);
      expect(await page.title()).toContain(MARKUP);
      expect((await page.locator('body').innerText()).split(MARKUP).length).toBeGreaterThan(20);
    }),
  );

  test('even if markup came in, the policy of the page would let it load and run nothing', () =>
    showing('green', async (page, noise) => {
      await page.evaluate(`document.body.innerHTML = ${JSON.stringify(MARKUP)}`);
      for (const directive of ['img-src', 'style-src', 'script-src'])
        await expect.poll(() => noise.filter((line) => line.includes(directive))).toHaveLength(1);
      expect(noise.splice(1).filter((line) => /^\d$/.test(line))).toEqual([]);
    }));

  test.each(names)('%s: at 390 px nothing is cut, and nothing scrolls sideways', (name) =>
    showing(name, async (page) => {
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate(CUT)).toEqual([]);
      await page.evaluate(UNFOLD);
      expect(await page.evaluate(CUT)).toEqual([]);
    }),
  );

  const looks = names.flatMap((name) =>
    (['light', 'dark'] as const).map((colorScheme) => [name, colorScheme] as const),
  );
  test.each(looks)('%s: axe finds nothing, %s', (name, colorScheme) =>
    showing(name, async (page) => {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.evaluate(UNFOLD);
      expect(await axeViolations(page)).toEqual([]);
    }),
  );

  test('by keyboard: a headline leads to its finding, whose button copies the curl command', () =>
    showing('red', async (page) => {
      const finding = page.locator('#finding-4');
      await page.getByRole('navigation', { name: 'Headlines' }).getByRole('link', { name: /^4/ }).press('Enter');
      await expect.poll(async () => (await finding.boundingBox())?.y).toBeLessThan(100);
      await finding.getByRole('button', { name: 'Copy the curl command' }).press('Enter');
      await expect.poll(() => finding.getByRole('status').innerText()).toBe('copied');
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toMatch(/^curl /);
      expect(copied).toBe(await finding.locator('.copy + pre').innerText());
    }));

  test('by keyboard: search, filter, unfold, and follow a link to what is filtered out', () =>
    showing('red', async (page) => {
      const shown = (more = ''): Promise<readonly string[]> =>
        page.locator(`.requirement${more}:visible > summary .id`).allInnerTexts();
      const tabTo = async (text: string): Promise<void> => {
        const focused = `document.activeElement.closest('a, label, summary')?.innerText.trim() ?? ''`;
        for (let presses = 0; presses < 120; presses += 1) {
          await page.keyboard.press('Tab');
          if ((await page.evaluate<string>(focused)).replace(/^\W+/, '').startsWith(text)) return;
        }
        throw new Error(`Tab reaches no ${text}`);
      };
      const all = await shown();
      await tabTo('Search');
      await page.keyboard.type('create 400');
      expect(await shown()).toEqual(['SERV-4', 'CREATE-8']);
      expect(await page.locator('.shown[role=status]').innerText()).toBe(`2 of ${all.length} requirements shown`);
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Delete');
      await tabTo('all');
      await page.keyboard.press('ArrowRight');
      const failed = RED.findings.flatMap(({ requirements }) => requirements);
      expect(await shown()).toEqual(all.filter((id) => failed.includes(id)));
      await tabTo('LIST-2');
      await page.keyboard.press('Enter');
      expect(await shown('[open]')).toEqual(['LIST-2']);
      await page.getByRole('radio', { name: 'passed' }).check();
      expect(await shown()).not.toContain('AUTH-2');
      await page.locator('article a[href="#AUTH-2"]').press('Enter');
      await expect.poll(() => shown('[open]')).toEqual(['LIST-2', 'AUTH-2']);
      expect(await shown()).toEqual(all);
      expect((await page.locator('#AUTH-2').boundingBox())?.y).toBeLessThan(700);
    }));
});
