// The page of a study in a real browser: study_test.mjs FOLDER PROGRAM
// FOLDER holds node_modules with playwright-core; PROGRAM makes the studies.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dataOf as dataAt, launch, openPage } from './browser.mjs';

const [packages, program] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'vinculum-study-'));
let browser;

// Below d = 1 there is no start; with a weak spring the ball meets a wall that none passes.
const ring = `
title = "A ring <b>and</b> a wall"
description = "</script><script>alert(1)</script><!--"
[parameters]
k = 4
d = 1.5
[coordinates]
x = 1
y = "sqrt(d^2 - 1)"
[mass]
x = 1
y = 1
[forces]
x = "-k*x"
y = "-2 + 0.02/(x - 2.2)"
[constraints]
ring = "x^2 + y^2 = d^2"
[outputs]
pull = "norm(force(ring))"
[events]
through = "x"
[units]
t = "s"
x = "m"
pull = "N"
[simulate]
until = 3
`;
const line = `
[parameters]
a = 1
[coordinates]
x = 0
[mass]
x = 1
[forces]
x = "a"
[simulate]
until = 1
`;

function sweep(name, ...words) {
  execFileSync(program, ['sweep', 'ring.toml', '--quiet', '--report', `${name}.html`, ...words], { cwd: folder, timeout: 60000 });
}

