// A study in numbers: how many, which failed and why, means and deviations.
import { element, section } from '../dom.js';
import { count, number, short } from '../numbers.js';
import { table } from '../tables.js';
import { labelled } from './columns.js';

const LONGEST = 240; // letters of a reason

// The words of the program, for those who do not know them.
const MEANING = {
  start: 'their start breaks a constraint, or is refused', step: 'the step became too small', not_finite: 'a number was not finite',
  contradiction: 'constraints contradicted each other', singular: 'the equations were singular', model: 'no model has these values',
};

export function figures({ study, motions }) {
  const figure = (name, value, more) => element('div', {}, element('dt', {}, name), element('dd', {}, value), more ? element('dd', { class: 'more' }, more) : null);
  const failed = study.computed - study.reached;
  const grid = study.varied.filter((v) => v.kind === 'axis');
  const table = study.varied.filter((v) => v.kind === 'table');
  const draws = study.varied.length - grid.length - table.length;
  const how = [table.length ? `${count(table[0].count)} row${table[0].count === 1 ? '' : 's'} of a table` : null,
    grid.length ? `a grid of ${grid.map((v) => count(v.count)).join(' \u00d7 ')}` : null,
    draws ? `${count(study.draws)} draw${study.draws === 1 ? '' : 's'}${grid.length ? ' at each place' : ''}${study.sampling === 'sobol' ? ' of Sobol\u2019s sequence' : ''}, seed ${study.seed}` : null].filter(Boolean).join('; ');
  return element('dl', { class: 'figures' },
    figure('Members', count(study.computed), study.complete ? how : `of ${count(study.members)}, so far`),
    figure('Reached the end', count(study.reached), study.computed ? `${short((100 * study.reached) / study.computed, 4)} %` : null),
    figure('Failed', failed ? element('span', { class: 'bad' }, count(failed)) : '0', study.failed.map((f) => `${count(f.count)} ${f.status}`).join(', ') || 'none'),
    figure('What varies', count(study.varied.length), shortened(study.varied.map((v) => v.name).join(', '))),
    figure('Motions on this page', count(motions.length), motions.length < study.computed ? 'of chosen members' : 'all of them'));
}

const shortened = (text) => (text.length > 40 ? `${text.slice(0, 39)}\u2026` : text);

function memberButton(member, columns, choose) {
  const row = columns.rowOf.get(member);
  if (row === undefined) return String(member);
  return element('button', { class: 'time', type: 'button', 'data-member': member, onclick: () => choose(row, true) }, `member ${member}`);
}

export function numbersTable({ study }, columns, choose) {
  if (!columns.kept.length) return null;
  const rows = columns.kept.map((column) => {
    const { info } = column;
    return [labelled(column), number(info.mean, 7), number(info.deviation, 5), number(info.min, 7), number(info.max, 7),
      info.min_member === null ? '' : memberButton(info.min_member, columns, choose), info.max_member === null ? '' : memberButton(info.max_member, columns, choose), count(info.count)];
  });
  return section('numbers', 'Means and extremes',
    element('p', { class: 'note' }, `Over ${study.reached === study.computed ? 'all members' : 'the members that reached their end'}; the deviation is that of the sample.`),
    table('What is kept', ['', 'mean', 'deviation', 'least', 'largest', 'least in', 'largest in', 'members'], rows));
}

export function failures({ study }, columns, choose) {
  if (!study.failed.length) return null;
  return section('failures', 'Members that failed', study.failed.map((failure) => element('div', { class: 'failure' },
    element('h3', {}, `${count(failure.count)} ended with \u2018${failure.status}\u2019`, MEANING[failure.status] ? element('small', {}, ` ${MEANING[failure.status]}`) : null),
    element('ul', { class: 'events' }, failure.first.map(({ member, reason }) => {
      const words = reason || columns.reason(columns.rowOf.get(member) ?? -1);
      return element('li', {}, memberButton(member, columns, choose), element('span', {}, words.length > LONGEST ? `${words.slice(0, LONGEST)}\u2026` : words));
    })),
    failure.count > failure.first.length ? element('p', { class: 'note' }, `and ${count(failure.count - failure.first.length)} more; on the map they are red crosses`) : null)));
}

// The command line's words for what stands among the settings anyway; how many instants a member by itself would record.
const TOLD_TWICE = new Set(['--until', '--tolerance', '--absolute-tolerance', '--step', '--integrator', '--closure', 'samples']);

export function origin(data) {
  const { study } = data;
  const way = (v) => (v.kind === 'table' ? `${count(v.count)} row${v.count === 1 ? '' : 's'} of a table, from ${short(v.a, 6)} to ${short(v.b, 6)}` : v.kind === 'axis' ? `${count(v.count)} value${v.count === 1 ? '' : 's'} from ${short(v.a, 6)} to ${short(v.b, 6)}`
    : `${{ normal: 'normal, mean {} and deviation {}', uniform: 'uniform between {} and {}', log: 'log-uniform between {} and {}' }[v.kind].replace('{}', short(v.a, 6)).replace('{}', short(v.b, 6))}`);
  const settings = [...study.varied.map((v) => [labelled(v), way(v)]),
    ...(study.draws === null ? [] : [['draws', `${count(study.draws)}${study.sampling === 'sobol' ? ' of Sobol\u2019s sequence' : ''}`], ['seed', String(study.seed)]]),
    ...data.settings.filter(([name]) => !TOLD_TWICE.has(name)), ['made by', `vinculum ${data.version}`]];
  return section('origin', 'The model and its study',
    [...study.told, ...study.notes].map((text) => element('p', { class: 'note' }, text)),
    element('div', { class: 'pair wide-first' },
      data.text ? element('figure', {}, element('figcaption', {}, data.path), element('pre', { tabindex: 0, 'aria-label': 'Model text' }, element('code', {}, data.text))) : null,
      table('What varies, and the settings', ['', ' '], settings)));
}
