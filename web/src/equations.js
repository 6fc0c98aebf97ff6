// The equations of motion: displayed formulas set by KaTeX, and the words between them.
import katex from 'katex';
import { element, scroller, section } from './dom.js';

const DISPLAY = /\\\[([\s\S]*?)\\\]|\$\$([\s\S]*?)\$\$|(\\begin\{((?:align|equation|gather|multline)\*?)\}[\s\S]*?\\end\{\4\})/g;
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

export function equations(data) {
  if (!data.latex && !data.latex_note) return null;
  return section('equations', 'Equations of motion',
    data.latex ? element('div', { class: 'displays' }, displays(data.latex)) : null,
    data.latex_note ? element('p', { class: 'note' }, data.latex_note) : null);
}
