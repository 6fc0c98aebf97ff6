// Linked plots: one time line through all of them, one zoom, names with values beneath each.
import uPlot from 'uplot';
import { element } from './dom.js';
import { short } from './numbers.js';
import { colour, onTheme, seriesColour } from './theme.js';

const HEIGHT = 168;
const SHOWN_AT_FIRST = 8;
const CHIPS_AT_FIRST = 12;
const FLOOR = 1e-18; // where a logarithmic axis draws a zero

class Plot {
  constructor(panel, clock, all) {
    this.panel = panel;
    this.clock = clock;
    this.all = all;
    this.order = panel.t.length > 1 && panel.t[0] > panel.t[panel.t.length - 1] ? -1 : 1;
    const along = (values) => (this.order < 0 ? [...values].reverse() : values);
    this.t = along(panel.t);
    this.values = panel.series.map((s) => along(s.values));
    this.shown = panel.series.map((_, i) => i < SHOWN_AT_FIRST);
    this.hover = null;
    this.body = element('div', { class: 'canvas' });
    this.when = element('small', { class: 'when' });
    this.names = panel.series.map((s, i) => this.chip(s.name, i));
    this.node = element('figure', { class: 'plot', 'data-panel': panel.key },
      element('figcaption', {}, panel.title, panel.note ? element('small', {}, panel.note) : null, this.when), this.body,
      ...this.chips());
    this.line = element('i', { class: 'time-line', 'data-time': '' });
  }

  chips() {
    const all = this.names.map((name) => name.button);
    const longest = Math.max(...this.panel.series.map((s) => s.name.length));
    const chips = (some) => element('div', { class: 'chips', style: `--width:${140 + 7.5 * longest}px` }, some);
    if (all.length <= CHIPS_AT_FIRST) return [chips(all)];
    return [chips(all.slice(0, SHOWN_AT_FIRST)), element('details', { class: 'more-chips' },
      element('summary', {}, `${all.length - SHOWN_AT_FIRST} more`), chips(all.slice(SHOWN_AT_FIRST)))];
  }

  chip(name, i) {
    const value = element('output', {});
    const button = element('button', {
      type: 'button', class: 'chip', 'aria-pressed': String(this.shown[i]), style: `--c:var(--series-${i % 8})`,
      onclick: () => {
        this.shown[i] = !this.shown[i];
        button.setAttribute('aria-pressed', String(this.shown[i]));
        this.u.setSeries(i + 1, { show: this.shown[i] });
      },
    }, element('i', { class: 'key' }), element('span', {}, name), value);
    return { button, value };
  }

  drawn() {
    const lift = this.panel.log ? (v) => (v === null ? null : Math.max(v, FLOOR)) : (v) => v;
    return [this.t, ...this.values.map((values) => (this.panel.log ? values.map(lift) : values))];
  }

  options(width) {
    const axis = {
      stroke: () => colour('muted'), font: '11px system-ui, sans-serif', size: 28, gap: 4,
      grid: { stroke: () => colour('hair'), width: 1 }, ticks: { show: false },
    };
    const label = (u, splits) => splits.map((v) => (v === null ? '' : short(v, 5)));
    return {
      width, height: HEIGHT, legend: { show: false }, padding: [8, 12, 0, 0], pxAlign: false,
      scales: {
        x: { time: false, range: (u, low, high) => (this.t.length === 1 ? [this.t[0] - 1, this.t[0] + 1] : [low, high]) },
        y: this.panel.log ? { distr: 3 } : { range: (u, low, high) => roomy(low, high) },
      },
      axes: [{ ...axis, values: label, space: 60 }, { ...axis, size: 62, values: this.panel.log ? powers : label, space: 32, grid: { ...axis.grid, filter: this.panel.log ? decades : (u, splits) => splits } }],
      series: [{}, ...this.panel.series.map((s, i) => ({
        label: s.name, show: this.shown[i], stroke: () => seriesColour(i), width: 1.5, points: { show: this.t.length < 3 }, paths: this.paths(),
      }))],
      cursor: {
        y: false, points: { size: 6 }, sync: { key: 'time', setSeries: false },
        drag: { x: true, y: false, setScale: true, dist: 4 },
        bind: { mousedown: (u, target, handler) => (event) => (event.shiftKey ? handler(event) : null) },
      },
      hooks: {
        setCursor: [(u) => this.setHover(u.cursor.idx, u.cursor.left)],
        setScale: [(u, key) => key === 'x' && this.zoomed(u)],
        ready: [(u) => u.over.append(this.line)],
      },
    };
  }

