// A scale of colours that everybody can tell apart (viridis, of matplotlib): ends that would drown in the paper are left out.
import { isDark } from '../theme.js';

const VIRIDIS = ['440154', '482878', '3e4989', '31688e', '26828e', '1f9e89', '35b779', '6ece58', 'b5de2b', 'fde725']
  .map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)));

// Colour of a share between 0 and 1.
export function shade(share) {
  const [from, to] = isDark() ? [0.2, 1] : [0, 0.93];
  const place = (from + Math.min(1, Math.max(0, share)) * (to - from)) * (VIRIDIS.length - 1);
  const k = Math.min(VIRIDIS.length - 2, Math.floor(place));
  const part = place - k;
  return `rgb(${VIRIDIS[k].map((c, i) => Math.round(c + part * (VIRIDIS[k + 1][i] - c))).join(',')})`;
}
