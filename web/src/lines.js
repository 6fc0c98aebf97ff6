// How a series is told from its neighbours: a hue and a pattern of dashes, so that neither is needed alone.
import { SERIES_COLOURS } from './theme.js';

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
export const dashOf = (index) => DASHES[(index + Math.floor(index / SERIES_COLOURS)) % DASHES.length];

const SVG = 'http://www.w3.org/2000/svg';

// A short piece of the line; drawn, not a background, so that it is printed, too.
export function lineKey(index) {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'line');
  svg.setAttribute('class', 'key');
  svg.setAttribute('viewBox', '0 0 26 4');
  svg.setAttribute('aria-hidden', 'true');
  for (const [name, value] of Object.entries({ x1: 0, y1: 2, x2: 26, y2: 2, 'stroke-dasharray': dashOf(index).join(' ') }))
    line.setAttribute(name, value);
  svg.append(line);
  return svg;
}

// Series whose sizes differ by more than this cannot be read on one axis.
const APART = 30;
const AXES = 3;

// For each series the number of its axis: 0 for the largest, at most AXES of them.
export function axesOf(series) {
  const sizes = series.map((values) => values.reduce((most, v) => (v === null ? most : Math.max(most, Math.abs(v))), 0));
  const order = sizes.map((_, i) => i).filter((i) => sizes[i] > 0).sort((a, b) => sizes[b] - sizes[a]);
  const axes = sizes.map(() => 0);
  let axis = 0;
  let largest = sizes[order[0]];
  for (const i of order) {
    if (sizes[i] * APART < largest && axis + 1 < AXES) {
      axis += 1;
      largest = sizes[i];
    }
    axes[i] = axis;
  }
  return axes;
}