  // Few instants are joined smoothly; a curve through them passes none of them by.
  paths() {
    const smooth = this.t.length > 2 && this.t.length < 300 && !this.panel.log && !['drift', 'agreement'].includes(this.panel.key);
    return smooth ? uPlot.paths.spline() : undefined;
  }

  mount() {
    this.u = new uPlot(this.options(Math.max(200, this.body.clientWidth)), this.drawn(), this.body);
    this.u.root.setAttribute('aria-hidden', 'true'); // the chips below say the same in words
    this.listenToPointer();
    new ResizeObserver(() => {
      const width = this.body.clientWidth;
      if (width > 0 && width !== this.u.width) this.u.setSize({ width, height: HEIGHT });
      this.follow();
    }).observe(this.body);
    this.clock.listen(() => this.follow());
    onTheme(() => this.u.redraw(false));
  }

  // Dragging moves the time; with shift it zooms (uPlot's own selection).
  listenToPointer() {
    const over = this.u.over;
    let scrubbing = false;
    const seek = (event) => {
      this.clock.set(this.u.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => {
      if (event.shiftKey || event.button !== 0) return;
      scrubbing = true;
      this.clock.pause();
      over.setPointerCapture(event.pointerId);
      seek(event);
    });
    over.addEventListener('pointermove', (event) => scrubbing && seek(event));
    for (const end of ['pointerup', 'pointercancel']) over.addEventListener(end, () => { scrubbing = false; });
    over.addEventListener('pointerleave', () => this.setHover(null, -1));
  }

  zoomed(u) {
    const { min, max } = u.scales.x;
    for (const plot of this.all)
      if (plot.u && plot.u !== u && (plot.u.scales.x.min !== min || plot.u.scales.x.max !== max)) plot.u.setScale('x', { min, max });
    this.follow();
  }

  setHover(index, left) {
    this.hover = left >= 0 ? index : null;
    this.when.textContent = this.hover === null ? '' : `t = ${short(this.t[index], 6)}`;
    this.say();
  }

  follow() {
    if (!this.u) return;
    const x = this.u.valToPos(this.clock.time, 'x');
    const inside = x >= -0.5 && x <= this.u.over.clientWidth + 0.5;
    this.line.style.transform = `translateX(${x}px)`;
    this.line.style.visibility = inside ? 'visible' : 'hidden';
    this.line.dataset.time = this.clock.time;
    if (this.hover === null) this.say();
  }

  // Values of the recorded instant that is nearest: never an invented one.
  say() {
    const index = this.hover ?? nearest(this.t, this.clock.time);
    this.names.forEach(({ value }, i) => { value.textContent = short(this.values[i][index], 6); });
  }
}

function nearest(t, time) {
  let low = 0;
  let high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle;
  }
  return Math.abs(t[high] - time) < Math.abs(time - t[low]) ? high : low;
}

// A little air above and below; a constant gets a range that shows it is one.
function roomy(low, high) {
  if (low === null || !Number.isFinite(low)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-9 * size || size === 0) {
    const half = size === 0 ? 1 : 0.5 * size;
    return [low - half, high + half];
  }
  const air = 0.06 * (high - low);
  return [low - air, high + air];
}

const isDecade = (v) => v > 0 && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;
const decades = (u, splits) => splits.map((v) => (isDecade(v) ? v : null));
const powers = (u, splits) => splits.map((v) => (isDecade(v) ? `1e${Math.round(Math.log10(v))}`.replace('-', '\u2212') : ''));

export function plots(data, clock) {
  const all = [];
  all.push(...data.panels.map((panel) => new Plot(panel, clock, all)));
  const node = element('div', { class: 'plots', id: 'plots', role: 'group', 'aria-label': 'Plots over time' }, all.map((plot) => plot.node));
  return { node, mount: () => all.forEach((plot) => plot.mount()), all };
}