before(async () => {
  writeFileSync(join(folder, 'ring.toml'), ring);
  writeFileSync(join(folder, 'line.toml'), line);
  sweep('random', '--random', 'k=log(0.1,100)', 'd=uniform(0.8,3)', '--count', '700', '--keep', 'x', 'pull.max', 'through.count');
  sweep('grid', '--vary', 'k=1:12:12', 'd=0.75:2.75:9', '--keep', 'x', 'pull.max', '--out', 'grid.csv');
  sweep('few', '--vary', "y'=0,0.5,1", '--keep', 'x', '--start', 'x=0.9');
  execFileSync(program, ['sweep', 'line.toml', '--quiet', '--random', 'a=uniform(0,2)', '--count', '25000', '--keep', "x'", '--motions', '3', '--report', 'large.html'], { cwd: folder, timeout: 120000 });
  execFileSync(program, ['sweep', 'line.toml', '--quiet', '--random', 'a=uniform(0,2)', '--count', '200', '--keep', 'x.samples', "x'", '--samples', '21', '--report', 'paths.html'], { cwd: folder, timeout: 60000 });
  writeFileSync(join(folder, 'spike.toml'), line.replace('[simulate]', '[outputs]\ns = "exp(-((t - 0.50025)*1e4)^2)"\n[events]\nenough = { at = "x - 0.25", stop = true }\n[simulate]'));
  execFileSync(program, ['sweep', 'spike.toml', '--quiet', '--vary', 'a=0.25,0.4,1', '--keep', 's.samples', '--samples', '4001', '--report', 'spike.html'], { cwd: folder, timeout: 60000 });
  browser = await launch(packages);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const wide = { viewport: { width: 1100, height: 800 } };
const open = (name, use, options = {}) => openPage(browser, join(folder, `${name}.html`), use, { ...wide, ...options });
const dataOf = (name) => dataAt(join(folder, `${name}.html`));
const sum = (list) => list.reduce((a, b) => a + b, 0);
const twoFrames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const drawn = async (page) => {
  await twoFrames(page);
  return page.locator('.plane canvas').evaluate((node) => Object.fromEntries(Object.entries(node.dataset).map(([name, value]) => [name, Number(value)])));
};
const chosen = (page) => page.evaluate(() => window.vinculum.columns.members[window.vinculum.member.row]);
// Where a member is drawn, on the page.
const placeOf = (page, member) => page.evaluate((number) => {
  const { map, columns } = window.vinculum;
  const place = map.places.find((p) => columns.members[p.row] === number);
  map.canvas.scrollIntoView({ block: 'center' });
  const box = map.canvas.getBoundingClientRect();
  return { x: box.left + place.x, y: box.top + place.y };
}, member);

test('every member is a point, and failed ones are crosses', async () => {
  const { study } = dataOf('random');
  const failed = study.computed - study.reached;
  assert.ok(failed > 50 && study.reached > 400);
  await open('random', async (page) => {
    assert.equal(await page.locator('h1').textContent(), 'A ring <b>and</b> a wall');
    assert.equal(await page.title(), 'A ring <b>and</b> a wall');
    // x is not known of failed members: they lie beside the axis of what varied.
    assert.deepEqual([await page.inputValue('#axis-vertical'), await page.inputValue('#axis-horizontal')], ['kept:0', 'varied:0']);
    let now = await drawn(page);
    assert.equal(now.points, study.reached);
    assert.equal(now.failed, 0);
    assert.equal(now.strip, failed);
    // In the plane of what varied they are where they are.
    await page.selectOption('#axis-vertical', 'varied:1');
    now = await drawn(page);
    assert.equal(now.points, study.reached);
    assert.equal(now.failed, failed);
    assert.equal(now.strip, 0);
    const data = dataOf('random');
    assert.equal(now.rings + 1, data.motions.length); // and the one that is shown
    // Of two kept numbers they have neither.
    await page.selectOption('#axis-vertical', 'kept:1');
    await page.selectOption('#axis-horizontal', 'kept:0');
    now = await drawn(page);
    assert.deepEqual([now.points, now.failed, now.strip], [study.reached, 0, 0]);
    assert.match(await page.locator('#map-note').textContent(), new RegExp(`${failed} members have no place here`));
  });
});

test('a cross is drawn in the colour of failures where the member is', async () => {
  await open('random', async (page) => {
    await page.selectOption('#axis-vertical', 'varied:1');
    await page.selectOption('#axis-colour', '');
    const colour = await page.evaluate(() => {
      const { map, columns } = window.vinculum;
      // One that stands alone, so that nothing is drawn over it.
      const alone = map.places.find((p) => !columns.reached[p.row] && !columns.shown.has(columns.members[p.row])
        && map.places.every((o) => o === p || (o.x - p.x) ** 2 + (o.y - p.y) ** 2 > 144));
      const pixel = map.canvas.getContext('2d').getImageData(Math.round(alone.x), Math.round(alone.y), 1, 1).data;
      return [...pixel.slice(0, 3)];
    });
    const [red, green, blue] = colour;
    assert.ok(red > 150 && red > 2 * green && red > 2 * blue, `${colour}`);
  });
});

// Where fewer instants are drawn than there are, that is said, and no extreme is lost; who stops before is told.
test('a trajectory of many instants keeps its extremes', async () => {
  const [path] = dataOf('spike').study.trajectories;
  assert.equal(path.instants, 4001);
  assert.equal(path.t.length, 801);
  assert.equal(Math.max(...path.max), 1);
  await open('spike', async (page) =>
    assert.equal(await page.locator('.trajectory .note').textContent(),
      '801 of 4\u202f001 instants are drawn, the extremes are those of all; from 0 to 1; not all members get to each: at t = 0.7075 there are 2 of 3'));
});

// x = a t^2 / 2 of all members: the mean, the deviation and the extremes are those of a, bent.
test('trajectories are a mean with what is around it', async () => {
  const { study } = dataOf('paths');
  assert.deepEqual(study.kept.map((k) => k.name), ['x@0', 'x@1', "x'"]);
  const [path] = study.trajectories;
  const speed = study.kept[2]; // at the end it is a
  assert.equal(path.t.length, 21);
  path.t.forEach((t, i) => {
    for (const key of ['mean', 'deviation', 'min', 'max'])
      assert.ok(Math.abs(path[key][i] - 0.5 * t * t * speed[key]) < 1e-6, `${key} at ${t}: ${path[key][i]}`);
    assert.equal(path.count[i], 200);
  });
  await open('paths', async (page) => {
    const figure = page.locator('.trajectory');
    assert.equal(await figure.count(), 1);
    await figure.scrollIntoViewIfNeeded();
    assert.match((await figure.locator('svg text').allTextContents()).at(-1), /^t( \[s\])?$/);
    const points = (node) => node.getAttribute('points').split(' ').map((pair) => pair.split(',').map(Number));
    const curve = await figure.locator('polyline.curve').evaluate(points);
    const [most, inner] = [await figure.locator('polygon.extremes').evaluate(points), await figure.locator('polygon.deviation').evaluate(points)];
    assert.deepEqual([curve.length, most.length, inner.length], [21, 42, 42]);
    // Up is down in pixels; the band lies around the curve, and inside the extremes.
    for (let i = 1; i < 21; ++i) {
      const [high, low] = [inner[i][1], inner[41 - i][1]];
      assert.ok(low >= curve[i][1] && curve[i][1] >= high && most[41 - i][1] >= low - 0.02 && high >= most[i][1] - 0.02, `${i}`);
    }
    const box = await figure.locator('rect.over').boundingBox();
    await page.mouse.move(box.x + box.width - 2, box.y + 20);
    assert.match(await figure.locator('.tip').textContent(), /t = 1.*mean.*members200/);
  });
  await open('random', async (page) => assert.equal(await page.locator('#trajectories').count(), 0));
});

test('bars count every member once, and the program counted them', async () => {
  for (const name of ['random', 'grid', 'large']) {
    const { study } = dataOf(name);
    await open(name, async (page) => {
      const figures = await page.locator('.histogram').evaluateAll((nodes) => nodes.map((n) => ({ ...n.dataset })));
      assert.equal(figures.length, study.varied.length + study.kept.length);
      for (const figure of figures) assert.equal(Number(figure.counted) + Number(figure.without), study.computed, `${name}: ${figure.name}`);
      const heights = await page.locator('.histogram').evaluateAll((nodes) => nodes.map((n) => n.querySelectorAll('rect.reached').length));
      for (const bars of heights) assert.ok(bars >= 4, `${heights}`);
      if (name === 'random') assert.ok(await page.locator('.histogram rect.failed').count() > 10);
    });
  }
});

test('bars are where the values are', async () => {
  await open('random', async (page) => {
    const wrong = await page.evaluate(() => {
      const { columns, bars } = window.vinculum;
      const faults = [];
      for (const column of [...columns.varied, ...columns.kept]) {
        const all = bars(column).bars;
        const counts = all.map((bar) => column.values.filter((v) => v !== null && v >= bar.low - 1e-12 && v < bar.high - 1e-12 * Math.abs(bar.high)).length);
        all.forEach((bar, i) => { if (Math.abs(counts[i] - bar.reached - bar.failed) > 1) faults.push(`${column.name} from ${bar.low}: ${bar.reached + bar.failed}, not ${counts[i]}`); });
      }
      return faults;
    });
    assert.deepEqual(wrong, []);
  });
});

test('a grid is a heat map whose cells are its places, with the values of the members', async () => {
  const { study } = dataOf('grid');
  await open('grid', async (page) => {
    assert.equal(await page.inputValue('#drawn-as'), 'cells');
    const now = await drawn(page);
    assert.equal(now.cells, 108);
    assert.equal(now.points + now.failed, 108);
    assert.equal(now.failed, study.computed - study.reached);
    const off = await page.evaluate(() => window.vinculum.map.cells.filter((cell) => {
      const { columns } = window.vinculum;
      return cell.rows.length !== 1 || (columns.reached[cell.rows[0]] && cell.value !== columns.kept[0].values[cell.rows[0]]);
    }).length);
    assert.equal(off, 0);
    // A place of the grid that is pressed is that member.
    const member = study.points.member.findLast((_, row) => study.points.status[row] === 0);
    const at = await placeOf(page, member);
    await page.mouse.click(at.x, at.y);
    assert.equal(await chosen(page), member);
    // Two colours that mean different numbers differ.
    const colours = await page.evaluate(() => {
      const { map, columns } = window.vinculum;
      const by = [...map.cells].filter((c) => c.value !== null && !columns.shown.has(columns.members[c.rows[0]])).sort((a, b) => a.value - b.value);
      const pick = (c) => [...map.canvas.getContext('2d').getImageData(Math.round(c.left + 4), Math.round(c.top + 4), 1, 1).data].slice(0, 3).join();
      return [pick(by[0]), pick(by.at(-1))];
    });
    assert.notEqual(colours[0], colours[1]);
    await page.selectOption('#axis-colour', '');
    await page.selectOption('#axis-horizontal', 'kept:1');
    assert.ok((await drawn(page)).cells < 108);
  });
  // Where several members are in a cell it has their mean, and every member is in the cell that is drawn around it.
  await open('random', async (page) => {
    await page.selectOption('#drawn-as', 'cells');
    await page.selectOption('#axis-vertical', 'varied:1');
    await page.selectOption('#axis-colour', 'kept:1');
    await twoFrames(page);
    const cells = await page.evaluate(() => {
      const { map, columns } = window.vinculum;
      return { all: map.cells.map(({ rows, value, failed }) => ({ rows, value, failed })), outside: map.places.filter(({ x, y, cell }) => x < cell.left - 1 || x > cell.right + 1 || y < cell.top - 1 || y > cell.bottom + 1).length, size: columns.members.length };
    });
    const { points } = dataOf('random').study;
    assert.equal(cells.outside, 0);
    assert.equal(sum(cells.all.map((c) => c.rows.length)), 700);
    assert.ok(cells.all.some((c) => c.rows.length > 3));
    for (const { rows, value, failed } of cells.all) {
      const known = rows.map((row) => points.kept[1][row]).filter((v) => v !== null);
      assert.equal(failed, rows.filter((row) => points.status[row] > 1).length);
      if (known.length) assert.ok(Math.abs(value - sum(known) / known.length) < 1e-9 * Math.abs(value));
      else assert.equal(value, null);
    }
  });
});

test('pressing a member shows its values, and its motion plays', async () => {
  const data = dataOf('random');
  const { member } = data.motions.filter((m) => m.run.fine).at(-1);
  const row = data.study.points.member.indexOf(member);
  await open('random', async (page) => {
    await page.selectOption('#axis-vertical', 'varied:1');
    const at = await placeOf(page, member);
    await page.mouse.move(at.x, at.y);
    await page.waitForSelector('.plane .tip:not([hidden])');
    assert.equal(await page.locator('.plane .tip b').textContent(), `Member ${member}`);
    await page.mouse.click(at.x, at.y);
    assert.equal(await chosen(page), member);
    assert.equal(await page.inputValue('#member-number'), String(member));
    const values = await page.locator('#member .values data').evaluateAll((nodes) => nodes.map((n) => Number(n.value)));
    const { varied, kept } = data.study.points;
    assert.deepEqual(values, [...varied, ...kept].map((column) => column[row]));
    assert.equal(await page.locator('#replay canvas').count(), 1);
    await page.locator('#play').scrollIntoViewIfNeeded();
    const picture = async () => { await twoFrames(page); return (await page.locator('#replay canvas').screenshot()).toString('base64'); };
    const first = await picture();
    await page.locator('#play').click();
    await page.waitForFunction(() => window.vinculum.clock.time > 0.3);
    await page.locator('#play').click();
    assert.notEqual(await picture(), first);
    assert.ok(await page.locator('#over-time .plot canvas').count() >= 4);
    assert.match(await page.locator('#over-time h2').textContent(), new RegExp(`Member ${member} `));
    // Another one takes its place: one replay, one clock that the keys move.
    const left = await page.evaluate(() => { window.left = window.vinculum.clock; return window.left.time; });
    await page.locator('[aria-label="The member with a motion before"]').click();
    assert.notEqual(await chosen(page), member);
    assert.equal(await page.locator('#replay canvas').count(), 1);
    assert.equal(await page.locator('#plots').count(), 1);
    await page.locator('h1').click();
    await page.keyboard.press('ArrowRight');
    const time = await page.evaluate(() => window.vinculum.clock.time);
    assert.ok(time > 0 && time < 0.1, `one step: ${time}`);
    assert.equal(await page.evaluate(() => window.left.time), left, 'the member before no longer listens');
  });
});

test('a member without a motion has the command that shows it', async () => {
  const { study, motions } = dataOf('random');
  const here = new Set(motions.map((m) => m.member));
  const row = study.points.member.findIndex((m, r) => !here.has(m) && study.points.status[r] === 0);
  const member = study.points.member[row];
  await open('random', async (page) => {
    await page.fill('#member-number', String(member));
    await page.keyboard.press('Enter');
    assert.equal(await chosen(page), member);
    assert.equal(await page.locator('#replay').count(), 0);
    assert.equal(await page.locator('#over-time').isVisible(), false);
    const command = await page.locator('#member-command').textContent();
    assert.equal(command, `vinculum run ring.toml --set k=${study.points.varied[0][row]} --set d=${study.points.varied[1][row]} --report member-${member}.html`);
    const words = command.split(' ').slice(1, -2);
    const run = JSON.parse(execFileSync(program, [...words, '--json', '--quiet'], { cwd: folder }));
    assert.ok(Math.abs(run.q[0] - study.points.kept[0][row]) < 1e-5);
    await page.fill('#member-number', '700');
    await page.keyboard.press('Enter');
    assert.equal(await chosen(page), member);
    assert.match(await page.locator('.said').textContent(), /members are 0 to 699/);
  });
  await open('few', async (page) => {
    assert.match(await page.locator('#member-command').textContent(), /^vinculum run ring\.toml --start 'x=0\.9, y'\\''=[\d.]+' --report member-\d\.html$/);
  });
});

test('a failed member says why, and is found from the list of failures', async () => {
  const { study } = dataOf('random');
  const failure = study.failed.find((f) => f.status === 'model');
  await open('random', async (page) => {
    assert.equal(await page.locator('#failures h3').count(), study.failed.length);
    await page.locator(`#failures [data-member="${failure.first[0].member}"]`).click();
    assert.equal(await chosen(page), failure.first[0].member);
    const status = await page.locator('#member-status').textContent();
    assert.ok(status.includes('failed: model') && status.includes('the start of coordinate'), status);
    assert.equal(await page.locator('#replay').count(), 0);
    // One that began to move is replayed as far as it went.
    const moved = dataOf('random').motions.find((m) => !m.run.fine);
    await page.fill('#member-number', String(moved.member));
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#replay canvas').count(), 1);
    assert.ok((await page.locator('#member-status').textContent()).includes(moved.run.reason));
  });
});

test('the keyboard goes from member to member', async () => {
  await open('grid', async (page) => {
    await page.focus('.plane canvas');
    const first = await chosen(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const second = await chosen(page);
    // k is the slower axis of the grid: 9 members to the next.
    assert.ok(second === first + 18 || first + 18 >= 108, `${first} to ${second}`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await chosen(page), second - 1);
    assert.equal(await page.evaluate(() => window.vinculum.clock?.time ?? 0), 0, 'the arrows did not move the time');
  });
});

test('a large study says what is drawn of it', async () => {
  const { study } = dataOf('large');
  assert.equal(study.one_of, 2);
  await open('large', async (page) => {
    const now = await drawn(page);
    assert.equal(now.points, study.points.member.length);
    assert.ok(now.points >= 12500 && now.points < 12510);
    assert.match(await page.locator('#map-note').textContent(), /of the 25\u202f000 members: one of every 2/);
    assert.equal(sum(study.kept[0].distribution.bins.reached), 25000);
  });
});

test('it fits a phone, and looks as well in the dark', async () => {
  for (const name of ['random', 'grid', 'few'])
    await open(name, async (page) => {
      await page.waitForFunction(() => document.documentElement.scrollWidth <= 400, undefined, { timeout: 10_000 })
        .catch(() => assert.fail(`${name}: something is wider than a phone`));
      const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await paper();
      const before = await page.locator('.plane canvas').evaluate((node) => node.toDataURL());
      await page.locator('#theme').click();
      assert.notEqual(await paper(), light);
      assert.notEqual(await page.locator('.plane canvas').evaluate((node) => node.toDataURL()), before);
    }, { viewport: { width: 400, height: 800 } });
});

test('no text of an axis covers another or leaves the picture', async () => {
  for (const width of [1400, 400])
    for (const name of ['random', 'grid', 'large'])
      await open(name, async (page) => {
        const faults = await page.evaluate(() => {
          const boxes = [...document.querySelectorAll('.bars svg')].flatMap((svg) => {
            const frame = svg.getBoundingClientRect();
            const texts = [...svg.querySelectorAll('text')].map((t) => ({ text: t.textContent, box: t.getBoundingClientRect() }));
            const out = texts.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1).map(({ text }) => `${text} leaves`);
            const over = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => a.box.left < b.box.right && b.box.left < a.box.right && a.box.top < b.box.bottom - 4 && b.box.top < a.box.bottom - 4).map((b) => `${a.text} over ${b.text}`));
            return [...out, ...over];
          });
          const { map } = window.vinculum;
          const pen = map.canvas.getContext('2d');
          pen.font = '12px system-ui, sans-serif';
          const { ticks, at } = map.across;
          for (let i = 1; i < ticks.length; ++i)
            if (at(ticks[i].value) - at(ticks[i - 1].value) < (pen.measureText(ticks[i].text).width + pen.measureText(ticks[i - 1].text).width) / 2 + 4) boxes.push(`${ticks[i].text} beside ${ticks[i - 1].text}`);
          if (ticks.length < 2 || map.up.ticks.length < 2) boxes.push('too few ticks');
          return boxes;
        });
        assert.deepEqual(faults, [], `${name} at ${width}`);
      }, { viewport: { width, height: 800 } });
});
