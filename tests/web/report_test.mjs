// The report's page in a real browser: report_test.mjs MAKE_REPORT FOLDER PROGRAM MODEL
// MAKE_REPORT writes reports for the test; FOLDER holds node_modules with playwright-core; PROGRAM runs MODEL. Software rendering takes some
// tenths of a second for a frame, so that every test draws few of them, in a small window.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dataOf as dataAt, launch, openPage } from './browser.mjs';

const [makeReport, packages, program, model] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'vinculum-report-'));
let browser;

before(async () => {
  execFileSync(makeReport, [folder], { timeout: 60000 });
  browser = await launch(packages);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (name, use, options) => openPage(browser, join(folder, `${name}.html`), use, options);
const dataOf = (name) => dataAt(join(folder, `${name}.html`));
const timeOf = (page) => page.evaluate(() => window.vinculum.clock.time);
const twoFrames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const picture = async (page) => {
  await twoFrames(page);
  return (await page.locator('#replay canvas').screenshot()).toString('base64');
};
const exact = (page, selector) => page.locator(selector).evaluateAll((nodes) => nodes.map((node) => Number(node.value)));
const lines = (page) => page.locator('.time-line').evaluateAll((nodes) => nodes.map((node) => ({
  time: Number(node.dataset.time), x: new DOMMatrix(getComputedStyle(node).transform).e, width: node.parentElement.clientWidth,
})));

test('a page opens from disk with its fonts, equations and plots, and asks the network for nothing', async () => {
  for (const name of ['space', 'plane', 'long'])
    await open(name, async (page) => {
      const data = dataOf(name);
      assert.equal(await page.title(), data.title);
      assert.equal(await page.locator('h1').textContent(), data.title);
      assert.equal(await page.locator('.plot').count(), data.panels.length);
      assert.equal(await page.locator('.plot canvas').count(), data.panels.length);
      assert.ok(await page.locator('#equations .katex-display').count() > 2);
      assert.equal(await page.locator('.katex-error').count(), 0);
      assert.ok(await page.evaluate(() => document.fonts.ready.then(() => [...document.fonts].some((f) => f.family === 'KaTeX_Math' && f.status === 'loaded'))));
      assert.equal(await page.locator('#replay canvas').count(), 1);
      await page.setViewportSize({ width: 390, height: 700 });
      // Plots follow the width a frame or two later, more where the machine is busy.
      await page.waitForFunction(() => document.documentElement.scrollWidth <= 390, undefined, { timeout: 10_000 })
        .catch(() => assert.fail('something is wider than a phone'));
    });
});

test('text of a model is shown as text, and nothing of it runs', async () => {
  await open('space', async (page) => {
    assert.equal(await page.locator('#origin pre').textContent(), dataOf('space').text);
    assert.ok(dataOf('space').text.includes('</script><script>alert(1)</script><!--'));
    assert.equal(await page.locator('script').count(), 2);
    // Even a script that got into the page would not run.
    assert.equal(await page.evaluate(() => new Promise((done) => {
      document.addEventListener('securitypolicyviolation', () => done(window.intruder ?? 'refused'));
      const script = document.createElement('script');
      script.textContent = 'window.intruder = "ran"';
      document.body.append(script);
    })), 'refused');
  }, { wanted: /Content Security Policy/ }); // the browser reports its refusal as an error of the page
});

test('constraints are shown with their reasons, forces with their split, and what no work alone would leave open', async () => {
  await open('plane', async (page) => {
    const { geometry } = dataOf('plane');
    const section = page.locator('#geometry');
    assert.equal(await section.locator('h2').textContent(), 'Constraints and their forces');
    const text = await section.textContent();
    assert.ok(text.includes('ideal: t does not occur in it, so A v is its derivative, which is 0 (\u2018wire\u2019)'));
    assert.ok(text.includes('M q\u2033'));
    assert.equal(geometry.split.length, 2);
    assert.ok(Math.abs(geometry.orthogonality) < 1e-12);
    const powers = geometry.power;
    assert.ok(Math.abs(powers.rate - powers.impressed - powers.constraint - powers.nonideal - powers.explicit_time) < 1e-10);
    // One freedom, and the motion is along it: no work decides.
    assert.equal(geometry.workless.dimension, 0);
    assert.ok((await page.locator('#workless').textContent()).includes('enough to decide'));
  });
  await open('space', async (page) => {
    assert.equal(dataOf('space').geometry.workless.dimension, 1);
    assert.ok((await page.locator('#workless').textContent()).includes('a set of 1 dimension would be left open'));
    assert.equal(await page.locator('#uniqueness').count(), 0);
  });
});

test('the replay moves when played and stands when paused', async () => {
  await open('space', async (page) => {
    assert.equal(await timeOf(page), 0, 'reduced motion: no movement unasked');
    const first = await picture(page);
    assert.equal(await picture(page), first);
    await page.locator('#play').click();
    assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Pause');
    await page.waitForFunction(() => window.vinculum.clock.time > 0.3);
    await page.locator('#play').click();
    const stopped = await timeOf(page);
    assert.notEqual(await picture(page), first);
    assert.equal(await timeOf(page), stopped);
    await page.locator('#speed').selectOption('2');
    assert.equal(await page.evaluate(() => window.vinculum.clock.speed), 2);
  });
});

test('a reader who has not asked for stillness sees it move at once', async () => {
  await open('plane', (page) => page.waitForFunction(() => window.vinculum.clock.playing && window.vinculum.clock.time > 0), { reducedMotion: 'no-preference' });
});

test('the slider moves the cursor of every plot and the values beneath', async () => {
  await open('space', async (page) => {
    const data = dataOf('space');
    const slider = page.locator('#time');
    for (const part of [0.25, 1]) {
      await slider.evaluate((node, value) => {
        node.value = value;
        node.dispatchEvent(new Event('input', { bubbles: true }));
      }, part * data.run.time);
      for (const line of await lines(page)) {
        assert.ok(Math.abs(line.time - part * data.run.time) < 1e-9);
        assert.ok(Math.abs(line.x - part * line.width) < 1, `line at ${line.x} of ${line.width}`);
      }
    }
    const shown = await page.locator('[data-panel=coordinates] .chip output').allTextContents();
    const last = data.panels.find((p) => p.key === 'coordinates').series.map((s) => s.values.at(-1));
    shown.forEach((text, i) => assert.ok(Math.abs(Number(text.replace('\u2212', '-')) - last[i]) <= 5e-6 * Math.abs(last[i])));
    assert.equal(await page.locator('#now').textContent(), '10.000');
  });
});

test('dragging across a plot moves the time of all of them, and shift-dragging zooms all', async () => {
  await open('space', async (page) => {
    const over = page.locator('[data-panel=velocities] .u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 20);
    await page.mouse.up();
    assert.ok(Math.abs(await timeOf(page) - 6) < 0.05);
    const pointed = new Set(await page.locator('.plot .when').allTextContents());
    assert.equal(pointed.size, 1, 'the pointer is at one time in all plots');
    assert.ok(Math.abs(Number([...pointed][0].replace('t = ', '')) - 6) < 0.05);
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.75 * box.width, box.y + 20, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await twoFrames(page);
    for (const line of await lines(page)) assert.ok(Math.abs(line.x - 0.4 * line.width) < 2, 'all plots show 5 to 7.5');
  });
});

test('numbers in the tables are those of the run, to the last digit', async () => {
  await open('plane', async (page) => {
    const data = dataOf('plane');
    assert.deepEqual(await exact(page, '#end table:has(caption:text-is("Coordinates")) data'), data.end.coordinates.map((q) => q.value));
    assert.deepEqual(await exact(page, '#end table:has(caption:text-is("Multipliers")) data'), data.end.multipliers.map((m) => m.value));
    assert.deepEqual(await exact(page, '#end table:has(caption:text-is("Outputs")) data'), data.end.outputs.map((o) => o.value));
    assert.deepEqual(await exact(page, '#end table:has(caption:text-is("Velocities and forces")) data'),
      data.end.velocities.flatMap((v) => [v.value, v.acceleration, v.constraint_force, v.nonideal_force]));
    const residuals = data.residuals.flatMap((r) => [r.position, r.velocity, r.acceleration]);
    const checks = data.certificates.flatMap((c) => c.checks.flatMap((k) => [k.value, k.bound]));
    assert.deepEqual(await exact(page, '#proof data'), [...checks, ...residuals]);
    await page.locator('#digits').check();
    const shown = await page.locator('#proof data').allTextContents();
    assert.deepEqual(shown.map((text) => Number(text.replaceAll('\u2212', '-'))), [...checks, ...residuals]);
  });
});

test('the report of a model file shows what run --json says', async () => {
  const said = JSON.parse(execFileSync(program, ['run', model, '--json', '--report', join(folder, 'model.html')], { timeout: 60000 }));
  await open('model', async (page) => {
    const table = (caption) => exact(page, `#end table:has(caption:text-is("${caption}")) data`);
    assert.deepEqual(await table('Coordinates'), said.q);
    assert.deepEqual(await table('Velocities and forces'), said.v.flatMap((v, i) => [v, said.acceleration[i], said.constraint_force[i]]));
    assert.deepEqual(await table('Multipliers'), Object.values(said.multipliers));
    assert.deepEqual(await table('Outputs'), Object.values(said.outputs));
    assert.deepEqual((await table('Energy')).at(-1), said.energy.drift);
    assert.deepEqual((await exact(page, '#proof > .scroller data')).slice(0, 3), [said.residual.position, said.residual.velocity, said.residual.acceleration]);
    assert.deepEqual(await exact(page, '.events data'), said.events.map((event) => event.time));
    assert.equal(await page.locator('#reason').textContent(), said.reason);
    assert.equal(await page.locator('#verification').textContent(), `The motion: ${said.verification.text}.`);
    const fewest = Math.min(...Object.values(said.verification.digits));
    assert.equal(await page.locator('.figures div:has(dt:text-is("Digits that agree")) dd').first().textContent(), String(fewest));
    assert.equal(await page.locator('[data-panel=agreement] .chip').count(), said.q.length);
    assert.equal(await page.locator('.warning').count(), 0);
    assert.equal(await page.locator('#origin pre').textContent(), readFileSync(model, 'utf8'));
  });
});

test('a motion that is not to be trusted says so before its certificate does, in words and as a curve', async () => {
  const chaos = join(folder, 'chaos.toml');
  writeFileSync(chaos, `lagrangian = "1/2*(a'^2*2 + b'^2 + 2*a'*b'*cos(a-b)) + 9.81*(2*cos(a) + cos(b))"
coordinates = { a = 2, b = 1 }
simulate = { until = 60, samples = 301, tolerance = 1e-6 }
`);
  const said = JSON.parse(execFileSync(program, ['run', chaos, '--json', '--verify', '--report', join(folder, 'chaos.html')], { timeout: 60000 }));
  assert.ok(said.verification.doubtful);
  assert.ok(said.verification.trusted_until < 50);
  await open('chaos', async (page) => {
    assert.equal(await page.locator('.warning').textContent(), `How exact it is: ${said.verification.text}`);
    const figure = page.locator('.figures div:has(dt:text-is("Digits that agree"))');
    assert.equal(await figure.locator('dd .bad').count(), 1);
    assert.match(await figure.textContent(), /trusted until t = /);
    const curve = dataOf('chaos').panels.find((panel) => panel.key === 'agreement');
    assert.deepEqual(curve.series.map((series) => series.name), ['a', 'b']);
    for (const { values } of curve.series)
      assert.ok(values.every((digits, i) => curve.t[i] > said.verification.trusted_until || digits >= 3));
    assert.ok(curve.series.some(({ values }) => values.some((digits) => digits < 3)));
    assert.equal(await page.locator('[data-panel=agreement] canvas').count(), 1);
  });
});

test('the keyboard plays, steps and jumps', async () => {
  await open('space', async (page) => {
    const t = dataOf('space').frames.t;
    await page.keyboard.press('ArrowRight');
    assert.equal(await timeOf(page), t[1]);
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await timeOf(page), t[11]);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await timeOf(page), t[10]);
    await page.keyboard.press('Space');
    assert.ok(await page.evaluate(() => window.vinculum.clock.playing));
    await page.keyboard.press('Space');
    assert.ok(!await page.evaluate(() => window.vinculum.clock.playing));
    await page.locator('#time').focus();
    await page.keyboard.press('End');
    assert.equal(await timeOf(page), 10);
    await page.keyboard.press('Home');
    assert.equal(await timeOf(page), 0);
    // Every control has a name and shows that it has the focus.
    const controls = page.locator('button, input, select');
    assert.deepEqual(await controls.evaluateAll((nodes) => nodes.filter((node) =>
      !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length)).map((node) => node.outerHTML)), []);
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
  });
});

