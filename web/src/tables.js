// What the run says about itself, in tables: key figures, certificate, residuals, the end, where it comes from.
import { element, scroller, section } from './dom.js';
import { count, number, short, showAllDigits } from './numbers.js';

export function table(label, head, rows) {
  const cell = (tag) => (content, column) =>
    element(tag, { class: column > 0 && head[column] !== '' ? 'n' : undefined, scope: tag === 'th' ? 'col' : undefined }, content);
  const row = ([name, ...cells]) => element('tr', {}, element('th', { scope: 'row' }, name),
    cells.map((content, i) => cell('td')(content, i + 1)));
  const node = scroller(label, element('table', {}, element('caption', {}, label),
    element('thead', {}, element('tr', {}, head.map((content, i) => cell('th')(content, i)))),
    element('tbody', {}, rows.map(row))));
  if (rows.length > 30) node.classList.add('tall');
  return node;
}

const verdict = (holds) => element('span', { class: holds ? 'good' : 'bad' }, holds ? 'holds' : 'does not hold');

export function keyFigures(data) {
  const { run, energy, residuals, certificates } = data;
  if (!data.end) return '';
  const worst = Math.max(0, ...residuals.flatMap((r) => [r.position, r.velocity]));
  const figure = (name, value, more) => element('div', {}, element('dt', {}, name), element('dd', {}, value),
    more ? element('dd', { class: 'more' }, more) : null);
  const certified = certificates.filter((c) => c.checks);
  return element('dl', { class: 'figures' },
    figure('Ended', ['t\u2009=\u2009', number(run.time, 6)], run.fine ? run.stop : element('span', { class: 'bad' }, run.stop)),
    figure('Degrees of freedom', count(data.end.velocities.length - data.end.rank),
      `${count(data.end.velocities.length)} ${data.end.velocities.length === 1 ? 'velocity' : 'velocities'}, rank ${count(data.end.rank)}`),
    residuals.length ? figure('Worst miss of a constraint', number(worst, 2), `over ${count(run.steps)} steps`) : null,
    energy ? figure('Energy not accounted for', number(energy.drift, 2), `from ${short(energy.start, 4)} at the start`) : null,
    agreement(data, figure),
    certified.length ? figure('Certificate of instants', verdict(certified.every((c) => c.holds)),
      `at ${certified.map((c) => c.label).join(' and ')}`) : null);
}

/** How many digits of the motion are right, as far as a second computation of it can tell. */
function agreement({ verification }, figure) {
  if (!verification.text) return null;
  if (verification.digits === null) return figure('Digits that agree', 'not known', 'not verified');
  const value = verification.doubtful ? element('span', { class: 'bad' }, count(verification.digits)) : count(verification.digits);
  return figure('Digits that agree', value, verification.doubtful ? `trusted until t = ${short(verification.trusted_until, 4)}`
    : `of ${verification.of} at the end, the fewest`);
}

/** The certificate is one of instants; about the motion between them only a second computation says something. */
function verified({ verification }) {
  if (!verification.text) return null;
  return element('p', { id: 'verification' }, element('b', {}, verification.digits === null ? 'The motion is not verified: ' : 'The motion: '), `${verification.text}.`);
}

const CHECKS = {
  constraint_residual: 'Constraints satisfied',
  virtual_work: 'No virtual work',
  gauss_gap: 'Gauss\u2019s function least',
  kkt_residual: 'Newton\u2019s law balanced',
  nonideal_work: 'Virtual work is that of C',
};

function certificateTable(certificate) {
  if (!certificate.checks) return element('p', { class: 'note' }, `At the ${certificate.label}: ${certificate.text}`);
  return table(`At the ${certificate.label}, t = ${certificate.time}`, ['', 'measured', 'bound', ' '],
    certificate.checks.map((check) => [CHECKS[check.name], number(check.value, 2), number(check.bound, 2), verdict(check.holds)]));
}

function certificates(data) {
  if (!data.certificates.length) return null;
  return [element('p', {}, 'The acceleration satisfies the constraints, their forces do no work in virtual displacements, Gauss\u2019s function '
    + 'is least, and Newton\u2019s law holds with Lagrange\u2019s multipliers: statements about the instant named, each relative '
    + 'and measured apart from the road that found it, beside the bound that rounding sets.'),
  element('div', { class: 'pair' }, data.certificates.map(certificateTable)),
  data.certificates.some((c) => c.checks?.length < 4)
    ? element('p', { class: 'note' }, 'Statements that are not listed were not looked at: in a system of this size they take too long.') : null];
}

const ORDER = ['positions', 'velocities', 'accelerations'];

function residualTable(data) {
  if (!data.residuals.length) return element('p', {}, 'The motion has no constraints.');
  return table('Worst miss of each constraint over all accepted states, in the units of its equation',
    ['constraint', 'position', 'velocity', 'acceleration', 'on'],
    data.residuals.map((r) => [r.name, number(r.position, 3), number(r.velocity, 3), number(r.acceleration, 3), ORDER[r.order]]));
}

