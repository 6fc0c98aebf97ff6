// The report of a motion. The data stand in the page as JSON; web/README.md says what they are.
import { Clock } from './clock.js';
import { element } from './dom.js';
import { equations } from './equations.js';
import { geometry } from './geometry.js';
import { plots } from './plots.js';
import { replay } from './replay.js';
import { showStudy } from './study/study.js';
import { digitsSwitch, ending, happenings, keyFigures, origin, proof } from './tables.js';
import { themeButton } from './theme.js';
import { readyForPaper } from './paper.js';
import { transport } from './transport.js';

function header(data) {
  return element('header', {},
    element('div', { class: 'bar' }, element('span', { class: 'eyebrow' }, 'Vinculum \u00b7 motion report'), themeButton()),
    element('h1', {}, data.title),
    data.description ? element('p', { class: 'lede' }, data.description) : null,
    data.run.fine ? null : element('p', { class: 'warning', role: 'note' }, element('b', {}, data.end ? 'The motion ended early: ' : 'The motion did not begin: '), data.run.reason),
    data.verification.doubtful ? element('p', { class: 'warning', role: 'note' }, element('b', {}, 'How exact it is: '), data.verification.text) : null);
}

function motion(data, clock) {
  const drawn = replay(data, clock);
  const marks = [...data.events, ...data.contacts.map((c) => ({ time: c.time, name: `${c.name} ${c.sticks ? 'sticks' : 'slides'}` })),
    ...data.rank_changes.map((r) => ({ time: r.time, name: 'rank' }))];
  const linked = plots(data, clock);
  const stage = element('div', { class: 'stage' }, drawn.node, transport(clock, data.frames?.t ?? data.panels[0].t, marks),
    drawn.options, element('p', { class: 'hint by-mouse' }, drawn.hint), element('p', { class: 'hint by-touch' }, drawn.touch ?? 'Drag sideways across a plot to move the time.'));
  const held = data.run.held < data.run.samples ? `Of ${data.run.samples} recorded instants this page has ${data.run.held}, evenly chosen: what happens between them is in the files of the run only. ` : '';
  const thinned = held || data.thinned
    ? `${held}${data.run.held} ${held ? '' : 'recorded '}instants are thinned for drawing; ends and extremes${held ? ' of these' : ''} are kept, and every value shown is a recorded one.` : null;
  return {
    node: element('section', { id: 'motion', class: drawn.empty ? 'no-replay' : undefined, 'aria-label': 'Motion' }, keyFigures(data), stage,
      element('div', {}, linked.node, thinned ? element('p', { class: 'note' }, thinned) : null)),
    drawn: !drawn.empty,
    mount: () => { linked.mount(); drawn.mount(); },
  };
}

function show(data) {
  const root = document.getElementById('page');
  const clock = new Clock(data.run.from, data.run.time);
  const moving = data.panels.length ? motion(data, clock) : null;
  const below = element('div', { class: 'below' }, equations(data), proof(data), geometry(data), ending(data), happenings(data, clock), origin(data));
  below.querySelector('#proof h2')?.append(digitsSwitch(root));
  root.append(...[header(data), element('main', {}, moving?.node ?? keyFigures(data), below),
    element('footer', {}, `Made by vinculum ${data.version}. Everything shown is in this file.`)]);
  moving?.mount();
  readyForPaper();
  window.vinculum = { data, clock }; // for those who look at a report from the console, and for its test
  if (moving?.drawn && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) clock.play();
}

const data = JSON.parse(document.getElementById('data').textContent);
if (data.study) showStudy(data);
else show(data);
