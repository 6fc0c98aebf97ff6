// Linked plots: one time line through all of them, one zoom, names with values beneath each.
import uPlot from 'uplot';
import { against } from './against.js';
import { Chips } from './chips.js';
import { element } from './dom.js';
import { axesOf, dashOf } from './lines.js';
import { short } from './numbers.js';
import { copyButton, savePicture, tabbed } from './share.js';
import { colour, onTheme, seriesColour } from './theme.js';

const HEIGHT = 182;
const SHOWN_AT_FIRST = 8;
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
    const first = panel.series.map((_, i) => i).filter((i) => !panel.series[i].folded).slice(0, SHOWN_AT_FIRST);
    this.shown = panel.series.map((_, i) => first.includes(i));
    this.hover = null;
    this.body = element('div', { class: 'canvas' });
    this.when = element('small', { class: 'when' });
    this.chips = new Chips(this, (i) => { this.shown[i] = !this.shown[i]; this.make(); });
    this.node = element('figure', { class: 'plot', 'data-panel': panel.key },
      element('figcaption', {}, panel.title, panel.note ? element('small', {}, panel.note) : null, this.when, this.tools()), this.body,
      ...this.chips.nodes);
    this.line = element('i', { class: 'time-line', 'data-time': '' });
  }

  // The series in the plot, in order.
  chosen() {
    return this.shown.flatMap((on, i) => (on ? [i] : []));
  }

  tools() {
    const { title, key, series } = this.panel;
    return element('span', { class: 'tools' },
      copyButton('copy', `Copy the data of ${title}`, () => tabbed([this.panel.time, ...this.chosen().map((i) => series[i].name)], [this.t, ...this.chosen().map((i) => this.values[i])])),
      element('button', {
        class: 'tool', type: 'button', 'aria-label': `Save ${title} as PNG`,
        onclick: () => savePicture(this.u.ctx.canvas, title, this.chosen().map((i) => ({ name: series[i].name, stroke: seriesColour(i), dash: dashOf(i) })), `${key}.png`),
      }, 'PNG'));
  }

  drawn() {
    const { log, bound } = this.panel;
    const lift = (v) => (v === null ? null : Math.max(v, FLOOR));
    const lines = this.chosen().map((i) => (log ? this.values[i].map(lift) : this.values[i]));
    return [this.t, ...lines, ...(bound ? [this.t.map(() => bound)] : [])];
  }

  // One axis for each size there is among the series: the first on the left, the others on the right. An axis bears the names of its series.
  scales() {
    const chosen = this.chosen();
    const axes = this.panel.log ? chosen.map(() => 0) : axesOf(chosen.map((i) => this.values[i]));
    const count = Math.max(0, ...axes) + 1;
    return { axes, keys: Array.from({ length: count }, (_, k) => (k ? `y${k}` : 'y')), of: (k) => chosen.filter((_, i) => axes[i] === k) };
  }

  options(width) {
    const { log, bound, series } = this.panel;
    const axis = {
      stroke: () => colour('muted'), font: '11px system-ui, sans-serif', size: 28, gap: 4,
      grid: { stroke: () => colour('hair'), width: 1 }, ticks: { show: false },
      labelFont: '11px system-ui, sans-serif', labelSize: 14, labelGap: 0,
    };
    const scales = this.scales();
    // As many digits as tell neighbours apart.
    const label = (u, splits, axisIndex, space, step) => {
      const size = Math.max(...splits.map((v) => Math.abs(v ?? 0)));
      const digits = size > 0 && step > 0 ? Math.ceil(Math.log10(size / step)) + 1 : 1;
      return splits.map((v) => (v === null ? '' : short(v, Math.min(15, Math.max(5, digits)))));
    };
    const named = (k) => { const names = scales.of(k).map((i) => series[i].name).join(', '); return names.length > 28 ? `${names.slice(0, 27)}\u2026` : names; };
    const upright = scales.keys.map((key, k) => ({
      ...axis, scale: key, side: k ? 1 : 3, size: 62, space: 32, values: log ? powers : label, label: log ? 'relative miss' : named(k),
      stroke: () => (scales.of(k).length === 1 && scales.keys.length > 1 ? seriesColour(scales.of(k)[0]) : colour('muted')),
      grid: { ...axis.grid, show: k === 0, filter: log ? decades : (u, splits) => splits },
    }));
    return {
      width, height: HEIGHT, legend: { show: false }, padding: [8, scales.keys.length > 1 ? 0 : 12, 0, 0], pxAlign: false,
      scales: {
        x: { time: false, range: (u, low, high) => (this.t.length === 1 ? [this.t[0] - 1, this.t[0] + 1] : [low, high]) },
        ...Object.fromEntries(scales.keys.map((key) => [key, log ? { distr: 3 } : { range: (u, low, high) => roomy(low, high) }])),
      },
      axes: [{ ...axis, values: label, space: 60, size: 26, label: this.panel.time }, ...upright],
      series: [{}, ...this.chosen().map((i, place) => ({
        label: series[i].name, scale: scales.keys[scales.axes[place]], stroke: () => seriesColour(i), width: 1.5, dash: dashOf(i),
        fill: log && place === 0 ? () => `${seriesColour(i)}22` : undefined, points: { show: this.t.length < 3 }, paths: this.paths(),
      })), ...(bound ? [{ label: 'bound', stroke: () => colour('bad'), width: 1.5, dash: [3, 3], points: { show: false } }] : [])],
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

  // Made anew with the series that are shown: of a thousand most are not, and cost nothing.
  make() {
    const zoom = this.u && { min: this.u.scales.x.min, max: this.u.scales.x.max };
    this.u?.destroy();
    this.u = new uPlot(this.options(Math.max(200, this.body.clientWidth)), this.drawn(), this.body);
    if (zoom) this.u.setScale('x', zoom);
    this.u.root.setAttribute('aria-hidden', 'true'); // the chips below say the same in words
    this.listenToPointer();
    this.follow();
  }

  mount() {
    this.make();
    this.observer = new ResizeObserver(() => {
      const width = this.body.clientWidth;
      if (width > 0 && width !== this.u.width) this.u.setSize({ width, height: HEIGHT });
      this.follow();
    });
    this.observer.observe(this.body);
    this.clock.listen(() => this.follow());
    onTheme(() => this.u.redraw(false));
  }

  release() {
    this.observer.disconnect();
    this.u.destroy();
    this.u = null;
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
    this.chips?.say((i) => short(this.values[i][index], 6));
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

// A little air above and below; a constant gets a range that shows it is one. What changes by less than this part of itself is one for the
// eye: the errors of an energy are a plot of their own.
const CONSTANT = 1e-7;
function roomy(low, high) {
  if (low === null || !Number.isFinite(low)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= CONSTANT * size || size === 0) {
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
  const pair = against(data, clock);
  const node = element('div', { class: 'plots', id: 'plots', role: 'group', 'aria-label': 'Plots over time' }, all.map((plot) => plot.node), pair.node);
  return { node, mount: () => { for (const plot of all) plot.mount(); pair.mount(); }, release: () => { for (const plot of all) plot.release(); }, all };
}
