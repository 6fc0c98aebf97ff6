// The page of a study. web/README.md says what its data are.
import { element } from '../dom.js';
import { count } from '../numbers.js';
import { readyForPaper } from '../paper.js';
import { themeButton } from '../theme.js';
import { Columns } from './columns.js';
import { barsOf, histograms } from './histograms.js';
import { StudyMap } from './map.js';
import { MemberView } from './member.js';
import { Trajectories } from './trajectories.js';
import { failures, figures, numbersTable, origin } from './summary.js';

function header(data) {
  const { study } = data;
  return element('header', {},
    element('div', { class: 'bar' }, element('span', { class: 'eyebrow' }, 'Vinculum \u00b7 study of motions'), themeButton()),
    element('h1', {}, data.title),
    data.description ? element('p', { class: 'lede' }, data.description) : null,
    study.complete ? null : element('p', { class: 'warning', role: 'note' }, element('b', {}, 'Not all members are there: '),
      `${count(study.computed)} of ${count(study.members)} were computed when the program ended.`));
}

export function showStudy(data) {
  for (const motion of data.motions) motion.certificates = [];
  const root = document.getElementById('page');
  const columns = new Columns(data);
  window.vinculum = { data, columns, clock: null, bars: barsOf }; // for the console, and for the test
  const any = columns.members.length > 0;
  const choose = (row, scroll = false) => {
    map.show(row);
    member.show(row);
    if (scroll) member.node.scrollIntoView({ block: 'center' });
  };
  const map = new StudyMap(columns, data.study, choose);
  const member = new MemberView(data, columns, choose);
  const spread = histograms(columns, data);
  const trajectories = new Trajectories(data.study);
  const explore = element('section', { id: 'explore', 'aria-label': 'Members' }, map.node, member.node);
  const below = element('div', { class: 'below' }, any ? member.below : null, trajectories.node, spread.node, numbersTable(data, columns, choose), failures(data, columns, choose), origin(data));
  root.append(header(data), element('main', {}, figures(data), any ? explore : null, below),
    element('footer', {}, `Made by vinculum ${data.version}. Everything shown is in this file.`));
  window.vinculum.map = map;
  window.vinculum.member = member;
  if (any) {
    map.mount();
    const here = data.motions.filter((m) => columns.rowOf.has(m.member) && m.panels.length);
    const first = here.find((m) => m.why.split(', ').includes(`the largest ${data.study.kept[0]?.name}`)) ?? here.find((m) => m.run.fine) ?? here[0];
    choose(columns.rowOf.get(first?.member) ?? 0);
  }
  trajectories.mount();
  spread.mount();
  readyForPaper();
}
