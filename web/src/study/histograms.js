// How every number is distributed over all members: counted by the program, here only put together into bars.
import { element, section } from '../dom.js';
import { count, short } from '../numbers.js';
import { axisOf } from './axis.js';
import { labelled } from './columns.js';
import { drawn } from './drawn.js';
import { Tip } from './tip.js';

const HEIGHT = 168;
const MARGIN = { left: 44, right: 12, top: 10, bottom: 30 };
const SHOWN_AT_FIRST = 18;
const sum = (list) => list.reduce((a, b) => a + b, 0);

// Few values that come again and again are bars of their own.
function isDiscrete({ kind, distribution: { values, finite } }) {
  return values && (kind === 'axis' || values.at.every(Number.isInteger) || finite >= 4 * values.at.length);
}

function ownBars({ at, reached, failed }) {
  const gaps = at.slice(1).map((v, i) => v - at[i]);
  const half = 0.4 * (gaps.length ? Math.min(...gaps) : Math.abs(at[0]) * 0.2 || 1);
  return at.map((value, i) => ({ low: value - half, high: value + half, value, reached: reached[i], failed: failed[i] }));
}

// So many of the fine bins to a bar that about as many bars come out as are wanted, and the last one is nearly full.
function together(fine, log) {
  const size = fine.reached.length;
  const wanted = Math.min(40, Math.max(8, Math.round(1.6 * Math.sqrt(sum(fine.reached) + sum(fine.failed)))));
  const middle = Math.max(1, size / wanted);
  let best = { each: 1, missing: Infinity };
  for (let each = Math.max(1, Math.floor(0.75 * middle)); each <= Math.ceil(1.3 * middle); ++each) {
    const missing = (Math.ceil(size / each) * each - size) / each;
    if (missing < best.missing - 1e-9) best = { each, missing };
  }
  const edge = (k) => (log ? 10 ** (fine.low + k * fine.width) : fine.low + k * fine.width);
  const bars = [];
  for (let k = 0; k < size; k += best.each)
    bars.push({ low: edge(k), high: edge(k + best.each), reached: sum(fine.reached.slice(k, k + best.each)), failed: sum(fine.failed.slice(k, k + best.each)) });
  return bars;
}

export function barsOf(column) {
  const { distribution } = column.info;
  if (!distribution.finite) return { bars: [], log: false };
  if (isDiscrete(column.info) && !column.log) return { bars: ownBars(distribution.values), log: false };
  const log = column.log && Boolean(distribution.log);
  return { bars: together(log ? distribution.log : distribution.bins, log), log };
}

class Histogram {
  constructor(column) {
    this.column = column;
    Object.assign(this, barsOf(column));
    const { info } = column;
    const words = this.words();
    this.stage = element('div', { class: 'bars', role: 'img', 'aria-label': `Distribution of ${labelled(column)}: ${words}` });
    this.node = element('figure', { class: 'histogram', 'data-name': info.name, 'data-counted': sum(this.bars.map((b) => b.reached + b.failed)), 'data-without': info.distribution.without },
      element('figcaption', {}, labelled(column)), this.stage, element('p', { class: 'note' }, words));
    this.tip = new Tip(this.stage);
  }

  words() {
    const { info, kind } = this.column;
    const { without, finite } = info.distribution;
    const parts = [];
    if (kind === 'kept' && info.count) parts.push(`mean ${short(Math.abs(info.mean) < 1e-9 * info.deviation ? 0 : info.mean, 5)} \u00b1 ${short(info.deviation, 3)}, from ${short(info.min, 5)} to ${short(info.max, 5)}`);
    if (info.kind === 'axis') parts.push(`${count(info.count)} value${info.count === 1 ? '' : 's'} from ${short(info.a, 5)} to ${short(info.b, 5)}`);
    if (info.kind === 'table') parts.push(`${count(info.count)} row${info.count === 1 ? '' : 's'} of a table, from ${short(info.a, 5)} to ${short(info.b, 5)}`);
    if (info.kind === 'normal') parts.push(`normal, mean ${short(info.a, 5)} and deviation ${short(info.b, 5)}`);
    if (info.kind === 'uniform' || info.kind === 'log') parts.push(`${info.kind === 'log' ? 'log-' : ''}uniform between ${short(info.a, 5)} and ${short(info.b, 5)}`);
    if (without) parts.push(`${count(without)} ${finite ? '' : 'members '}without a value`);
    return parts.join('; ');
  }

