// What is kept of every member over time: the mean, the deviation around it, and the extremes.
import { element, section } from '../dom.js';
import { count, short } from '../numbers.js';
import { axisOf, rangeOf } from './axis.js';
import { labelled } from './columns.js';
import { drawn } from './drawn.js';
import { Tip } from './tip.js';

const HEIGHT = 230;
const MARGIN = { left: 58, right: 14, top: 10, bottom: 34 };

class Trajectory {
  constructor(info) {
    this.info = info;
    this.stage = element('div', { class: 'bars', role: 'img', 'aria-label': `${labelled(info)} over time: ${this.words()}` });
    this.node = element('figure', { class: 'trajectory', 'data-name': info.name },
      element('figcaption', {}, labelled(info)), this.stage, element('p', { class: 'note' }, this.words()));
    this.tip = new Tip(this.stage);
  }

  words() {
    const { t, instants, count: counts, min, max } = this.info;
    const [low, high] = rangeOf([...min, ...max]);
    const least = Math.min(...counts);
    const fewest = counts.indexOf(least);
    return [t.length < instants ? `${count(t.length)} of ${count(instants)} instants are drawn, the extremes are those of all` : `${count(t.length)} instants`,
      counts.some((n) => n) ? `from ${short(low, 5)} to ${short(high, 5)}` : 'no value',
      least < Math.max(...counts) ? `not all members get to each: at t = ${short(t[fewest], 5)} ${least === 1 ? 'it is 1' : `there are ${count(least)}`} of ${count(Math.max(...counts))}` : null]
      .filter(Boolean).join('; ');
  }

  // Where there is a value, one piece after the other.
  pieces() {
    const pieces = [[]];
    this.info.t.forEach((_, i) => {
      if (this.info.mean[i] !== null) pieces.at(-1).push(i);
      else if (pieces.at(-1).length) pieces.push([]);
    });
    return pieces.filter((piece) => piece.length);
  }

  draw() {
    const { info } = this;
    const width = Math.max(220, this.stage.clientWidth);
    const svg = drawn('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' });
    this.stage.querySelector('svg')?.remove();
    this.stage.prepend(svg);
    const across = axisOf(rangeOf(info.t), { from: MARGIN.left, to: width - MARGIN.right, air: 0 });
    const up = axisOf(rangeOf([...info.min, ...info.max]), { from: HEIGHT - MARGIN.bottom, to: MARGIN.top, across: false });
    for (const { value, text } of up.ticks)
      svg.append(drawn('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: up.at(value), y2: up.at(value), class: 'grid' }),
        drawn('text', { x: MARGIN.left - 6, y: up.at(value) + 4, class: 'end' }, text));
    for (const { value, text } of across.ticks)
      svg.append(drawn('text', { x: Math.min(across.at(value), width - 3.3 * text.length), y: HEIGHT - 16, class: 'middle' }, text));
    svg.append(drawn('text', { x: width - MARGIN.right, y: HEIGHT - 2, class: 'end' }, labelled({ name: 't', unit: info.unit_of_time })));
    const point = (i, value) => `${across.at(info.t[i]).toFixed(2)},${up.at(value).toFixed(2)}`;
    for (const piece of this.pieces()) {
      const band = (low, high, kind) => svg.append(drawn('polygon', { class: kind,
        points: [...piece.map((i) => point(i, high(i))), ...piece.toReversed().map((i) => point(i, low(i)))].join(' ') }));
      band((i) => info.min[i], (i) => info.max[i], 'extremes');
      band((i) => Math.max(info.min[i], info.mean[i] - info.deviation[i]), (i) => Math.min(info.max[i], info.mean[i] + info.deviation[i]), 'deviation');
      svg.append(drawn('polyline', { class: 'curve', points: piece.map((i) => point(i, info.mean[i])).join(' ') }));
    }
    svg.append(drawn('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: HEIGHT - MARGIN.bottom, y2: HEIGHT - MARGIN.bottom, class: 'base' }));
    const hit = drawn('rect', { x: MARGIN.left, y: MARGIN.top, width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom, class: 'over' });
    hit.addEventListener('pointermove', (event) => this.tell(across, event.clientX - svg.getBoundingClientRect().left));
    hit.addEventListener('pointerleave', () => this.tip.hide());
    svg.append(hit);
  }

  tell(across, pixel) {
    const { info } = this;
    const t = across.value(pixel);
    const i = info.t.reduce((best, time, k) => (Math.abs(time - t) < Math.abs(info.t[best] - t) ? k : best), 0);
    const lines = info.mean[i] === null ? [['no value', '']]
      : [['mean', short(info.mean[i], 6)], ['deviation', short(info.deviation[i], 4)], ['least', short(info.min[i], 6)], ['largest', short(info.max[i], 6)]];
    this.tip.show(across.at(info.t[i]), HEIGHT / 2, [`t = ${short(info.t[i], 5)}${info.unit_of_time ? ` ${info.unit_of_time}` : ''}`, ...lines, ['members', count(info.count[i])]]);
  }

  mount() {
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }
}

export class Trajectories {
  constructor({ trajectories }) {
    this.all = trajectories.map((info) => new Trajectory(info));
    this.node = this.all.length === 0 ? null : section('trajectories', 'Trajectories',
      element('p', { class: 'note' }, 'Over all members that get there: the mean, one deviation to either side, and the least and the largest.'),
      element('div', { class: 'trajectories' }, this.all.map((one) => one.node)));
  }

  mount() {
    for (const one of this.all) one.mount();
  }
}
