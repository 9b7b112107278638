/** Which strategies were halted in a run, and in which of its worlds: what happened alike in several is said once. */

import { stuckParts } from '../../loader/stuck-error.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { StrategyHalted } from '../../result/result.ts';
import type { DescribedHalt, Piece } from './kept-piece.ts';

interface HaltInWorlds extends DescribedHalt {
  readonly worlds: readonly Bound[];
}

/** The halts in the order of the pieces, and of the worlds in each of them. */
export function haltsInWorlds(pieces: readonly Pick<Piece, 'ends'>[]): readonly HaltInWorlds[] {
  return pieces.flatMap(({ ends }) => {
    const found = new Map<string, HaltInWorlds>();
    for (const [world, { collector }] of ends) {
      for (const halt of collector.halts) {
        const { strategy, market, at, code, where, why } = halt;
        // Where in a loop without an end it was is chance.
        const place = code === 'STRATEGY_STUCK' ? [] : [where, why];
        const key = JSON.stringify([strategy, market, at, code, ...place]);
        const known = found.get(key);
        found.set(key, { ...halt, ...known, worlds: [...(known?.worlds ?? []), world] });
      }
    }
    return [...found.values()];
  });
}

/** `all`: the worlds of the run. `limitMs`: how long a strategy may take. */
export function haltsInWords(
  halts: readonly HaltInWorlds[],
  {
    all,
    strategies,
    limitMs,
  }: { readonly all: readonly Bound[]; readonly strategies: number; readonly limitMs: number },
): readonly StrategyHalted[] {
  const others = strategies > 1 ? '; the others went on' : '';
  return halts.map(({ name, market, worlds, at, code, where, why, next }) => {
    const halted = `was halted${onMarketText(market)}${inWorlds(worlds, all)} and its orders were cancelled${others}.`;
    const what =
      code === 'STRATEGY_STUCK'
        ? stuckParts({ name, place: where, limitMs, consequence: `It ${halted}` }).what
        : `Strategy '${name}' ${halted}`;
    return { strategy: name, market, worlds, at, code, what, where, why, next };
  });
}

/** One sentence each, for the text of a result. */
export function haltWarnings(halts: readonly StrategyHalted[], all: readonly Bound[]): readonly string[] {
  return halts.map(({ strategy, market, worlds, code, what, where, why }) =>
    code === 'STRATEGY_STUCK'
      ? what
      : `Strategy '${strategy}' was halted${onMarketText(market)}${inWorlds(worlds, all)} and its orders cancelled: ${why} (${where})`,
  );
}

/** What it throws outside of a call is thrown on no market. */
function onMarketText(market: string): string {
  return market === '' ? ' outside of a call,' : ` on market ${market}`;
}

/** Empty where it happened in all of them. */
export function inWorlds(worlds: readonly Bound[], all: readonly Bound[]): string {
  if (worlds.length === all.length) return '';
  return worlds.length === 1 ? ` in the ${worlds.join()} world` : ` in the worlds ${worlds.join(', ')}`;
}
