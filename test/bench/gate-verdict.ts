/** What pairs of figures of two commits say: which is faster, by how much, and how sure that is. */

import { claim, type Figure, median } from './figure.ts';

/** Ratios above 1: what is checked out is faster than the base. */
export interface Compared {
  readonly row: string;
  readonly ratio: number;
  /** The middle half of the ratios of the pairs. */
  readonly from: number;
  readonly to: number;
}

/** A tenth: fifteen pairs of the same commit stay within a twentieth. */
const SLOWER = 0.9;

/** The figures of the base and of what is checked out, which are to be of the same thing. */
export function pairOf(base: Figure, head: Figure): readonly [number, number] {
  claim(base.data === head.data, `${base.name} was measured on ${base.data}, and then on ${head.data}`);
  return [base.value, head.value];
}

/** Pairs of a row: the base's figure, and that of what is checked out; more is better. */
export function compareRow(row: string, pairs: readonly (readonly [number, number])[]): Compared {
  claim(pairs.length > 0, `${row} was not measured`);
  const ratios = pairs.map(([base, head]) => head / base).sort((a, b) => a - b);
  const at = (share: number): number => ratios[Math.round(share * (ratios.length - 1))] ?? Number.NaN;
  return { row, ratio: median(ratios), from: at(0.25), to: at(0.75) };
}

export function isSlower({ ratio }: Compared): boolean {
  return !(ratio >= SLOWER);
}

export function gateTable(report: {
  readonly base: string;
  readonly head: string;
  readonly pairs: number;
  readonly rows: readonly Compared[];
}): string {
  const { base, head, pairs, rows } = report;
  const lines = rows.map((row) => {
    const { ratio, from, to } = row;
    const verdict = isSlower(row) ? 'SLOWER' : 'ok';
    return `${row.row.padEnd(16)}${times(ratio)}   ${times(from)} to ${times(to)}   ${verdict}`;
  });
  const slower = rows.filter(isSlower).length;
  const end = slower === 0 ? 'nothing lost a tenth' : `${slower} of ${rows.length} rows lost a tenth or more`;
  const heading = `${head.slice(0, 10)} against ${base.slice(0, 10)}, medians of ${pairs} pairs of fresh processes, and their middle half`;
  return [heading, ...lines, end].join('\n');
}

function times(ratio: number): string {
  return `${ratio.toFixed(3)} ×`;
}
