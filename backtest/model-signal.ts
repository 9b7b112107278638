/** Makes the example signal of strategies/model-value.ts: chances that follow from nothing but earlier prices of the sample recording. */

import { backtest } from 'oddsmith/backtest';
import { type DecideInput, defineStrategy, type MovingAverage, type OutcomeView, simpleAverage } from '../src/index.ts';

/** How long before the off each of the model's numbers becomes available. */
const MINUTES_BEFORE = [12, 9, 6, 3];
const MINUTE = 60_000;

interface Memory {
  readonly averages: Map<string, MovingAverage>;
  /** How many of its numbers the model has given. */
  given: number;
}

/**
 * Each number is the chance that the middle price of the ten minutes before stood for, scaled so that those of a market add up to one: a
 * model that believes in the past, and knows nothing of what came after.
 */
export async function modelSignal(tape: string): Promise<string> {
  const rows = ['availableAt,market,outcome,value'];
  const model = defineStrategy({
    name: 'model-maker',
    state: (): Memory => ({ averages: new Map(), given: 0 }),
    decide(input) {
      rows.push(...numbersOf(input));
      return [];
    },
  });
  await backtest({ tape, strategies: [model], fills: 'central' });
  return `${rows.join('\n')}\n`;
}

function numbersOf({ market, state, now }: DecideInput<Readonly<Record<never, never>>, Memory>): readonly string[] {
  if (market.winnersMax > 1 || market.inPlay) return [];
  const runners = market.outcomes.filter(({ status }) => status === 'Active');
  for (const runner of runners) {
    const average = state.averages.get(runner.id) ?? simpleAverage('10m');
    state.averages.set(runner.id, average);
    average.add(now, middleChance(runner));
  }
  const before = MINUTES_BEFORE[state.given];
  const left = (market.expectedStartTime ?? Number.POSITIVE_INFINITY) - now;
  if (before === undefined || left > before * MINUTE) return [];
  state.given += 1;
  const chances = runners.map(({ id }) => state.averages.get(id)?.value ?? Number.NaN);
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  if (Number.isNaN(total)) return [];
  // A second later: nobody works out and sends a number at the instant of the price.
  const availableAt = new Date(now + 1_000).toISOString();
  return runners.map(({ id }, at) => `${availableAt},${market.id},${id},${((chances[at] ?? 0) / total).toFixed(4)}`);
}

function middleChance(outcome: OutcomeView): number | undefined {
  const [toBack, toLay] = [outcome.bestPrice('Against'), outcome.bestPrice('For')];
  return toBack === undefined || toLay === undefined ? undefined : (1 / toBack + 1 / toLay) / 2;
}
