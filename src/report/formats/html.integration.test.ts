import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  answering,
  CONTEXT,
  check,
  coverageOf,
  greenResult,
  HOSTILE,
  redResult,
  requirement,
  resultOf,
  resultWithCauses,
  violation,
} from '../sample.fixture.ts';
import { htmlReport } from './html.ts';

const hostile = redResult(violation({ message: HOSTILE, actual: HOSTILE, exchanges: [answering(HOSTILE)] }), {
  notes: [HOSTILE],
  conclusion: `Does not conform. ${HOSTILE}`,
});

describe('htmlReport', () => {
  test('has verdict, figures, evidence, requirements, observations, latencies and notes', () => {
    const page = htmlReport(redResult(), CONTEXT);
    for (const part of [
      'Does not conform: 1 requirement is violated.',
      'in 3 of 812 answers',
      'Because: The default is 20.',
      'answers 400 to a limit out of range',
      'The specification describes no events.',
      '<td class="number">14.3</td>',
      'The service asked for a pause 3 times.',
      'Stale in expected.txt: AUTH-2',
      'npm test -- --base-url https://staging.example/v1 --replay reports/failures/LIST-2.json',
    ]) {
      expect(page).toContain(part);
    }
  });

  test('lists the causes, each with its checks, and every failing input', () => {
    const page = htmlReport(resultWithCauses('all is <refused>'), CONTEXT);
    for (const part of [
      '<a href="#cause-1">all is &lt;refused&gt;</a>',
      '<p>Violates CREATE-2, CREATE-5.</p>',
      '2 more requirements could not be judged because of it: RES-1, RES-2.',
      'All 5 failing inputs; 7 more are left out',
      '<td><pre>POST /v1/pets null</pre></td>',
    ]) {
      expect(page).toContain(part);
    }
    const places = ['id="cause-1"', 'id="check-CREATE-2"', 'id="check-CREATE-5"', 'id="cause-2"', 'id="check-LIST-2"'];
    expect(places.map((place) => page.indexOf(place))).toEqual(
      places.map((place) => page.indexOf(place)).toSorted((one, other) => one - other),
    );
  });

  test('says in how many answers each rule was judged', () => {
    const judged = (number: number) => ({ judged: number });
    const page = htmlReport(
      resultOf(
        [requirement('LIST-2'), requirement('AUTH-2', { part: '5' }), requirement('LIST-4')],
        [
          check('LIST-2', { kind: 'passed' }, judged(1)),
          check('LIST-4'),
          check('AUTH-2.listPets', { kind: 'passed' }, judged(800)),
          check('AUTH-2.getPet', { kind: 'passed' }, judged(700)),
        ],
      ),
      CONTEXT,
    );
    expect(page.match(/in [\d,]+ answers?(?=<)/g)).toEqual(['in 1 answer', 'in 1,500 answers']);
  });

  test('shows how far each request space was covered', () => {
    const page = htmlReport(greenResult({ coverage: [coverageOf('list', 411), coverageOf('create', 3, 3)] }), CONTEXT);
    expect(page).toContain(
      '<th scope="row">list</th><td>pairs</td><td><span class="status unsure">? 411 of 412</span>',
    );
    expect(page).toContain('<th scope="row">create</th><td>pairs</td><td><span class="status good">✓ 3 of 3</span>');
    expect(htmlReport(greenResult(), CONTEXT)).not.toContain('id="coverage"');
  });

  test('a green page has no section of violations', () => {
    expect(htmlReport(greenResult(), CONTEXT)).not.toContain('id="violations"');
  });

  test('nothing in it is loaded or run, and the service cannot add to it', () => {
    const page = htmlReport(hostile, CONTEXT);
    expect(page).not.toMatch(/<script|<img|<link|<iframe|<[^>]*\s(?:src|style|on\w+)=|url\(|@import/);
    expect(page).toContain("default-src 'none'; style-src 'sha256-");
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

test('a browser shows the page as meant: styled, quiet, with nothing run', { timeout: 180_000 }, async (context) => {
  if (executablePath === undefined) {
    context.skip('no Chromium is installed here');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'report-page-'));
  const path = join(folder, 'report.html');
  await writeFile(path, htmlReport(hostile, CONTEXT));
  const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage();
    const seen: string[] = [];
    page.on('console', (message) => seen.push(message.text()));
    page.on('pageerror', (error) => seen.push(error.message));
    page.on('dialog', (dialog) => {
      seen.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().endsWith('/report.html')) seen.push(request.url());
    });
    await page.goto(pathToFileURL(path).href);
    expect(seen).toEqual([]);
    expect(await page.locator('script, img').count()).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.getByRole('region', { name: 'Verdict' }).textContent()).toContain('Does not conform.');
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Violations',
      'Internal errors of the suite',
      'Where the specification is silent, this service',
      'Requirements',
      'Latency',
      'About this run',
    ]);
    expect(await page.getByRole('table').count()).toBe(7);
    const back = (): Promise<string> =>
      page
        .locator('body')
        .evaluate((body) => body.ownerDocument.defaultView?.getComputedStyle(body).backgroundColor ?? '');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await back()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await back()).toBe('rgb(20, 23, 26)');
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.locator('html').evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(overflow).toBe(0);
      const says = await page.locator('.requirements td').first().boundingBox();
      expect(says?.width).toBeGreaterThan(120);
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
});
