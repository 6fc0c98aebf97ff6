// Light or dark: as the system says, until the reader chooses. Colours live in style.css alone.
import { element } from './dom.js';

const system = window.matchMedia('(prefers-color-scheme: dark)');
let listeners = [];

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : system.matches;
}

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export const SERIES_COLOURS = 8;
export const seriesColour = (index) => colour(`series-${index % SERIES_COLOURS}`);

export function onTheme(listener) {
  listeners.push(listener);
}

// What `make` shows listens until what this gives is called; `make` may give something to call then, too.
export function during(make) {
  const before = new Set(listeners);
  const leave = make();
  const own = new Set(listeners.filter((listener) => !before.has(listener)));
  return () => {
    leave?.();
    listeners = listeners.filter((listener) => !own.has(listener));
  };
}

// Light or dark whatever the system says; without a value as it says.
export function retheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  for (const listener of listeners) listener();
}

export function themeButton() {
  const button = element('button', { class: 'quiet', id: 'theme', type: 'button' });
  const label = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Use ${isDark() ? 'light' : 'dark'} colours`);
  };
  const change = () => {
    label();
    for (const listener of listeners) listener();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    change();
  });
  system.addEventListener('change', change);
  label();
  return button;
}
