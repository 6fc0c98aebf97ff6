// Play, pause, scrub and speed, by pointer and by keyboard.
import { element } from './dom.js';
import { short, steady } from './numbers.js';

// One turn should take some seconds: real time where that is so, else the nearest round rate.
export function speeds(length) {
  let base = 1;
  if (length > 0 && (length < 3 || length > 40)) {
    const rate = length / 12;
    const power = 10 ** Math.floor(Math.log10(rate));
    base = [1, 2, 5, 10].map((m) => m * power).reduce((a, b) => (Math.abs(b - rate) < Math.abs(a - rate) ? b : a));
  }
  return { base, choices: [0.1, 0.25, 0.5, 1, 2, 4, 10].map((factor) => factor * base) };
}

const PLAY = 'M5 3.2v13.6L16.5 10z';
const PAUSE = 'M5 3.5h3.6v13H5zM11.4 3.5H15v13h-3.6z';

function icon() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.append(path);
  return { svg, path };
}

export function transport(clock, instants, marks) {
  const { svg, path } = icon();
  const play = element('button', { id: 'play', class: 'play', type: 'button', onclick: () => clock.toggle() }, svg);
  const slider = element('input', {
    id: 'time', type: 'range', min: 0, max: clock.length || 1, step: 'any', value: 0, 'aria-label': 'Time',
    oninput: () => clock.setElapsed(Number(slider.value)),
  });
  const shown = element('output', { id: 'now', for: 'time' });
  const { base, choices } = speeds(clock.length);
  const speed = element('select', {
    id: 'speed', 'aria-label': 'Speed', onchange: () => { clock.speed = Number(speed.value); },
  }, choices.map((value) => element('option', { value, selected: value === base }, `${short(value, 3)}\u00d7`)));
  clock.speed = base;
  const ticks = element('div', { class: 'ticks' }, marks.map((mark) => tick(clock, mark, marks.length)));

  clock.listen(() => {
    slider.value = clock.elapsed;
    slider.style.setProperty('--done', `${(100 * clock.elapsed) / (clock.length || 1)}%`);
    const text = steady(clock.time, clock.length / 1000);
    slider.setAttribute('aria-valuetext', `t = ${text}`);
    shown.textContent = text;
    path.setAttribute('d', clock.playing ? PAUSE : PLAY);
    play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
  });
  for (const control of [play, slider, speed]) control.disabled = clock.length === 0;
  listenToKeys(clock, instants);
  return element('div', { class: 'transport', role: 'group', 'aria-label': 'Replay' },
    play, element('div', { class: 'track' }, slider, ticks),
    element('span', { class: 'now' }, element('i', {}, 't'), ' = ', shown), speed);
}

const TICKS_TO_PRESS = 60; // of more a finger or a pointer finds none

// A mark on the time, which tells its name and goes there when pressed.
function tick(clock, { time, name }, count) {
  const part = Math.abs(time - clock.from) / (clock.length || 1);
  const style = `left:${100 * part}%`;
  if (count > TICKS_TO_PRESS) return element('i', { style, title: name });
  const text = `${name}, t = ${short(time, 6)}`;
  return element('button', {
    class: `tick${part > 0.8 ? ' late' : part < 0.2 ? ' early' : ''}`, type: 'button', style, 'data-name': text, 'aria-label': text,
    onclick: () => { clock.pause(); clock.set(time); },
  });
}

// The instant `by` places further along the recorded ones.
function step(clock, instants, by) {
  const elapsed = instants.map((t) => Math.abs(t - clock.from));
  const margin = 1e-9 * clock.length;
  let place = elapsed.findIndex((s) => s >= clock.elapsed - margin);
  if (place < 0) place = elapsed.length - 1;
  if (by < 0 || elapsed[place] <= clock.elapsed + margin) place += by;
  else place += by - 1;
  clock.pause();
  clock.setElapsed(elapsed[Math.min(elapsed.length - 1, Math.max(0, place))]);
}

// Of several transports, one after the other, the last one has the keys.
let listening = null;

function listenToKeys(clock, instants) {
  listening?.abort();
  listening = new AbortController();
  const moves = {
    ' ': () => clock.toggle(),
    ArrowLeft: (event) => step(clock, instants, event.shiftKey ? -10 : -1),
    ArrowRight: (event) => step(clock, instants, event.shiftKey ? 10 : 1),
    Home: () => clock.setElapsed(0),
    End: () => { clock.pause(); clock.setElapsed(clock.length); },
  };
  document.addEventListener('keydown', (event) => {
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey || clock.length === 0) return;
    const target = event.target;
    const onSlider = target.id === 'time';
    // Keys that a focused control uses itself stay with it.
    if (!onSlider && target.matches('input, select, textarea')) return;
    if (event.key === ' ' && target.matches('button, summary, a')) return;
    if (event.key !== ' ' && !onSlider && target.closest('.scroller, pre')) return;
    if ((event.key === 'Home' || event.key === 'End') && !onSlider && target !== play()) return;
    event.preventDefault();
    move(event);
  }, { signal: listening.signal });
}
const play = () => document.getElementById('play');
