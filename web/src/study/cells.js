// A plane of two columns in cells: the places of a grid, or even bins; and what is in each.

const BINS_AT_MOST = 48;
const OWN_AT_MOST = 200; // values of a grid that are cells of their own

// A list of edges along one column.
export function edgesOf(column, axis) {
  const known = column.values.filter((v) => v !== null);
  const distinct = [...new Set(known)].sort((a, b) => a - b);
  const [scale, back] = column.log ? [Math.log10, (v) => 10 ** v] : [(v) => v, (v) => v];
  if (column.info?.kind === 'axis' && distinct.length <= OWN_AT_MOST) {
    const at = distinct.map(scale);
    const between = at.slice(1).map((v, i) => (v + at[i]) / 2);
    const first = at.length > 1 ? at[0] - (between[0] - at[0]) : at[0] - (Math.abs(at[0]) * 0.05 || 0.5);
    const last = at.length > 1 ? at.at(-1) + (at.at(-1) - between.at(-1)) : at[0] + (Math.abs(at[0]) * 0.05 || 0.5);
    return { edges: [first, ...between, last].map(back), grid: true };
  }
  const number = Math.min(BINS_AT_MOST, Math.max(6, Math.round(Math.sqrt(known.length) / 1.6)), Math.floor(Math.abs(axis.to - axis.from) / 7));
  let [low, high] = [scale(distinct[0] ?? 0), scale(distinct.at(-1) ?? 1)];
  if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
  return { edges: Array.from({ length: number + 1 }, (_, i) => back(low + (i * (high - low)) / number)), grid: false };
}

function place(edges, value) {
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (edges[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}

// The mean of `colour` over the members of each cell, or how many they are.
export function cellsOf(columns, x, y, colour, edges) {
  const cells = new Map();
  for (let row = 0; row < columns.members.length; ++row) {
    if (x.values[row] === null || y.values[row] === null) continue;
    const [i, k] = [place(edges.x, x.values[row]), place(edges.y, y.values[row])];
    const key = k * edges.x.length + i;
    let cell = cells.get(key);
    if (!cell) cells.set(key, cell = { i, k, rows: [], failed: 0, sum: 0, known: 0 });
    cell.rows.push(row);
    if (!columns.reached[row]) cell.failed += 1;
    const value = colour?.values[row];
    if (value !== undefined && value !== null) {
      cell.sum += value;
      cell.known += 1;
    }
  }
  for (const cell of cells.values()) cell.value = colour ? (cell.known ? cell.sum / cell.known : null) : cell.rows.length;
  return [...cells.values()];
}