  draw() {
    const width = Math.max(180, this.stage.clientWidth);
    const svg = drawn('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' });
    this.stage.querySelector('svg')?.remove();
    this.stage.prepend(svg);
    if (!this.bars.length) {
      svg.append(drawn('text', { x: width / 2, y: HEIGHT / 2, class: 'none' }, 'no value'));
      return;
    }
    const most = Math.max(...this.bars.map((b) => b.reached + b.failed));
    const up = axisOf([0, most], { from: HEIGHT - MARGIN.bottom, to: MARGIN.top, air: 0, across: false });
    const across = axisOf([this.bars[0].low, this.bars.at(-1).high], { from: MARGIN.left, to: width - MARGIN.right, log: this.log, air: 0.01, width: (text) => 6.5 * text.length });
    for (const { value, text } of up.ticks.filter((tick) => Number.isInteger(tick.value))) {
      svg.append(drawn('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: up.at(value), y2: up.at(value), class: 'grid' }),
        drawn('text', { x: MARGIN.left - 6, y: up.at(value) + 4, class: 'end' }, text));
    }
    for (const bar of this.bars) this.bar(svg, bar, across, up);
    svg.append(drawn('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: up.at(0), y2: up.at(0), class: 'base' }));
    const { mean } = this.column.info;
    if (this.column.kind === 'kept' && mean !== null && !(this.log && mean <= 0))
      svg.append(drawn('line', { x1: across.at(mean), x2: across.at(mean), y1: MARGIN.top - 6, y2: HEIGHT - MARGIN.bottom, class: 'mean' }));
    for (const { value, text } of across.ticks) {
      if (across.at(value) < MARGIN.left - 1 || across.at(value) > width - MARGIN.right + 1) continue;
      svg.append(drawn('text', { x: Math.min(across.at(value), width - 3.3 * text.length), y: HEIGHT - 12, class: 'middle' }, text));
    }
  }

  bar(svg, bar, across, up) {
    const [x, end] = [across.at(bar.low), across.at(bar.high)];
    const gap = end - x > 4 ? 1 : 0.2;
    let top = up.at(0);
    for (const kind of ['reached', 'failed']) {
      if (!bar[kind]) continue;
      const height = up.at(0) - up.at(bar[kind]);
      top -= height;
      svg.append(drawn('rect', { x: x + gap / 2, y: top, width: Math.max(0.5, end - x - gap), height, class: kind }));
    }
    const hit = drawn('rect', { x, y: MARGIN.top, width: end - x, height: HEIGHT - MARGIN.top - MARGIN.bottom, class: 'hit' });
    hit.addEventListener('pointerenter', () => this.tip.show((x + end) / 2, HEIGHT / 2, [
      bar.value === undefined ? `${short(bar.low, 5)} to ${short(bar.high, 5)}` : `${this.column.name} = ${short(bar.value, 6)}`,
      ['members', count(bar.reached + bar.failed)], bar.failed ? ['failed', count(bar.failed)] : null]));
    hit.addEventListener('pointerleave', () => this.tip.hide());
    svg.append(hit);
  }

  mount() {
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }
}

export function histograms(columns, { study }) {
  const all = [...columns.varied, ...columns.kept].map((column) => new Histogram(column));
  const group = (title, kind) => {
    const some = all.filter((h) => h.column.kind === kind);
    if (!some.length) return null;
    const [first, rest] = [some.slice(0, SHOWN_AT_FIRST), some.slice(SHOWN_AT_FIRST)];
    return [element('h3', {}, title), element('div', { class: 'histograms' }, first.map((h) => h.node)),
      rest.length ? element('details', {}, element('summary', {}, `${count(rest.length)} more`), element('div', { class: 'histograms' }, rest.map((h) => h.node))) : null];
  };
  const failed = study.computed - study.reached;
  const node = section('distributions', 'Distributions',
    element('p', { class: 'note' }, `Of all ${count(study.computed)} members.${columns.kept.length ? ' A dashed line is the mean.' : ''}${failed ? ' In what varies those that failed stand on top of the others:' : ''}`,
      failed ? element('span', { class: 'keys' }, element('i', { class: 'key-reached' }), 'reached the end', element('i', { class: 'key-failed' }), 'failed') : null),
    ...(group('What varies', 'varied') ?? []), ...(group('What is kept', 'kept') ?? []));
  return { node, mount: () => { for (const h of all) h.mount(); } };
}