test('a phone gets the whole page without scrolling sideways, and the controls stay in reach', async () => {
  await open('plane', async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
    const box = await page.locator('#play').boundingBox();
    assert.ok(box.width >= 40 && box.height >= 40, 'a finger finds the button');
    await page.locator('[data-panel=energy]').scrollIntoViewIfNeeded();
    assert.ok((await page.locator('#play').boundingBox()).y >= 0, 'and keeps it while the plots go by');
  }, { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });
});

test('dark follows the system, and the button changes it', async () => {
  const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await open('plane', async (page) => {
    const dark = await paper(page);
    const drawn = await picture(page);
    await page.locator('#theme').click();
    assert.notEqual(await paper(page), dark);
    assert.notEqual(await picture(page), drawn, 'the replay changes, too');
    await page.locator('#theme').click();
    assert.equal(await paper(page), dark);
  }, { colorScheme: 'dark' });
});

test('without WebGL the page says so and the plots work', async () => {
  await open('space', async (page) => {
    assert.match(await page.locator('#replay').textContent(), /needs WebGL/);
    await page.keyboard.press('ArrowRight');
    assert.equal((await lines(page))[0].time, dataOf('space').frames.t[1]);
  }, {
    init: () => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : original.call(this, kind, ...rest);
      };
    },
  });
});

