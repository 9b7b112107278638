/** The text of docs/fidelity.md around the measured figures. */

import { BIAS_MOST, BRACKET_LEAST, type Fidelity, type Scenario } from './fidelity.ts';

export function fidelityPage(
  measured: readonly { readonly scenario: Scenario; readonly fidelity: Fidelity }[],
  origin: { readonly command: string; readonly seeds: string },
): string {
  const rows = measured.map(({ scenario, fidelity }) => row(scenario, fidelity));
  return `# How true the backtest's fills are

A recording shows a market in which your orders were not. A backtest answers what would have happened had they been
there, and gives three answers for every order: pessimistic, central, optimistic. This page measures them against the
truth, in the one place where the truth can be known: a market whose every trader is ours.

This file is written by \`${origin.command}\`
(seeds ${origin.seeds}). Do not edit it.

| scenario | orders | truly matched | pessimistic | central | optimistic | truth within bounds | central bias | mean error | width |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

The first row carries the gate of law 9: at least ${(BRACKET_LEAST * 100).toFixed(0)} % of orders within bounds and a central bias of at most
${(BIAS_MOST * 100).toFixed(0)} point of stake, over 3,000 orders or more. \`npm test\` holds it over 3,200. The other rows have no gate: they
show what happens when one of its conditions is given up.

## The columns

- *truly matched, pessimistic, central, optimistic*: matched stake as a share of the stake placed.
- *truth within bounds*: share of orders with pessimistic ≤ truth ≤ optimistic, to the last 10⁻⁶ of a unit.
- *central bias*: central minus truth, in points (hundredths) of the stake placed. Above zero the backtest flatters.
  With its standard error, from how much runs with different seeds differ.
- *mean error*: the mean size of that difference order by order; errors do not cancel here.
- *width*: optimistic minus pessimistic, in points of the stake placed.

## How it is measured

1. A seeded crowd trades order by order in the full-matching exchange, alone: traders who quote around drifting fair odds,
   takers who sweep levels, stakes with a heavy tail, cancellations. What happens is recorded as a feed would publish it:
   level amounts, traded volume, last prices, and nothing of who stands where in a queue.
2. A bot places seeded orders near the best price (join it, improve on it by a tick, stand a tick behind it), planned on that
   market, and cancels each at the end of a random life. The plan is frozen.
3. **Truth**: the crowd's commands are played again, one by one, in a second exchange, with the bot's orders in between.
   The crowd does not react: the same orders at the same prices and stakes, and each order is given up at the instant
   drawn for it, also when the bot kept it from being matched. What the bot's orders match there is the truth.
4. **Backtest**: the recording is replayed with the same orders laid over it, once for each fill rule, by the code that
   backtests use.

## What it does not tell

- The central answer takes every cancellation as spread evenly over the queue. True queues move up in jumps, an order at a
  time, and a few large orders make up much of a level. On average the stake ahead comes out right, but a fill is no linear
  function of it, so that the central answer errs a little to the low side, and more so where few orders make a level.
  Where traders of one habit rule (newest or oldest orders first) it misleads by what those rows show.
- Real crowds react to your orders. Neither this truth nor any replay knows how. Orders that are small beside the level
  they join are where that matters least, and where these figures apply.
- Stake of the crowd that your fill displaced is taken as gone by the backtest (a named rule). In the truth above it
  rests until its owner gives up, and may be matched later.
- A real recording is conflated. The row with 20 events a message shows what that costs: traded volume can no longer be
  told apart by side, nor a trade from a cancellation that was refilled.
`;
}

function row(scenario: Scenario, fidelity: Fidelity): string {
  const { matched } = fidelity;
  const name = scenario.isGated ? `**${scenario.name}** (gate)` : scenario.name;
  const cells = [
    name,
    String(fidelity.orders),
    percent(matched.truth),
    percent(matched.pessimistic),
    percent(matched.central),
    percent(matched.optimistic),
    `${(fidelity.bracket * 100).toFixed(2)} %`,
    `${signed(fidelity.bias * 100)} ± ${(fidelity.biasError * 100).toFixed(2)}`,
    (fidelity.error * 100).toFixed(2),
    (fidelity.width * 100).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function signed(points: number): string {
  return points < 0 ? `−${Math.abs(points).toFixed(2)}` : `+${points.toFixed(2)}`;
}
