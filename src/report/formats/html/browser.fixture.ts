import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where Chromium is; undefined where it is not installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** A report that is shown by a browser. */
export interface ShownReport {
  readonly page: Page;
  /** What a quiet page leaves empty: messages of the console, errors, dialogs, and requests beside that for itself. */
  readonly noise: readonly string[];
}

/** A browser that shows reports from files. */
export interface ReportBrowser {
  show(report: string, hash?: string): Promise<ShownReport>;
  close(): Promise<void>;
}

/** Starts a browser that opens no connection of its own. */
export async function startBrowser(): Promise<ReportBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'report-page-'));
  const browser: BrowserContext = await chromium.launchPersistentContext(join(folder, 'profile'), {
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
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
  let shown = 0;
  return {
    show: async (report, hash = '') => {
      shown += 1;
      const name = `report-${shown}.html`;
      await writeFile(join(folder, name), report);
      const page = await browser.newPage();
      const noise: string[] = [];
      page.on('console', (message) => noise.push(message.text()));
      page.on('pageerror', (error) => noise.push(error.message));
      page.on('dialog', (dialog) => {
        noise.push(dialog.message());
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (!request.url().split('#')[0]?.endsWith(`/${name}`)) noise.push(request.url());
      });
      await page.goto(`${pathToFileURL(join(folder, name)).href}${hash}`);
      return { page, noise };
    },
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
