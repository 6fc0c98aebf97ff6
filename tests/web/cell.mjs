// A motion in the cell of a notebook: cell.mjs FOLDER CHROMIUM PAGE PICTURE. FOLDER holds node_modules with playwright-core. The replay stands in a
// frame, plays, and nothing complains.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [packages, executablePath, page, picture] = process.argv.slice(2);
const { chromium } = createRequire(resolve(packages, 'node_modules', 'x.js'))('playwright-core');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'] });
const complaints = [];
try {
  const tab = await browser.newPage({ viewport: { width: 700, height: 700 } });
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(String(error)));
  await tab.goto('file://' + page);
  const cell = tab.frameLocator('iframe');
  await cell.locator('canvas').first().waitFor();
  const slider = cell.locator('input[type=range]').first();
  const before = Number(await slider.inputValue());
  await tab.waitForTimeout(500);
  if (Number(await slider.inputValue()) === before) await cell.locator('button[aria-label*="lay"]').first().click();
  for (let tries = 0; tries < 100 && Number(await slider.inputValue()) === before; ++tries) await tab.waitForTimeout(100);
  assert.notEqual(Number(await slider.inputValue()), before, 'the replay stands still');
  await tab.screenshot({ path: picture });
  assert.deepEqual(complaints, []);
} finally {
  await browser.close();
}
