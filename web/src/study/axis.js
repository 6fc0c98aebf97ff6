// Axes: from values to pixels, with round ticks whose texts have room.
import { short } from '../numbers.js';

const minus = (text) => text.replace(/-/g, '\u2212');

export function rangeOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
  return low <= high ? [low, high] : [0, 1];
}

// 1, 2, 5, 10, .. times a power of ten, from about `least` on.
function roundSteps(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10, 20, 50, 100].map((m) => m * power).filter((step) => step >= 0.999 * least);
}

// As many digits as tell one tick from the next.
function tickText(value, step) {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size >= 1e6 || size < 1e-4) return short(value, Math.max(1, Math.min(12, 1 + Math.ceil(Math.log10(size / step) - 1e-9))));
  return minus(value.toFixed(Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))));
}

function evenTicks(low, high, room) {
  let ticks = [];
  for (const step of roundSteps((high - low) / 12)) {
    ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && ticks.length < 40; ++k) {
      const value = Number((k * step).toPrecision(12));
      ticks.push({ value, text: tickText(value, step) });
    }
    if (room(ticks)) return ticks;
  }
  return ticks.slice(0, 1);
}

const DECADE = [1, 2, 5];
function logTicks(low, high, room) {
  const decades = (some) => {
    const ticks = [];
    for (let e = Math.floor(low); e <= Math.ceil(high); ++e)
      for (const m of some) {
        const place = e + Math.log10(m);
        if (place >= low - 1e-9 && place <= high + 1e-9) ticks.push({ value: Number(`${m}e${e}`), text: short(Number(`${m}e${e}`), 2) });
      }
    return ticks;
  };
  for (const some of [DECADE, [1, 3], [1]]) {
    const ticks = decades(some);
    if (ticks.length > 1 && room(ticks)) return ticks;
  }
  const all = decades([1]);
  if (all.length < 2) return evenTicks(10 ** low, 10 ** high, room);
  for (let by = 2; ; ++by) {
    const ticks = all.filter((_, i) => i % by === 0);
    if (room(ticks) || ticks.length < 2) return ticks;
  }
}

// `range`: what it shows; `air`: how much more, of its length. `room(ticks)`: whether there is room for them.
export function axisOf([least, largest], { from, to, log = false, air = 0.04, width = (text) => 7 * text.length, across = true }) {
  const scale = log ? Math.log10 : (v) => v;
  let [low, high] = [scale(least), scale(largest)];
  if (!(high > low)) {
    const half = log ? 0.3 : Math.abs(low) * 0.1 || 1;
    [low, high] = [low - half, high + half];
  } else {
    [low, high] = [low - air * (high - low), high + air * (high - low)];
  }
  const length = Math.abs(to - from);
  const at = (v) => from + ((scale(v) - low) / (high - low)) * (to - from);
  const room = (ticks) => ticks.every((tick, i) => i === 0 || Math.abs(at(tick.value) - at(ticks[i - 1].value))
    >= (across ? (width(tick.text) + width(ticks[i - 1].text)) / 2 + 14 : 26)) && ticks.length <= Math.max(2, length / 40);
  const ticks = log ? logTicks(low, high, room) : evenTicks(low, high, room);
  return { at, ticks, from, to, value: (pixel) => { const v = low + ((pixel - from) / (to - from)) * (high - low); return log ? 10 ** v : v; } };
}
