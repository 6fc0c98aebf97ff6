// Members in a plane: any number against any other, coloured by a third, as points or as a map of cells.
import { element } from '../dom.js';
import { count, short } from '../numbers.js';
import { savePicture } from '../share.js';
import { colour as named, onTheme } from '../theme.js';
import { axisOf, rangeOf } from './axis.js';
import { cellsOf, edgesOf } from './cells.js';
import { labelled } from './columns.js';
import { shade } from './palette.js';
import { Tip } from './tip.js';

const REACH = 14; // pixels from a point that still hit it
const STRIP = 20; // where failed members lie that have no number on one axis
const VALUES_TOLD = 7;

export class StudyMap {
  // `choose(row)` is called when a member is picked.
  constructor(columns, study, choose) {
    this.columns = columns;
    this.choose = choose;
    this.study = study;
    this.selected = null;
    this.cursor = null;
    const { varied, kept } = columns;
    const isGrid = (column) => column?.info.kind === 'axis' && column.info.count > 1;
    const axes = varied.filter(isGrid);
    const plane = axes.length > 1;
    const [x, y] = plane ? axes : [varied[0] ?? columns.get('member'), kept[0] ?? varied[1]];
    const third = plane ? kept[0] : varied.find((v) => v !== x && v !== y) ?? kept.find((k) => k !== y);
    this.y = this.select('Vertical', y ?? x);
    this.x = this.select('Horizontal', x);
    this.c = this.select('Colour', third, 'nothing');
    this.as = element('select', { 'aria-label': 'Drawn as', id: 'drawn-as', onchange: () => this.draw() },
      element('option', { value: 'points', selected: !plane }, 'points'), element('option', { value: 'cells', selected: plane }, 'heat map'));
    this.canvas = element('canvas', { tabindex: 0, role: 'application', 'aria-label': 'Members; the arrow keys go from one to the next, Enter shows it' });
    this.stage = element('div', { class: 'plane' }, this.canvas);
    this.told = element('p', { class: 'note', id: 'map-note' });
    this.tip = new Tip(this.stage);
    const field = (text, control) => element('label', {}, element('span', {}, text), control);
    this.node = element('div', { class: 'map' },
      element('div', { class: 'fields' }, field('vertical', this.y), field('horizontal', this.x), field('colour', this.c), field('drawn as', this.as)),
      this.stage, element('div', { class: 'under' }, this.told,
        element('button', { class: 'tool', type: 'button', 'aria-label': 'Save this picture as PNG', onclick: () => savePicture(this.canvas, this.title(), [], 'study.png') }, 'PNG')));
    this.listen();
  }

  select(label, chosen, none) {
    const groups = [...new Set(this.columns.all.map((c) => c.group))];
    const option = (column) => element('option', { value: column.key, selected: column === chosen }, labelled(column));
    return element('select', { 'aria-label': label, id: `axis-${label.toLowerCase()}`, onchange: () => this.draw() },
      none ? element('option', { value: '', selected: !chosen }, none) : null,
      groups.map((group) => element('optgroup', { label: group }, this.columns.all.filter((c) => c.group === group).map(option))));
  }

  title() {
    const by = this.columns.get(this.c.value);
    return `${labelled(this.columns.get(this.y.value))} against ${labelled(this.columns.get(this.x.value))}${by ? `, coloured by ${labelled(by)}` : ''}`;
  }

  mount() {
    new ResizeObserver(() => this.draw()).observe(this.stage);
    onTheme(() => this.draw());
  }