test('bodies are drawn by their shapes, joints as marks, and both can be hidden', async () => {
  for (const name of ['bodies', 'mechanism'])
    await open(name, async (page) => {
      const { frames } = dataOf(name);
      const full = await picture(page);
      for (const id of ['bodies', 'joints', 'forces']) {
        await page.locator(`#${id}`).uncheck();
        const without = await picture(page);
        assert.notEqual(without, full, `${id} were seen`);
        await page.locator(`#${id}`).check();
        assert.equal(await picture(page), full, `${id} are back`);
      }
      const legend = await page.locator('#legend li').allTextContents();
      assert.deepEqual(legend, [...frames.solids.map((s) => s.name + (s.of_inertia ? ' by its inertia' : '')), ...frames.joints.map((j) => `${j.name} ${j.type}`)]);
      assert.deepEqual((await page.locator('#replay .name').allTextContents()).slice(0, frames.solids.length), frames.solids.map((s) => s.name));
      const colours = await page.locator('#legend .swatch').evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).backgroundColor));
      assert.equal(new Set(colours).size, frames.solids.length, 'every body has a colour of its own');
      await page.setViewportSize({ width: 390, height: 700 });
      await page.waitForFunction(() => document.documentElement.scrollWidth <= 390, undefined, { timeout: 10_000 })
        .catch(() => assert.fail('something is wider than a phone'));
    });
});

