// One member: its values, its motion if it is on this page, and how to compute it if not.
import { Clock } from '../clock.js';
import { element, scroller } from '../dom.js';
import { count, number, short } from '../numbers.js';
import { plots } from '../plots.js';
import { replay } from '../replay.js';
import { copyButton } from '../share.js';
import { during } from '../theme.js';
import { transport } from '../transport.js';
import { labelled } from './columns.js';

// A word as a shell takes it.
const quoted = (word) => (/^[\w./=:,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

export function commandOf({ study }, columns, row) {
  const { before, after, by_values: byValues, start } = study.command;
  const member = columns.members[row];
  let words = before;
  if (byValues) {
    const starts = start ? [start] : [];
    for (const { info, name, values } of columns.varied) {
      if (info.start) starts.push(`${name}=${values[row]}`);
      else words += ` --set ${quoted(`${name}=${values[row]}`)}`;
    }
    if (starts.length) words += ` --start ${quoted(starts.join(', '))}`;
  } else {
    words += member;
  }
  return `${words}${after} --report member-${member}.html`;
}

export class MemberView {
  constructor(data, columns, choose) {
    this.data = data;
    this.columns = columns;
    this.choose = choose;
    this.order = columns.members.map((_, row) => row);
    this.node = element('section', { class: 'member', id: 'member', 'aria-label': 'One member' });
    this.below = element('section', { id: 'over-time', 'aria-label': 'The member over time', hidden: true });
    this.entry = element('input', { type: 'number', id: 'member-number', min: 0, step: 1, 'aria-label': 'Number of the member', onchange: () => this.go() });
    this.said = element('span', { class: 'said', role: 'status' });
  }

  go() {
    const wanted = Number(this.entry.value);
    const row = this.columns.rowOf.get(wanted);
    if (row !== undefined) return this.choose(row);
    const computed = this.data.study.computed;
    this.said.textContent = wanted < computed ? `${wanted} is not among the members of this page` : `members are 0 to ${count(computed - 1)}`;
    return undefined;
  }

  // The next one whose motion is here.
  step(by) {
    const { columns } = this;
    const rows = [...columns.shown.keys()].map((member) => columns.rowOf.get(member)).filter((row) => row !== undefined).sort((a, b) => a - b);
    if (!rows.length) return;
    const next = by > 0 ? rows.find((row) => row > this.row) ?? rows[0] : rows.findLast((row) => row < this.row) ?? rows.at(-1);
    this.choose(next);
  }

  release() {
    this.leave?.();
    this.leave = null;
  }

  show(row) {
    const { columns, data } = this;
    this.release();
    this.row = row;
    this.entry.value = columns.members[row];
    this.said.textContent = '';
    const motion = columns.shown.get(columns.members[row]);
    this.leave = during(() => this.build(row, motion));
    return motion && data;
  }

  head(row, motion) {
    const { columns } = this;
    const button = (text, label, by) => element('button', { class: 'quiet', type: 'button', 'aria-label': label, onclick: () => this.step(by) }, text);
    const fine = columns.reached[row];
    return [element('div', { class: 'member-bar' }, element('h2', {}, 'Member ', this.entry),
      columns.shown.size > 1 ? element('span', { class: 'views' }, button('\u2039', 'The member with a motion before', -1), button('\u203a', 'The next member with a motion', 1)) : null, this.said),
    element('p', { class: 'status', id: 'member-status' }, fine ? element('span', { class: 'good' }, columns.status(row)) : element('span', { class: 'bad' }, `\u2715 failed: ${columns.status(row)}`),
      motion?.why && fine ? ` \u00b7 ${motion.why}` : '', !fine && columns.reason(row) ? element('span', { class: 'reason' }, columns.reason(row)) : '')];
  }

  values(row) {
    const { columns } = this;
    const rows = (list) => list.map((column) => element('tr', {}, element('th', { scope: 'row' }, labelled(column)), element('td', { class: 'n' }, number(column.values[row], 7))));
    const half = (title, list) => (list.length ? element('table', {}, element('caption', {}, title), element('tbody', {}, rows(list))) : null);
    const tables = scroller('Values of the member', element('div', { class: 'halves' }, half('What varies', columns.varied), half('What is kept', columns.kept)));
    tables.classList.add('values');
    return tables;
  }

  command(row, motion) {
    const words = commandOf(this.data, this.columns, row);
    const copy = copyButton('copy', 'Copy the command', () => words);
    return element('div', { class: 'command' }, element('p', { class: 'note' }, motion ? 'All about it, with its equations and certificate:' : 'Its motion is not on this page. This shows it:'),
      element('div', {}, element('code', { id: 'member-command', tabindex: 0 }, words), copy));
  }

  build(row, motion) {
    const moves = motion && motion.panels.length > 0;
    const clock = moves ? new Clock(motion.run.from, motion.run.time) : null;
    const parts = this.head(row, motion);
    let [drawn, linked] = [null, null];
    if (moves) {
      drawn = replay(motion, clock);
      const marks = [...motion.events, ...motion.contacts.map((c) => ({ time: c.time, name: `${c.name} ${c.sticks ? 'sticks' : 'slides'}` }))];
      parts.push(drawn.node, transport(clock, motion.frames?.t ?? motion.panels[0].t, marks), drawn.options);
    }
    this.node.replaceChildren(...[...parts, this.values(row), this.command(row, motion)].flat().filter((part) => part !== '' && part !== null));
    this.below.hidden = !moves;
    this.below.replaceChildren();
    window.vinculum.clock = clock;
    if (!moves) return () => {};
    linked = plots(motion, clock);
    const { run } = motion;
    this.below.append(element('h2', {}, `Member ${this.columns.members[row]} over time`),
      element('p', { class: 'note' }, `Ended at t = ${short(run.time, 6)} after ${count(run.steps)} steps: ${run.reason || run.stop}.`), linked.node);
    linked.mount();
    const leave = drawn.mount();
    if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) clock.play();
    return () => { clock.pause(); linked.release(); leave?.(); };
  }
}
