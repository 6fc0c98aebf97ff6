// A real browser for the tests of pages, and pages opened with everything watched.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';

function findChromium() {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    for (const place of process.env.PATH.split(delimiter))
      if (existsSync(join(place, name))) return join(place, name);
  throw new Error('the test of the report page needs chromium: install the package chromium');
}

// `packages` holds node_modules with playwright-core.
export function launch(packages) {
  const { chromium } = createRequire(resolve(packages, 'node_modules', 'x.js'))('playwright-core');
  return chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

// Opens a page; an error, a request or a refusal of the policy fails the test at its end, but for `wanted`.
export async function openPage(browser, path, use, options = {}) {
  const { init, wanted, ...more } = options;
  const context = await browser.newContext({ viewport: { width: 560, height: 420 }, reducedMotion: 'reduce', offline: true, ...more });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || faults.push(`request: ${request.url()}`));
  if (init) await page.addInitScript(init);
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => window.vinculum);
  await use(page);
  await context.close();
  assert.deepEqual(faults.filter((fault) => !wanted?.test(fault)), []);
}

export const dataOf = (path) => JSON.parse(readFileSync(path, 'utf8').match(/id="data">(.*?)<\/script>/s)[1]);
