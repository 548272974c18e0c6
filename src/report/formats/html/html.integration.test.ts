import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVICE } from '../../sample.fixture.ts';
import { CHROMIUM, type ReportBrowser, type ShownReport, startBrowser } from './browser.fixture.ts';
import { INCONCLUSIVE, PAGES } from './reports.fixture.ts';
import { targetPage } from './target-page.ts';

const MATRIX = targetPage(
  [
    { result: INCONCLUSIVE, report: 'a/report.html' },
    { result: { ...INCONCLUSIVE, requirements: [] }, report: 'b/report.html' },
  ],
  SERVICE,
);

/** Names of the rules of axe that the page violates, with the first element that does. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Ids of the requirements that are shown, of all or of those that are unfolded. */
const shownIds = (page: Page, of: '' | '[open]' = ''): Promise<readonly string[]> =>
  page.locator(`details.requirement${of}:visible > summary .id`).allInnerTexts();

describe.skipIf(CHROMIUM === undefined)('in a browser', { timeout: 180_000 }, () => {
  let browser: ReportBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** Shows a report for the time of a test, which must not make a sound. */
  async function showing(report: string, hash: string, use: (shown: ShownReport) => Promise<void>): Promise<void> {
    const shown = await browser.show(report, hash);
    try {
      await use(shown);
      expect(shown.noise).toEqual([]);
    } finally {
      await shown.page.close();
    }
  }

  test.each(Object.entries({ ...PAGES, matrix: MATRIX }))(
    'a page (%s) has nothing that axe objects to, light, folded and wide, or dark, open and narrow',
    (_, report) =>
      showing(report, '', async ({ page }) => {
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await violationsOf(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.setViewportSize({ width: 400, height: 800 });
        await page.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        expect(await violationsOf(page)).toEqual([]);
        const overflow = await page.locator('html').evaluate((element) => element.scrollWidth - element.clientWidth);
        expect(overflow).toBe(0);
      }),
  );

  test('what a service sent is shown as text, and runs nothing', () =>
    showing(PAGES.hostile, '', async ({ page }) => {
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.getByRole('region', { name: 'Verdict' }).textContent()).toContain(
        'Does not conform. \\u001b[31mred',
      );
    }));

  test('its policy keeps out any script, style and request that is not its own', async () => {
    const { page, noise } = await browser.show(PAGES.green);
    await page.locator('main').evaluate((main) => {
      main.innerHTML = '<p style="color: red">A</p><img src="https://example.invalid/a.png" onerror="alert(1)">';
      const script = main.ownerDocument.createElement('script');
      script.textContent = 'document.title = "changed"';
      main.append(script);
    });
    await expect.poll(() => noise.filter((line) => line.includes('Content Security Policy')).length).toBeGreaterThan(2);
    expect(await page.title()).toContain('conforms');
    await page.close();
  });

  test('has its sections in order, under one heading, and colours of both schemes', () =>
    showing(PAGES.red, '', async ({ page }) => {
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'What to do',
        'Violations',
        'Internal errors of the suite',
        'Requirements',
        'Open points',
        'Coverage',
        'Latency',
        'About this run',
      ]);
      const links = page.getByRole('navigation').getByRole('link');
      for (const link of await links.all()) {
        expect(await page.locator(`h2${await link.getAttribute('href')}`).count()).toBe(1);
      }
      const back = (): Promise<string> =>
        page
          .locator('body')
          .evaluate((body) => body.ownerDocument.defaultView?.getComputedStyle(body).backgroundColor ?? '');
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await back()).toBe('rgb(255, 255, 255)');
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await back()).toBe('rgb(20, 23, 26)');
    }));

  test('search looks into what is folded, and the filter chooses by outcome', () =>
    showing(PAGES.red, '', async ({ page }) => {
      const search = page.getByRole('searchbox', { name: 'Search' });
      const shown = page.getByRole('status');
      expect(await shownIds(page)).toHaveLength(10);
      await search.fill('page-too-long 812');
      expect(await shownIds(page)).toEqual(['LIST-2']);
      expect(await shown.innerText()).toBe('1 of 10 requirements shown');
      expect(await page.getByRole('heading', { level: 3, name: '5 Authentication' }).isVisible()).toBe(false);
      const says = page.locator('#LIST-2 .says');
      const hint = (): Promise<string> =>
        says.evaluate(
          (element) => element.ownerDocument.defaultView?.getComputedStyle(element, '::after').content ?? '',
        );
      expect(await hint()).toContain('found inside');
      await search.fill('page never');
      expect(await hint()).toBe('none');
      await search.fill('');
      await page.getByRole('radio', { name: 'not judged' }).check();
      expect(await shownIds(page)).toEqual(['LIST-4', 'LIST-7', 'CREATE-9']);
      await search.fill('few 4');
      expect(await shownIds(page)).toEqual(['LIST-4', 'LIST-7']);
      await page.getByRole('list', { name: 'Requirements by outcome' }).getByRole('link', { name: 'violated' }).click();
      expect(await shownIds(page)).toEqual(['LIST-2', 'CREATE-2']);
      expect(await search.inputValue()).toBe('');
      await page.getByRole('radio', { name: 'all' }).check();
      expect(await shownIds(page)).toHaveLength(10);
      expect(await shown.isVisible()).toBe(false);
    }));

  test('a link to a requirement opens it, wherever it is folded or filtered out', () =>
    showing(PAGES.red, '#LIST-7', async ({ page }) => {
      expect(await shownIds(page, '[open]')).toEqual(['LIST-7']);
      await page.getByRole('radio', { name: 'holds' }).check();
      await page.evaluate("location.hash = '#CREATE-2'");
      await expect.poll(() => shownIds(page, '[open]')).toEqual(['LIST-7', 'CREATE-2']);
      expect(await page.locator('#CREATE-2').evaluate((entry) => entry.getBoundingClientRect().top)).toBeLessThan(600);
      // The same link again, after the reader has closed it.
      await page.locator('#CREATE-2 > summary').click();
      expect(await shownIds(page, '[open]')).toEqual(['LIST-7']);
      await page.locator('article.cause a[href="#CREATE-2"]').click();
      expect(await shownIds(page, '[open]')).toEqual(['LIST-7', 'CREATE-2']);
      await page.locator('article.cause a[href="#check-LIST-2"]').click();
      await expect.poll(() => page.locator('#check-LIST-2').isVisible()).toBe(true);
      await page.evaluate("location.hash = '#nothing-of-that-name'");
      await page.evaluate("location.hash = '#%'; new Promise((resolve) => setTimeout(resolve))");
    }));

  test('everything is reached and worked by keyboard', () =>
    showing(PAGES.red, '', async ({ page }) => {
      const focused = (): Promise<string> =>
        page.evaluate("document.activeElement.closest('label, summary, button')?.textContent?.trim() ?? ''");
      const tabTo = async (text: string): Promise<void> => {
        for (let presses = 0; presses < 60; presses += 1) {
          await page.keyboard.press('Tab');
          if ((await focused()).startsWith(text)) return;
        }
        throw new Error(`Tab never reached ${text}`);
      };
      await tabTo('Search');
      await page.keyboard.type('title');
      await tabTo('all');
      await page.keyboard.press('ArrowRight');
      expect(await shownIds(page)).toEqual(['LIST-2', 'CREATE-2']);
      await tabTo('Open all');
      await page.keyboard.press('Enter');
      expect(await shownIds(page, '[open]')).toEqual(['LIST-2', 'CREATE-2']);
      await tabTo('Close all');
      await page.keyboard.press('Space');
      expect(await shownIds(page, '[open]')).toEqual([]);
      await tabTo('✗LIST-2');
      await page.keyboard.press('Enter');
      expect(await shownIds(page, '[open]')).toEqual(['LIST-2']);
      await tabTo('Copy curl');
    }));

  test('a command is copied as it stands', () =>
    showing(PAGES.causes, '', async ({ page }) => {
      await page.evaluate(
        "Object.defineProperty(navigator.clipboard, 'writeText', { value: async (text) => { document.title = text; } })",
      );
      await page.locator('#cause-2').locator('..').getByRole('button', { name: 'Copy replay' }).click();
      await expect.poll(() => page.title()).toMatch(/^npm test -- .*--replay reports\/failures\/LIST-2\.json$/);
      await page.getByRole('button', { name: 'Copied' }).waitFor();
    }));

  test('in print it is light, everything is unfolded, and there is nothing to press', () =>
    showing(PAGES.red, '', async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
      const isShown = (selector: string): Promise<boolean> =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }));
      expect(await isShown('#check-LIST-2 .evidence')).toBe(true);
      for (const selector of ['.controls', 'nav', '.copy']) expect(await isShown(selector)).toBe(false);
      const back = await page
        .locator('body')
        .evaluate((body) => body.ownerDocument.defaultView?.getComputedStyle(body).backgroundColor);
      expect(back).toBe('rgb(255, 255, 255)');
    }));

  test('a latency stands in a table, with a bar', () =>
    showing(PAGES.red, '', async ({ page }) => {
      const row = page.getByRole('row', { name: 'createPet' });
      expect(await row.innerText()).toMatch(/createPet\s+90\s+3\.0\s+8\.0\s+40\.0\s+140\.0/);
      for (const bar of await row.locator('rect').all()) expect((await bar.boundingBox())?.width).toBeGreaterThan(1);
    }));
});
