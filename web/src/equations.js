// The equations of motion: displayed formulas set by KaTeX, and the words between them.
import katex from 'katex';
import { element, scroller, section } from './dom.js';
import { copyButton } from './share.js';

const DISPLAY = /\\\[([\s\S]*?)\\\]|\$\$([\s\S]*?)\$\$|(\\begin\{((?:align|equation|gather|multline)\*?)\}[\s\S]*?\\end\{\4\})/g;
const SHORT = 5000; // characters: about two screens
const options = { throwOnError: false, strict: 'ignore', trust: false, maxExpand: 10000 };

export function formula(latex, display) {
  const node = element(display ? 'div' : 'span', { class: display ? 'formula' : undefined });
  katex.render(latex, node, { ...options, displayMode: display });
  return node;
}

// Words with inline formulas between $ signs.
function words(text) {
  return text.trim().split(/\n\s*\n/).filter((paragraph) => paragraph.trim()).map((paragraph) =>
    element('p', {}, paragraph.trim().split(/\$([^$]*)\$/).map((part, i) => (i % 2 ? formula(part, false) : part))));
}

function displays(latex) {
  const nodes = [];
  let last = 0;
  for (const found of latex.matchAll(DISPLAY)) {
    nodes.push(...words(latex.slice(last, found.index)));
    nodes.push(scroller('Equation', formula(found[1] ?? found[2] ?? found[3], true)));
    last = found.index + found[0].length;
  }
  return [...nodes, ...words(latex.slice(last))];
}

// Long equations are set when somebody wants to see them.
function onRequest(set) {
  const details = element('details', {}, element('summary', {}, 'Show all equations'));
  let done = false;
  const open = () => {
    if (!done) details.append(set());
    done = true;
  };
  for (const event of ['toggle', 'wanted']) details.addEventListener(event, open);
  return details;
}

export function equations(data) {
  if (!data.latex && !data.latex_note) return null;
  const set = () => element('div', { class: 'displays' }, displays(data.latex));
  return section('equations', data.latex ? ['Equations of motion', copyButton('copy LaTeX', 'Copy the equations as LaTeX', () => data.latex)] : 'Equations of motion',
    data.latex ? (data.latex.length < SHORT ? set() : onRequest(set)) : null,
    data.latex_note ? element('p', { class: 'note' }, data.latex_note) : null);
}
