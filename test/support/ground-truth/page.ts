/** The text of docs/fidelity.md around the measured figures. */

import { BIAS_MOST, BRACKET_LEAST, type Fidelity, HARD_BRACKET_LEAST, type Scenario } from './fidelity.ts';

export function fidelityPage(
  measured: readonly { readonly scenario: Scenario; readonly fidelity: Fidelity }[],
  origin: { readonly command: string; readonly seeds: string },
): string {
  return `# How true the backtest's fills are

A recording shows a market in which your orders were not. A backtest answers what would have happened had they been there, and it
gives several bounds of the fills of every order: pessimistic, central and optimistic, and with \`--fills all\` the conceivable extremes
([how-it-decides.md](how-it-decides.md#your-order-waits-its-turn)). This page compares the bounds with the truth, in the one place where the truth can be known: a
market whose every trader is ours.

**What to take from it:** the truth lies between the pessimistic and the optimistic bound for about 98 of 100 orders or more. The central bound errs by about one
hundredth of the stake, and by more where most traders of a market cancel by one habit.

\`${origin.command}\` writes this file
(seeds ${origin.seeds}). Do not edit it.

| scenario | truly matched | within the interval | width | within the extremes | central bias | mean error |
|---|---:|---:|---:|---:|---:|---:|
${measured.map(({ scenario, fidelity }) => row(scenario, fidelity)).join('\n')}

- *truly matched*: matched stake as a share of the stake placed.
- *within the interval*: share of orders with pessimistic ≤ truth ≤ optimistic, to the last 10⁻⁶ of a unit; *within the extremes* the same from lowest to highest.
- *width*: optimistic minus pessimistic, in points (hundredths) of the stake placed.
- *central bias*: central minus truth in points, with its standard error. Above zero the backtest flatters. *Mean error*: its mean size order by order.

The first row must have at least ${(BRACKET_LEAST * 100).toFixed(0)} % of its orders within the interval and a central bias of at most
${(BIAS_MOST * 100).toFixed(0)} point; every other row must have ${(HARD_BRACKET_LEAST * 100).toFixed(0)} % within. Each of them gives up one condition of the first one. \`npm run test:all\` plays the first row and the two hardest ones with fewer orders.

${WORDS}`;
}

const WORDS = `## How it is measured

1. A seeded crowd trades in the full-matching exchange, alone: traders who quote around drifting fair odds,
   takers who sweep levels, stakes with a heavy tail, cancellations. What happens is recorded as a feed would publish it.
2. A bot places seeded orders near the best price, planned on that market, and cancels each at the end of a random life. The plan is frozen.
3. **Truth**: the same commands are played again in a second exchange, with the bot's orders in between. The crowd does not react.
4. **Backtest**: the recording is replayed with the same orders laid over it, once for each bound, by the code of backtests.

## What it does not show

- The central bound spreads every cancellation over the queue. True queues move up in jumps, an order at a
  time. The stake ahead comes out right on average, but the fills err a little to the low side, more so where few orders make a level.
- The plan is frozen. A strategy that answers to its fills sends other orders in each world, and the worlds are then samples and no bounds
  ([backtest.md](backtest.md#fills-worlds-and-an-interval)).
- Real crowds react to your orders, and no replay shows how. The figures apply best to orders that are small beside the level they join.
- Your fill displaces stake of others, which lives on. The backtest lets it stand before your later orders and takes the same share of it for cancelled as of its
  level. Orders of yours one behind the other, or where another one was, can lie outside the extremes.
- A real recording is conflated: several events make one message. The row with 20 events a message shows what that costs.
- All scenarios record whole ladders. The best few levels alone hide more: [levels out of sight](how-it-decides.md#levels-out-of-sight).
`;

function row(scenario: Scenario, fidelity: Fidelity): string {
  const cells = [
    scenario.isGated ? `**${scenario.name}** (gate)` : scenario.name,
    percent(fidelity.matched.truth, 1),
    percent(fidelity.bracket, 2),
    (fidelity.width * 100).toFixed(2),
    percent(fidelity.conceivable, 2),
    `${signed(fidelity.bias * 100)} ± ${(fidelity.biasError * 100).toFixed(2)}`,
    (fidelity.error * 100).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

function percent(share: number, digits: number): string {
  return `${(share * 100).toFixed(digits)} %`;
}

function signed(points: number): string {
  return points < 0 ? `−${Math.abs(points).toFixed(2)}` : `+${points.toFixed(2)}`;
}
