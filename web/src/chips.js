// The names beneath a plot: each a switch with its line and its value. Of many the shown ones stand first, the
// others are found by searching; parts of quaternions and what is zero wait in a drawer.
import { element } from './dom.js';
import { lineKey } from './lines.js';

const CHIPS_AT_FIRST = 12;
const FOUND_AT_MOST = 60;

export class Chips {
  // `toggle(i)` is called when a series is switched.
  constructor(plot, toggle) {
    this.plot = plot;
    this.toggle = toggle;
    this.series = plot.panel.series;
    this.chips = new Map();
    this.main = this.row([]);
    this.found = this.row([]);
    this.drawer = this.makeDrawer();
    this.nodes = [this.main, this.drawer];
    this.arrange();
  }

  row(chips) {
    const longest = Math.min(24, Math.max(...this.series.map((s) => s.name.length)));
    return element('div', { class: 'chips', style: `--width:${154 + 7.5 * longest}px` }, chips);
  }

  makeDrawer() {
    const { title } = this.plot.panel;
    this.search = element('input', {
      type: 'search', class: 'search', placeholder: 'search', 'aria-label': `Search the series of ${title}`, oninput: () => this.arrange(),
    });
    this.summary = element('summary', {});
    return element('details', { class: 'more-chips' }, this.summary, this.search, this.found);
  }

  chip(i) {
    if (!this.chips.has(i)) {
      const value = element('output', {});
      const button = element('button', {
        type: 'button', class: 'chip', style: `--c:var(--series-${i % 8})`, onclick: () => { this.toggle(i); this.arrange(); },
      }, lineKey(i), element('span', {}, this.series[i].name), value);
      this.chips.set(i, { button, value });
    }
    const chip = this.chips.get(i);
    chip.button.setAttribute('aria-pressed', String(this.plot.shown[i]));
    return chip;
  }

  // Shown ones and the first others above; the rest in the drawer, as the search finds them.
  arrange() {
    const all = this.series.map((_, i) => i);
    const plain = all.filter((i) => !this.series[i].folded);
    const above = new Set(plain.length <= CHIPS_AT_FIRST ? plain : plain.filter((i) => this.plot.shown[i]));
    for (const i of all) if (this.plot.shown[i]) above.add(i);
    const rest = all.filter((i) => !above.has(i));
    const words = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const hits = rest.filter((i) => words.every((word) => this.series[i].name.toLowerCase().includes(word)));
    this.main.replaceChildren(...[...above].sort((a, b) => a - b).map((i) => this.chip(i).button));
    const left = hits.length - FOUND_AT_MOST;
    this.found.replaceChildren(...hits.slice(0, FOUND_AT_MOST).map((i) => this.chip(i).button),
      ...(left > 0 ? [element('small', {}, `and ${left} more: search for them`)] : []));
    const folded = rest.every((i) => this.series[i].folded);
    this.summary.textContent = `${rest.length} more${folded ? ': zero throughout, or part of a quaternion' : ''}`;
    this.drawer.hidden = rest.length === 0;
    this.search.hidden = rest.length <= CHIPS_AT_FIRST;
    this.plot.say?.();
  }

  // Values beneath: of those that are in the page at the moment.
  say(text) {
    for (const [i, { button, value }] of this.chips) if (button.isConnected || !this.plot.u) value.textContent = text(i);
  }
}