export function proof(data) {
  if (!data.end) return null;
  return section('proof', 'Certificate of instants, and residuals', verified(data), ...(certificates(data) ?? []), residualTable(data));
}

function energyTable({ energy }) {
  if (!energy) return null; // no mechanics, no energy
  const rows = [['at the start', energy.start], ['work of stated forces', energy.impressed],
    ['work of constraint forces', energy.constraint], ['work of control forces', energy.control], ['work of non-ideal forces', energy.nonideal],
    ['work of what changes with time', energy.explicit_time], ['at the end', energy.end], ['not accounted for', energy.drift]];
  return table('Energy', ['', 'value'], rows.filter(([name, value]) => value !== 0 || !name.startsWith('work'))
    .map(([name, value]) => [name, number(value)]));
}

/** What each programme took over the whole motion, and how well it was followed. */
function controlTable({ controls }) {
  if (!controls.length) return null;
  return table('Programmes: control forces over all accepted states, and how far phi was from zero',
    ['programme', 'largest force', 'at', 'largest power', 'at', 'missed at the start', 'at the end'],
    controls.map((c) => [c.name, number(c.largest_force), number(c.largest_force_time), number(c.largest_power),
      number(c.largest_power_time), number(c.miss_start, 3), number(c.miss_end, 3)]));
}

export function ending(data) {
  const { run, end } = data;
  if (!end) return null; // the head of the page says why
  const forces = end.velocities.some((v) => v.constraint_force !== 0);
  const control = data.controls.length > 0;
  const nonideal = end.velocities.some((v) => v.nonideal_force !== 0);
  const there = (cells) => cells.filter((cell) => cell !== false);
  const values = (label, list) => (list.length ? table(label, ['', 'value'], list.map((x) => [x.name, number(x.value)])) : null);
  const parts = [element('p', { id: 'reason' }, run.reason),
    element('div', { class: 'pair' }, values('Coordinates', end.coordinates), energyTable(data)),
    table('Velocities and forces', there(['', 'velocity', 'acceleration', forces && 'constraint force', control && 'control force', nonideal && 'non-ideal force']),
      end.velocities.map((v) => there([v.name, number(v.value), number(v.acceleration),
        forces && number(v.constraint_force), control && number(v.control_force), nonideal && number(v.nonideal_force)]))),
    element('div', { class: 'pair' }, values('Multipliers', end.multipliers), values('Outputs', end.outputs)),
    controlTable(data)];
  return section('end', `The end, t = ${short(run.time, 10)}`, ...parts);
}

const FIRST = 12;

export function happenings(data, clock) {
  const jump = (time) => element('button', { class: 'time', type: 'button', onclick: () => { clock.pause(); clock.set(time); } },
    't\u2009=\u2009', number(time, 8));
  const items = [
    ...data.events.map((e) => ({ time: e.time, text: [element('b', {}, e.name), e.rising ? ' rises through zero' : ' falls through zero'] })),
    ...data.contacts.map((c) => ({ time: c.time, text: ['friction of ', element('b', {}, c.name), c.sticks ? ' begins to stick' : ' begins to slide'] })),
    ...data.rank_changes.map((r) => ({
      time: r.time, text: [`rank ${r.at} (before ${r.before}, after ${r.after}): `, r.constraints.join(', ')],
    })),
  ].sort((a, b) => (a.time - b.time) * clock.direction);
  if (!items.length && !data.notes.length) return null;
  const list = (some) => element('ul', { class: 'events' }, some.map(({ time, text }) => element('li', {}, jump(time), element('span', {}, text))));
  return section('happenings', 'On the way',
    items.length ? list(items.slice(0, FIRST)) : null,
    items.length > FIRST ? element('details', {}, element('summary', {}, `${count(items.length - FIRST)} more`), list(items.slice(FIRST))) : null,
    data.notes.map((note) => element('p', { class: 'note' }, note)));
}

export function origin(data) {
  const { run } = data;
  const settings = [...data.settings, ['steps', count(run.steps)], ['rejected steps', count(run.rejected)],
    ['evaluations of the acceleration', count(run.evaluations)], ['recorded instants', count(run.samples)],
    ['computed in', `${short(run.seconds, 3)} s`], ['made by', `vinculum ${data.version}`]];
  return section('origin', 'The model and its settings',
    element('div', { class: 'pair wide-first' },
      data.text ? element('figure', {}, element('figcaption', {}, data.path),
        element('pre', { tabindex: 0, 'aria-label': 'Model text' }, element('code', {}, data.text))) : null,
      table('Settings', ['', ' '], settings.map(([name, value]) => [name, value]))));
}

export function digitsSwitch(root) {
  return element('label', { class: 'switch' },
    element('input', { id: 'digits', type: 'checkbox', onchange: (event) => showAllDigits(root, event.target.checked) }),
    ' all digits');
}