test('what is seen of a body follows its turning', async () => {
  // A ball that spins at one place: its outline stays, its pattern moves.
  await open('spin', async (page) => {
    const first = await picture(page);
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await picture(page), first);
    const { solids, t } = dataOf('spin').frames;
    const [w, , , z] = solids[0].pose.slice(-4);
    assert.ok(Math.abs(Math.sin(t.at(-1)) - 2 * w * z) < 1e-5, 'one radian in a second');
  });
});

test('what happened on the way takes the reader there', async () => {
  await open('plane', async (page) => {
    const { events } = dataOf('plane');
    assert.ok(events.length > 2);
    await page.locator('.events .time').nth(1).click();
    assert.equal(await timeOf(page), events[1].time);
  });
});

// A report whose data are changed before it is opened.
function variant(name, from, change) {
  const html = readFileSync(join(folder, `${from}.html`), 'utf8');
  const data = dataOf(from);
  change(data);
  writeFileSync(join(folder, `${name}.html`), html.replace(/id="data">.*?<\/script>/s, () => `id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`));
}
const texts = (locator) => locator.evaluateAll((nodes) => nodes.map((node) => node.querySelector('span').textContent));

test('without samples the curves are even and smooth, and files keep the steps', async () => {
  const swing = join(folder, 'swing.toml');
  writeFileSync(swing, 'kinetic = "a\'^2/2"\npotential = "-9.81*cos(a)"\ncoordinates = { a = 2 }\nsimulate = { until = 3 }\n');
  const run = (name, ...more) => JSON.parse(execFileSync(program, ['run', swing, '--json', '--quiet', '--report', join(folder, `${name}.html`), ...more], { timeout: 60000 }));
  const csv = join(folder, 'swing.csv');
  const said = [run('even'), run('beside', '--out', csv)];
  for (const name of ['even', 'beside']) {
    const { t } = dataOf(name).panels.find((panel) => panel.key === 'coordinates');
    assert.ok(t.length > 600 && said[0].steps < 100, `${t.length} instants of ${said[0].steps} steps`);
    assert.equal(t[0], 0);
    assert.equal(t.at(-1), 3);
    const gaps = t.slice(1).map((time, i) => time - t[i]);
    assert.ok(Math.max(...gaps) < 3 / 300);
  }
  assert.deepEqual(dataOf('even').panels.find((p) => p.key === 'coordinates'), dataOf('beside').panels.find((p) => p.key === 'coordinates'));
  const rows = readFileSync(csv, 'utf8').trim().split('\n').filter((line) => /^[-0-9]/.test(line));
  assert.equal(rows.length, said[1].steps + 1, 'the file has every step');
});

