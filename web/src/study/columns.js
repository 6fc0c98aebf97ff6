// The numbers of a study as columns, one value for each member that the page holds.

const MEMBER = { key: 'member', group: 'Members', name: 'number of the member', unit: '', kind: 'member' };

// What spans so many decades is read on a logarithmic axis.
const DECADES = 2.5;

function logarithmic(info) {
  if (info.kind === 'log') return true;
  const { log, bins } = info.distribution;
  if (!log) return false;
  if (info.kind === 'axis') return isGeometric(info.values);
  return !['uniform', 'normal'].includes(info.kind) && log.width * log.reached.length > DECADES && bins.reached.length > 0;
}

// 1, 10, 100, ..: the same factor from each to the next.
function isGeometric(values) {
  if (!values || values.length < 3 || values[0] <= 0 || values[1] === values[0]) return false;
  const factor = values[1] / values[0];
  const step = values[1] - values[0];
  const even = values.every((v, i) => Math.abs(v - values[0] - i * step) < 1e-6 * Math.abs(step));
  return !even && values.every((v, i) => i === 0 || Math.abs(v / values[i - 1] / factor - 1) < 1e-3);
}

export const labelled = ({ name, unit }) => (unit ? `${name} [${unit}]` : name);

export class Columns {
  constructor({ study, motions }) {
    const { points } = study;
    const of = (kind, group, list, values) => list.map((info, k) => ({
      key: `${kind}:${k}`, group, kind, info, name: info.name, unit: info.unit, values: values[k], log: logarithmic(info),
    }));
    this.varied = of('varied', 'What varies', study.varied, points.varied);
    this.kept = of('kept', 'What is kept', study.kept, points.kept);
    this.all = [...this.varied, ...this.kept, { ...MEMBER, values: points.member }];
    this.members = points.member;
    this.reached = points.status.map((code) => code < 2);
    this.status = (row) => study.statuses[points.status[row]];
    this.reason = (row) => points.reasons[points.member[row]] ?? motions.find((m) => m.member === points.member[row])?.run.reason ?? '';
    this.rowOf = new Map(points.member.map((member, row) => [member, row]));
    this.shown = new Map(motions.map((motion) => [motion.member, motion]));
  }

  get(key) {
    return this.all.find((column) => column.key === key);
  }
}
