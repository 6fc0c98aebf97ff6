// Printing: everything that is folded opens, in light colours; afterwards all is as before.
import { retheme } from './theme.js';

export function readyForPaper() {
  let opened = [];
  let theme;
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open]):not(.more-chips)')];
    for (const details of opened) {
      details.dispatchEvent(new Event('wanted')); // what is set on request is set now
      details.open = true;
    }
    theme = document.documentElement.dataset.theme;
    retheme('light');
  });
  window.addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    retheme(theme);
  });
}
