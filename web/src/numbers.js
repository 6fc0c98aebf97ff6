// Numbers as text. In tables a number carries all its digits; how many are shown is the reader's choice.
import { element } from './dom.js';

const minus = (text) => text.replace(/-/g, '\u2212');

// `digits` significant ones, without zeros that say nothing.
export function short(value, digits = 6) {
  if (value === null || value === undefined) return '\u2013';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return minus(`${trim(mantissa)}e${Number(exponent)}`);
  }
  return minus(String(Number(value.toPrecision(digits))));
}

// With a fixed number of digits after the point, so that a running number does not dance.
export function steady(value, step) {
  if (value === null || value === undefined) return '\u2013';
  const decimals = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(step || 1))));
  const size = Math.abs(value);
  if (size >= 1e7) return minus(value.toExponential(4));
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : minus(text); // a zero has no sign
}

function trim(text) {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

// A number in a table: `data` holds every digit, the text as many as asked for.
export function number(value, digits = 10) {
  const exact = value === null || value === undefined ? 'not finite' : String(value);
  const node = element('data', { value: exact, title: exact }, short(value, digits));
  node.dataset.short = node.textContent;
  return node;
}

export function showAllDigits(root, all) {
  for (const node of root.querySelectorAll('data[data-short]'))
    node.textContent = all ? minus(node.value) : node.dataset.short;
}

export function count(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