  draw() {
    const [x, y, c] = [this.x, this.y, this.c].map((select) => this.columns.get(select.value));
    const width = Math.max(240, this.stage.clientWidth);
    const height = Math.round(Math.min(540, Math.max(300, 0.78 * width)));
    const scale = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: width * scale, height: height * scale });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const pen = this.canvas.getContext('2d');
    pen.scale(scale, scale);
    pen.font = '12px system-ui, sans-serif';
    const textWidth = (text) => pen.measureText(text).width;
    const cells = this.as.value === 'cells';
    const counted = cells && !c;
    const colours = c || counted ? (c ? rangeOf(c.values) : null) : null;
    // Failed members that lack one of the two numbers lie in a strip along the axis that they have.
    const lack = (a, b) => this.columns.reached.some((fine, row) => !fine && a.values[row] !== null && b.values[row] === null);
    const strip = { below: lack(x, y) ? STRIP : 0, beside: lack(y, x) ? STRIP : 0 };
    const frame = { top: 30, bottom: height - 46 - strip.below, right: width - (c || counted ? 78 : 16) };
    const air = cells ? 0 : 0.04;
    const up = axisOf(this.span(y, cells), { from: frame.bottom, to: frame.top, log: y.log, air, across: false });
    frame.left = 22 + Math.max(18, ...up.ticks.map((t) => textWidth(t.text))) + strip.beside;
    const across = axisOf(this.span(x, cells), { from: frame.left, to: frame.right, log: x.log, air, width: textWidth });
    Object.assign(this, { frame, across, up, strip, height, width });
    this.places = [];
    this.cells = [];
    if (cells) this.drawCells(pen, x, y, c);
    this.drawAxes(pen, x, y);
    if (!cells) this.drawPoints(pen, x, y, c, colours);
    this.drawStrip(pen, x, y);
    this.drawMarks(pen);
    const range = cells ? rangeOf(this.cells.map((cell) => cell.value)) : colours;
    if (range && (c || counted)) this.drawScale(pen, c, range, cells && c ? `mean of ${labelled(c)}` : c ? labelled(c) : 'members');
    this.tell(x, y, cells);
  }

  span(column, cells) {
    if (!cells) return rangeOf(column.values);
    const { edges } = edgesOf(column, { from: 0, to: 400 });
    return [edges[0], edges.at(-1)];
  }

  drawAxes(pen, x, y) {
    const { frame, across, up, strip } = this;
    pen.strokeStyle = named('grid');
    pen.fillStyle = named('soft');
    pen.lineWidth = 1;
    const under = this.as.value === 'cells';
    pen.textAlign = 'center';
    for (const tick of across.ticks) {
      const at = Math.round(across.at(tick.value)) + 0.5;
      if (!under) line(pen, at, frame.top, at, frame.bottom);
      else line(pen, at, frame.bottom + strip.below, at, frame.bottom + strip.below + 4);
      pen.fillText(tick.text, at, frame.bottom + strip.below + 18);
    }
    pen.textAlign = 'right';
    for (const tick of up.ticks) {
      const at = Math.round(up.at(tick.value)) + 0.5;
      if (!under) line(pen, frame.left, at, frame.right, at);
      else line(pen, frame.left - strip.beside - 4, at, frame.left - strip.beside, at);
      pen.fillText(tick.text, frame.left - strip.beside - 8, at + 4);
    }
    pen.fillStyle = named('ink');
    pen.textAlign = 'left';
    pen.fillText(fitted(pen, labelled(y), frame.right - 6), 2, 14);
    pen.textAlign = 'right';
    pen.fillText(fitted(pen, labelled(x), frame.right - 6), frame.right, this.height - 6);
  }

  drawPoints(pen, x, y, c, colours) {
    const { columns, across, up } = this;
    const size = columns.members.length;
    const radius = size < 300 ? 4 : size < 3000 ? 3 : size < 8000 ? 2.2 : 1.7;
    const plain = named('series-0');
    const missing = named('curve');
    pen.globalAlpha = size < 3000 ? 0.85 : 0.7;
    let failed = 0;
    const share = shareOf(c, colours);
    const last = [];
    for (let row = 0; row < size; ++row) {
      if (x.values[row] === null || y.values[row] === null) continue;
      const place = { row, x: across.at(x.values[row]), y: up.at(y.values[row]) };
      this.places.push(place);
      if (!columns.reached[row]) {
        last.push(place);
        continue;
      }
      pen.fillStyle = !c ? plain : c.values[row] === null ? missing : shade(share(c.values[row]));
      pen.beginPath();
      pen.arc(place.x, place.y, radius, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
    for (const place of last) { cross(pen, place, Math.max(3.5, radius)); failed += 1; }
    this.canvas.dataset.points = this.places.length - failed;
    this.canvas.dataset.failed = failed;
  }

  drawCells(pen, x, y, c) {
    const { columns, across, up } = this;
    const scale = window.devicePixelRatio || 1;
    const edges = { x: edgesOf(x, across).edges, y: edgesOf(y, up).edges };
    this.cells = cellsOf(columns, x, y, c, edges);
    const range = rangeOf(this.cells.map((cell) => cell.value));
    const share = shareOf(c, c ? range : [0, range[1]]);
    let failed = 0;
    for (const cell of this.cells) {
      // On whole pixels of the screen: no seams between cells.
      const pixel = (place) => Math.round(place * scale) / scale;
      const [left, right] = [pixel(across.at(edges.x[cell.i])), pixel(across.at(edges.x[cell.i + 1]))];
      const [bottom, top] = [pixel(up.at(edges.y[cell.k])), pixel(up.at(edges.y[cell.k + 1]))];
      Object.assign(cell, { left, right, bottom, top });
      const known = cell.value !== null;
      pen.fillStyle = known ? shade(share(cell.value)) : named('stage');
      pen.fillRect(left, top, right - left, bottom - top);
      failed += cell.failed;
      for (const row of cell.rows) this.places.push({ row, x: across.at(x.values[row]), y: up.at(y.values[row]), cell });
    }
    // Crosses lie above all colours, with a rim so that they are seen on any of them.
    for (const cell of this.cells) {
      if (!cell.failed) continue;
      const size = Math.min(6, Math.max(2.5, 0.28 * Math.min(cell.right - cell.left, cell.bottom - cell.top)));
      cross(pen, { x: (cell.left + cell.right) / 2, y: (cell.top + cell.bottom) / 2 }, size, cell.value !== null);
    }
    this.canvas.dataset.points = this.places.length - failed;
    this.canvas.dataset.failed = failed;
    this.canvas.dataset.cells = this.cells.length;
  }

  drawStrip(pen, x, y) {
    const { columns, frame, across, up, strip } = this;
    let drawn = 0;
    const row = (text, left, top, turn) => {
      pen.save();
      pen.fillStyle = named('bad');
      pen.textAlign = 'right';
      pen.translate(left, top);
      if (turn) pen.rotate(-Math.PI / 2);
      pen.font = '11px system-ui, sans-serif';
      pen.fillText(text, 0, 0);
      pen.restore();
    };
    columns.reached.forEach((fine, r) => {
      if (fine) return;
      const [a, b] = [x.values[r], y.values[r]];
      let place = null;
      if (a !== null && b === null && strip.below) place = { row: r, x: across.at(a), y: frame.bottom + strip.below / 2 + 2 };
      if (b !== null && a === null && strip.beside) place = { row: r, x: frame.left - strip.beside / 2 - 2, y: up.at(b) };
      if (!place) return;
      cross(pen, place, 3.5);
      this.places.push(place);
      drawn += 1;
    });
    if (strip.below) row('failed', frame.left - 6, frame.bottom + strip.below / 2 + 6, false);
    if (strip.beside) row('failed', frame.left - strip.beside / 2 + 2, frame.bottom + 6, true);
    this.canvas.dataset.strip = drawn;
  }

  // Members whose motion is here have a ring; the one that is shown a bold one.
  drawMarks(pen) {
    const { columns } = this;
    this.canvas.dataset.rings = 0;
    for (const place of this.places) {
      if (!columns.shown.has(columns.members[place.row]) || place.row === this.selected) continue;
      this.canvas.dataset.rings = Number(this.canvas.dataset.rings) + 1;
      ring(pen, place, 5.5, 1.2);
    }
    for (const place of this.places) if (place.row === this.selected) ring(pen, place, 8, 3);
    for (const place of this.places) if (place.row === this.cursor && this.cursor !== this.selected) ring(pen, place, 8, 1.5);
  }

  drawScale(pen, column, [low, high], title) {
    const { frame } = this;
    const left = frame.right + 16;
    const log = Boolean(column?.log);
    const axis = axisOf(column ? [low, high] : [0, high], { from: frame.bottom, to: frame.top, log, air: 0, across: false });
    for (let y = frame.top; y < frame.bottom; ++y) {
      pen.fillStyle = shade((frame.bottom - y) / (frame.bottom - frame.top));
      pen.fillRect(left, y, 10, 1.5);
    }
    pen.fillStyle = named('soft');
    pen.textAlign = 'left';
    for (const tick of axis.ticks) pen.fillText(fitted(pen, tick.text, this.width - left - 16), left + 15, axis.at(tick.value) + 4);
    pen.fillStyle = named('ink');
    pen.textAlign = 'right';
    const room = this.width - 24 - pen.measureText(labelled(this.columns.get(this.y.value))).width;
    pen.fillText(fitted(pen, title, room), this.width - 2, 14);
  }

  tell(x, y, cells) {
    const { study, columns } = this;
    const held = columns.members.length;
    const failed = columns.reached.filter((fine) => !fine).length;
    const parts = [];
    if (held < study.computed)
      parts.push(`Here are ${count(held)} of the ${count(study.computed)} members: one of every ${count(study.one_of)}, evenly${failed ? ', those with the least and the largest values, and the first that failed' : ', and those with the least and the largest values'}.`);
    if (failed) parts.push('A red cross is a member that failed.');
    const without = held - new Set(this.places.map((p) => p.row)).size;
    if (without) parts.push(`${count(without)} member${without === 1 ? ' has' : 's have'} no place here.`);
    if (cells && this.c.value) parts.push('A cell has the mean of its members.');
    if (columns.shown.size) parts.push(`A ring: its motion is on this page${columns.shown.size < held ? ` (${count(columns.shown.size)} are)` : ''}.`);
    this.told.textContent = parts.join(' ');
  }

  lines(row) {
    const { columns } = this;
    const asked = [this.x, this.y, this.c].map((select) => columns.get(select.value)).filter((column) => column && column.kind !== 'member');
    const others = [...columns.varied, ...columns.kept].filter((column) => !asked.includes(column));
    const some = [...new Set(asked), ...others].slice(0, VALUES_TOLD);
    return [`Member ${columns.members[row]}`, ...some.map((column) => [labelled(column), short(column.values[row], 6)]),
      columns.reached[row] ? null : ['ended with', columns.status(row)]];
  }

  linesOfCell(cell) {
    if (cell.rows.length === 1) return this.lines(cell.rows[0]);
    const c = this.columns.get(this.c.value);
    return [`${count(cell.rows.length)} members`, c && cell.known ? [`mean of ${labelled(c)}`, short(cell.value, 6)] : null, cell.failed ? ['failed', count(cell.failed)] : null];
  }

  // The nearest place; of those in one cell one whose motion is here, if there is.
  hit(px, py) {
    const cell = this.cells.find((one) => px >= one.left && px < one.right && py >= one.top && py < one.bottom);
    let best = null;
    let least = cell ? Infinity : REACH * REACH;
    for (const place of this.places) {
      if (place.cell !== cell) continue;
      let distance = (place.x - px) ** 2 + (place.y - py) ** 2;
      if (cell && this.columns.shown.has(this.columns.members[place.row])) distance -= 1e6;
      if (distance < least) [best, least] = [place, distance];
    }
    return best && { place: best, cell };
  }

  listen() {
    const { canvas } = this;
    const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    canvas.addEventListener('pointermove', (event) => {
      const hit = this.hit(...at(event));
      canvas.style.cursor = hit ? 'pointer' : 'default';
      if (hit) this.tip.show(...at(event), hit.cell ? this.linesOfCell(hit.cell) : this.lines(hit.place.row));
      else this.tip.hide();
    });
    canvas.addEventListener('pointerleave', () => this.tip.hide());
    canvas.addEventListener('click', (event) => {
      const hit = this.hit(...at(event));
      if (hit) this.choose(hit.place.row);
    });
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('blur', () => { this.cursor = null; this.tip.hide(); this.draw(); });
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way) {
      const from = this.places.find((p) => p.row === (this.cursor ?? this.selected)) ?? this.places[0];
      const next = from && nearestAlong(this.places, from, way);
      if (next) this.cursor = next.row;
      if (next) { this.draw(); this.tip.show(next.x, next.y, this.lines(next.row)); }
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (this.cursor !== null) this.choose(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation(); // the keys of the replay
  }

  show(row) {
    this.selected = row;
    this.draw();
  }
}

function nearestAlong(places, from, [dx, dy]) {
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const beside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along < 0.5 || beside > 2 * along) continue;
    const distance = along + 2 * beside;
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

function shareOf(column, range) {
  if (!range) return () => 0;
  const scale = column?.log ? Math.log10 : (v) => v;
  const [low, high] = range.map(scale);
  return (value) => (high > low ? (scale(value) - low) / (high - low) : 0.5);
}

function fitted(pen, text, room) {
  let words = text;
  while (words.length > 3 && pen.measureText(words).width > room) words = `${words.slice(0, -2).trimEnd()}\u2026`;
  return words;
}

function line(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

function cross(pen, { x, y }, size, rim = false) {
  const draw = (style, width) => {
    pen.strokeStyle = style;
    pen.lineWidth = width;
    line(pen, x - size, y - size, x + size, y + size);
    line(pen, x - size, y + size, x + size, y - size);
  };
  if (rim) draw(named('paper'), 4);
  draw(named('bad'), 1.8);
}

// Seen on any colour: the ink, with the paper around it.
function ring(pen, { x, y }, radius, width) {
  for (const [style, thick] of [['paper', width + 2.4], ['ink', width]]) {
    pen.strokeStyle = named(style);
    pen.lineWidth = thick;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.stroke();
  }
}