test('every series can be reached; quaternions and zeros wait in a drawer', async () => {
  await open('bodies', async (page) => {
    const { series } = dataOf('bodies').panels.find((panel) => panel.key === 'coordinates');
    assert.ok(series.length > 24);
    const plot = page.locator('[data-panel=coordinates]');
    const above = await texts(plot.locator('> .chips .chip'));
    assert.ok(above.length >= 8 && above.every((name) => !/\.q[wxyz]$/.test(name)), above.join());
    await plot.locator('summary').click();
    const below = await texts(plot.locator('details .chip'));
    assert.deepEqual([...above, ...below].sort(), series.map((s) => s.name).sort());
    await plot.locator('input[type=search]').fill('stone qx');
    assert.deepEqual(await texts(plot.locator('details .chip')), ['stone.qx']);
    await plot.locator('details .chip').click();
    assert.ok((await texts(plot.locator('> .chips .chip[aria-pressed=true]'))).includes('stone.qx'));
  });
  const keys = dataOf('plane').panels.map((panel) => panel.key);
  assert.deepEqual(keys.slice(0, 4), ['outputs', 'energy', 'forces', 'nonideal'], 'what was asked for comes first');
});

test('series of very different size have axes of their own, with their names', async () => {
  variant('apart', 'plane', (data) => {
    const panel = data.panels[0];
    panel.series.push({ name: 'tiny', values: panel.t.map((t) => 1e-4 * Math.sin(t)) });
  });
  await open('apart', async (page) => {
    const shown = page.locator('[data-panel=outputs]');
    assert.equal(await shown.locator('.u-axis').count(), 3, 't, left and right');
    await shown.locator('.chip', { hasText: 'tiny' }).click();
    assert.equal(await shown.locator('.u-axis').count(), 2);
    const dashes = await shown.locator('.key line').evaluateAll((nodes) => nodes.map((node) => node.getAttribute('stroke-dasharray')));
    assert.equal(new Set(dashes).size, 3, 'dashes beside hues');
  });
});

test('units stand where the model told them', async () => {
  variant('units', 'plane', (data) => {
    const [panel] = data.panels;
    panel.time = 't [s]';
    panel.series[0].name += ' [m]';
  });
  await open('units', async (page) => {
    await page.getByLabel('Copy the data of Outputs').click();
    assert.match((await page.evaluate(() => window.copied)).split('\n')[0], /^t \[s\]\theight \[m\]/);
    assert.ok((await texts(page.locator('[data-panel=outputs] .chip'))).some((name) => name.startsWith('height [m]')));
  }, { init: () => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } }) });
});

