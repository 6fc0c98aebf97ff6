// Something to measure by eye: a faint grid with round spacing, beneath the motion or behind it, and the origin.
import { BufferGeometry, Color, Float32BufferAttribute, LineBasicMaterial, LineSegments } from 'three';
import { axisVector } from './frames.js';
import { colour } from './theme.js';

export function roundStep(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  const lead = size / power;
  return (lead < 2 ? 1 : lead < 5 ? 2 : 5) * power;
}

// The lines of a grid over two axes at a level of the third.
function gridLines(box, [a, b], level, third, reach) {
  const step = roundStep(box.size / 2);
  const vertices = [];
  const put = (i, x, j, y) => {
    const v = [0, 0, 0];
    v[i] = x;
    v[j] = y;
    v[third] = level;
    vertices.push(...v);
  };
  for (const [i, j] of [[a, b], [b, a]]) {
    const low = Math.floor((box.centre[i] - box.half[i] - reach) / step);
    const high = Math.ceil((box.centre[i] + box.half[i] + reach) / step);
    const from = Math.floor((box.centre[j] - box.half[j] - reach) / step) * step;
    const to = Math.ceil((box.centre[j] + box.half[j] + reach) / step) * step;
    for (let k = low; k <= high; ++k) {
      put(i, k * step, j, from);
      put(i, k * step, j, to);
    }
  }
  return vertices;
}

// The axes, from the origin one step of the grid long, where the origin is in sight; with their names.
export function axes(scene) {
  const { frames, box } = scene;
  if (box.centre.some((c, k) => Math.abs(c) > box.half[k] + 1.2 * box.size)) return [];
  const step = roundStep(box.size / 2);
  const shown = [...(frames.planar ? frames.plane : 'xyz')];
  const tips = shown.map((name) => axisVector(name).map((v) => v * step));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(tips.flatMap((tip) => [0, 0, 0, ...tip]), 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial());
  scene.scene.add(lines);
  scene.shapes.push({ paint: () => lines.material.color.copy(new Color(colour('curve'))) });
  return shown.map((text, i) => ({ text, place: tips[i], away: [4, -20] }));
}

export function ground(scene) {
  const { frames, box } = scene;
  const index = (name) => 'xyz'.indexOf(name);
  let axes = [0, 1, 2].filter((k) => k !== index(frames.up.at(-1)));
  let third = index(frames.up.at(-1));
  let level = box.centre[third] - axisVector(frames.up)[third] * (box.half[third] + 0.12 * box.size);
  let reach = 0.1 * box.size;
  if (frames.planar) {
    axes = [...frames.plane].map(index);
    third = 3 - axes[0] - axes[1];
    level = 0;
    reach = 8 * box.size; // beyond the edges of any window
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(gridLines(box, axes, level, third, reach), 3));
  const material = new LineBasicMaterial();
  scene.scene.add(new LineSegments(geometry, material));
  return { paint: () => material.color.copy(new Color(colour('grid'))) };
}
