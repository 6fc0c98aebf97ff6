// What the constraints are at the end of the motion, and what is known of their forces.
import { element, section } from './dom.js';
import { number, short } from './numbers.js';
import { table } from './tables.js';

const ORDER = ['positions', 'velocities', 'accelerations'];
const quoted = (names) => names.map((name) => `\u2018${name}\u2019`).join(', ');

// A word with its reason in a tooltip and, for those who do not hover, below the table.
const word = (text, reason) => element('abbr', { title: reason }, text);

// Of every state that satisfies the constraint where that is decided, else of this one.
const idealWord = (c) => (!c.ideal ? 'not ideal here' : c.ideal_always ? 'ideal' : 'ideal here');

function natures({ constraints }) {
  return table('What each constraint is here', ['constraint', '', '', '', '', ''],
    constraints.map((c) => [c.name, ORDER[c.order], word(c.kind, c.reason.kind),
      word(c.scleronomic ? 'scleronomic' : 'with time', c.reason.scleronomic),
      word(c.admissible ? 'admissible' : 'not admissible', c.reason.admissible),
      word(idealWord(c), c.reason.ideal)]));
}

// Each reason once, with the constraints it holds for.
function reasons({ constraints }) {
  const said = new Map();
  const say = (text, name) => said.set(text, [...(said.get(text) ?? []), name]);
  for (const c of constraints) {
    say(`${c.kind}: ${c.reason.kind}`, c.name);
    if (!c.admissible) say(`not admissible: ${c.reason.admissible}`, c.name);
    say(`${c.ideal ? 'ideal' : 'not ideal'}: ${c.reason.ideal}`, c.name);
  }
  return element('ul', { class: 'reasons' }, [...said].slice(0, 24).map(([text, names]) => element('li', {}, `${text} (${quoted(names.slice(0, 8))}${names.length > 8 ? ', \u2026' : ''})`)));
}

function uniqueness({ unique, constraints }) {
  if (unique || !constraints.some((c) => c.unique !== null)) return null;
  const held = constraints.filter((c) => c.unique).map((c) => c.name);
  const chosen = constraints.filter((c) => c.unique === false).map((c) => c.name);
  return element('p', { id: 'uniqueness' }, 'The multipliers are not unique. ',
    held.length ? `Unique although others are not: ${quoted(held)}. ` : '',
    chosen.length ? `A matter of the chosen norm: ${quoted(chosen)}.` : '');
}

function dependence({ dependent }) {
  if (!dependent.length) return null;
  const text = dependent.slice(0, 8).map((d) => (d.on.length ? `\u2018${d.row}\u2019 follows from ${quoted(d.on)}` : `\u2018${d.row}\u2019 says 0 = 0 here`));
  return element('p', { id: 'dependence' }, `Not admissible together: ${text.join('; ')}${dependent.length > 8 ? '; \u2026' : ''}.`);
}

function split({ split: rows, orthogonality, mechanics }) {
  if (!rows) return null;
  const head = mechanics ? ['', 'C', 'F^N', 'F^L', 'F^C', 'M q\u2033'] : ['', 'c', 's', 'v1', 'v2', 'x\u2033'];
  return [table(mechanics ? 'The forces, as stated and as the rows let them through: they add up to M q\u2033'
    : 'x\u2033 = s + v1 + v2', head,
  rows.map((r) => [r.name, number(r.stated), number(r.newton), number(r.lagrange), number(r.coulomb), number(r.newton + r.lagrange + r.coulomb)])),
  orthogonality === null ? null : element('p', { class: 'note' }, mechanics
    ? 'M\u207b\u00b9F^L and M\u207b\u00b9F^C are at right angles in the metric of M: their cosine is ' : 'v1 and v2 are at right angles: their cosine is ', number(orthogonality, 2), '.')];
}

function powers({ power, constraints }) {
  if (!power) return null;
  const working = constraints.filter((c) => !c.ideal && c.power !== 0 && c.power !== null);
  const rows = [['stated forces', power.impressed], ['constraints', power.constraint], ...working.map((c) => [`\u2003of which ${c.name}${c.power_unique ? '' : ' (a matter of the norm)'}`, c.power]),
    ['non-ideal forces', power.nonideal], ['what changes with time', power.explicit_time], ['dE/dt, from the energy itself', power.rate]];
  const rounding = 1e-13 * Math.max(...rows.map(([, value]) => Math.abs(value)));
  return table('Where the energy comes from, as a power', ['', 'power'],
    rows.filter(([name, value]) => Math.abs(value) > rounding || name.startsWith('dE')).map(([name, value]) => [name, number(value)]));
}

function workless({ workless: w, mechanics }) {
  if (!w || !mechanics) return null;
  if (w.empty) return element('p', { id: 'workless' }, 'No force that keeps these constraints is without work on this motion: they drive all of it.');
  if (!w.dimension && w.holds_ideal) return element('p', { id: 'workless' }, 'That constraint forces do no work on this motion would be enough to decide them here.');
  const example = w.example.filter((x) => x.value !== 0).slice(0, 6).map((x) => `${short(x.value, 4)} on ${x.name}`).join(', ');
  if (!w.holds_ideal) return element('p', { id: 'workless' }, `The force of these constraints, F^L, does work on this motion. Forces that keep them and do none: ${w.dimension ? `a set of ${w.dimension} dimension${w.dimension === 1 ? '' : 's'}, one of them` : 'one only'}: ${example}.`);
  return element('p', { id: 'workless' }, `Were constraint forces only asked to do no work on this motion, a set of ${w.dimension} dimension${w.dimension === 1 ? '' : 's'} would be left open; `
    + `that no virtual displacement meets work takes one of them. Another one: ${example}.`);
}

export function geometry(data) {
  const g = data.geometry;
  if (!g || !g.constraints.length) return null;
  return section('geometry', 'Constraints and their forces', natures(g), reasons(g), dependence(g), uniqueness(g),
    ...(split(g) ?? []), powers(g), workless(g));
}