test('data and LaTeX are copied, a plot is saved as PNG, one series is drawn against another', async () => {
  await open('plane', async (page) => {
    const copied = () => page.evaluate(() => window.copied);
    await page.getByLabel('Copy the data of Outputs').click();
    const [head, first] = (await copied()).split('\n');
    const outputs = dataOf('plane').panels[0];
    assert.deepEqual(head.split('\t'), ['t', ...outputs.series.map((s) => s.name)]);
    assert.deepEqual(first.split('\t').map(Number), [outputs.t[0], ...outputs.series.map((s) => s.values[0])]);
    await page.getByLabel('Copy the equations as LaTeX').click();
    assert.equal(await copied(), dataOf('plane').latex);
    const waiting = page.waitForEvent('download');
    await page.getByLabel('Save Outputs as PNG').click();
    const download = await waiting;
    assert.equal(download.suggestedFilename(), 'outputs.png');
    const saved = readFileSync(await download.path());
    assert.equal(saved.subarray(1, 4).toString(), 'PNG');
    assert.ok(saved.length > 2000);
    const against = page.locator('#against');
    await against.getByLabel('Vertical').selectOption({ label: "x'" });
    await page.keyboard.press('Tab');
    await page.locator('#time').focus();
    await page.keyboard.press('End');
    const [x, speed] = (await against.locator('canvas').getAttribute('data-now')).split(' ').map(Number);
    const { end } = dataOf('plane');
    assert.ok(Math.abs(x - end.coordinates[0].value) < 1e-5 && Math.abs(speed - end.velocities[0].value) < 1e-5);
  }, { acceptDownloads: true, init: () => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } }) });
});

test('residuals stand against their bound', async () => {
  const panel = dataOf('long').panels.find((p) => p.key === 'residuals');
  assert.equal(panel.bound, 1e-12);
  assert.equal(panel.series[0].name, 'largest of all');
  assert.ok(panel.series.every(({ values }) => values.every((v) => v <= panel.bound)));
  panel.t.forEach((_, i) => {
    const largest = Math.max(...panel.series.slice(1).map((s) => s.values[i]));
    assert.ok(Math.abs(panel.series[0].values[i] - largest) <= 1e-5 * largest);
  });
});

test('marks on the time tell their names and go there', async () => {
  await open('plane', async (page) => {
    const { events } = dataOf('plane');
    const tick = page.locator('.tick').nth(1);
    await tick.hover();
    const label = await tick.evaluate((node) => ({ shown: getComputedStyle(node, '::after').display, text: getComputedStyle(node, '::after').content }));
    assert.equal(label.shown, 'block');
    assert.ok(label.text.includes(events[1].name), label.text);
    await tick.click();
    assert.equal(await timeOf(page), events[1].time);
  });
});

test('friction is drawn in a colour of its own', async () => {
  const { arrows } = dataOf('plane').frames;
  assert.deepEqual(arrows.map((arrow) => arrow.friction), [false, true]);
  await open('plane', async (page) => assert.ok((await page.locator('#legend').textContent()).includes('friction')));
  assert.ok(dataOf('space').frames.arrows.every((arrow) => !arrow.friction), 'and where there is none, nothing is drawn');
});

test('no arrow leaves the picture and no name covers another', async () => {
  const { capped } = await import(new URL('../../web/src/frames.js', import.meta.url));
  assert.equal(capped(0.2, 1), 0.2);
  assert.equal(capped(50, 1), 0.9);
  await open('bodies', async (page) => {
    await twoFrames(page);
    const boxes = await page.locator('#replay .name:visible').evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height })));
    assert.ok(boxes.length > 2);
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(
      a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y + 3 || b.y + b.height <= a.y + 3, 'two names overlap')));
  });
});

test('the play button is in sight at 1366 x 768, and touch is explained', async () => {
  for (const name of ['space', 'plane', 'bodies'])
    await open(name, async (page) => {
      const box = await page.locator('#play').boundingBox();
      assert.ok(box.y + box.height <= 768, `${name}: ${box.y + box.height}`);
    }, { viewport: { width: 1366, height: 768 } });
  await open('space', async (page) => {
    assert.match(await page.locator('.hint:visible').textContent(), /swipe/);
  }, { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });
});

test('on paper legends and equations are there, whatever was folded', async () => {
  variant('folded', 'plane', (data) => { data.latex = Array(60).fill(data.latex).join('\n\n').slice(0, 60 * data.latex.length); });
  await open('folded', async (page) => {
    assert.equal(await page.locator('#equations .katex-display').count(), 0, 'long equations wait');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.ok(await page.locator('#equations .katex-display').count() > 2);
    assert.ok(await page.locator('#equations details').evaluate((node) => node.open));
    assert.ok(await page.locator('[data-panel=energy] .chip .key').first().isVisible());
    assert.equal(await page.locator('.transport').isVisible(), false);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('#equations details').evaluate((node) => node.open), false);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
  }, { colorScheme: 'dark' });
});
