// One series against another: a path in a plane, a hysteresis, a phase portrait; with a dot where the motion is.
import { element } from './dom.js';
import { short } from './numbers.js';
import { roundStep } from './ground.js';
import { copyButton, savePicture, tabbed } from './share.js';
import { colour, onTheme, seriesColour } from './theme.js';

const HEIGHT = 260;
const MARGIN = { left: 64, right: 14, top: 10, bottom: 40 };

// Every series of the page but logarithmic ones, by its panel.
const choosable = (data) => data.panels.filter((panel) => !panel.log && panel.key !== 'agreement')
  .map((panel) => ({ panel, series: panel.series.map((s, i) => ({ name: s.name, key: `${panel.key}:${i}`, t: panel.t, values: s.values })) }));

// The value of a series at a time: panels are thinned each for itself.
function valueAt({ t, values }, time) {
  const way = t[0] > t[t.length - 1] ? -1 : 1;
  let low = 0;
  let high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] * way <= time * way) low = middle;
    else high = middle;
  }
  if (t[high] === t[low] || values[low] === null || values[high] === null) return values[low];
  const part = Math.min(1, Math.max(0, (time - t[low]) / (t[high] - t[low])));
  return values[low] + part * (values[high] - values[low]);
}

class Pair {
  constructor(data, clock) {
    this.groups = choosable(data);
    this.all = new Map(this.groups.flatMap((group) => group.series.map((s) => [s.key, s])));
    this.clock = clock;
    const start = (this.groups.find((g) => g.panel.key === 'coordinates') ?? this.groups[0]).series;
    this.x = this.select('Horizontal', start[0].key);
    this.y = this.select('Vertical', (start[1] ?? this.groups.find((g) => g.panel.key === 'velocities')?.series[0] ?? start[0]).key);
    this.canvas = element('canvas', { class: 'pair-canvas' });
    const name = (select) => this.all.get(select.value).name;
    const title = () => `${name(this.y)} against ${name(this.x)}`;
    this.node = element('figure', { class: 'pair-plot', id: 'against' },
      element('figcaption', {}, 'One against another', element('span', { class: 'tools' },
        copyButton('copy', 'Copy the data of one against another', () => tabbed(['t', name(this.x), name(this.y)], this.columns())),
        element('button', { class: 'tool', type: 'button', 'aria-label': 'Save one against another as PNG', onclick: () => savePicture(this.canvas, title(), [], 'against.png') }, 'PNG'))),
      element('div', { class: 'axes-of-pair' }, this.y, ' against ', this.x), this.canvas);
  }

  select(label, value) {
    const option = (s) => element('option', { value: s.key, selected: s.key === value }, s.name);
    return element('select', { 'aria-label': label, onchange: () => this.draw() },
      this.groups.map(({ panel, series }) => element('optgroup', { label: panel.title }, series.map(option))));
  }

  columns() {
    const [x, y] = [this.all.get(this.x.value), this.all.get(this.y.value)];
    return [x.t, x.values, x.t.map((time) => valueAt(y, time))];
  }

  draw() {
    const width = this.node.clientWidth || 400;
    const scale = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: width * scale, height: HEIGHT * scale });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
    const pen = this.canvas.getContext('2d');
    pen.scale(scale, scale);
    const [, xs, ys] = this.columns();
    const across = range(xs, MARGIN.left, width - MARGIN.right);
    const up = range(ys, HEIGHT - MARGIN.bottom, MARGIN.top);
    this.drawAxes(pen, across, up, width);
    pen.strokeStyle = seriesColour(0);
    pen.lineWidth = 1.5;
    pen.beginPath();
    let drawing = false;
    xs.forEach((x, i) => {
      const there = x !== null && ys[i] !== null;
      if (there) pen[drawing ? 'lineTo' : 'moveTo'](across.at(x), up.at(ys[i]));
      drawing = there;
    });
    pen.stroke();
    const now = [this.x, this.y].map((select) => valueAt(this.all.get(select.value), this.clock.time));
    if (now.includes(null)) return;
    pen.fillStyle = colour('ink');
    pen.beginPath();
    pen.arc(across.at(now[0]), up.at(now[1]), 4, 0, 7);
    pen.fill();
    this.canvas.dataset.now = now.join(' ');
  }

  drawAxes(pen, across, up, width) {
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = colour('muted');
    pen.strokeStyle = colour('hair');
    pen.textAlign = 'center';
    for (const x of across.ticks) {
      line(pen, across.at(x), MARGIN.top, across.at(x), HEIGHT - MARGIN.bottom);
      pen.fillText(short(x, 5), across.at(x), HEIGHT - MARGIN.bottom + 15);
    }
    pen.fillText(this.all.get(this.x.value).name, (MARGIN.left + width - MARGIN.right) / 2, HEIGHT - 6);
    pen.textAlign = 'right';
    for (const y of up.ticks) {
      line(pen, MARGIN.left, up.at(y), width - MARGIN.right, up.at(y));
      pen.fillText(short(y, 5), MARGIN.left - 6, up.at(y) + 4);
    }
    pen.save();
    pen.translate(11, (MARGIN.top + HEIGHT - MARGIN.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = 'center';
    pen.fillText(this.all.get(this.y.value).name, 0, 0);
    pen.restore();
  }

  mount() {
    new ResizeObserver(() => this.draw()).observe(this.node);
    this.clock.listen(() => this.draw());
    onTheme(() => this.draw());
  }
}

function line(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

// Values to pixels, with round ticks.
function range(values, from, to) {
  const known = values.filter((v) => v !== null);
  let [low, high] = [Math.min(...known), Math.max(...known)];
  if (!(high > low)) [low, high] = [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)];
  const air = 0.05 * (high - low);
  [low, high] = [low - air, high + air];
  const step = roundStep((high - low) / 4);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high && ticks.length < 12; ++k) ticks.push(Number((k * step).toPrecision(12)));
  return { ticks, at: (v) => from + ((v - low) / (high - low)) * (to - from) };
}

export function against(data, clock) {
  if (!choosable(data).length) return { node: '', mount() {} };
  return new Pair(data, clock);
}
