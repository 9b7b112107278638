/** The configuration of a run as text, for its report. */

import { moneyToDecimal } from '../../core/number/units.ts';
import type { Setting } from '../../result/run-facts.ts';
import { limitsText } from '../../risk/limits/limits-text.ts';
import type { DelayModel, LatencyModel } from '../../simulator/gateway/latency.ts';
import { durationText } from '../../words/numbers.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import { windowText } from '../options/resolve-window.ts';

export function settingsOf(options: BacktestOptions): readonly Setting[] {
  const { feed, latency, inPlayDelay, commission, fillRules, exchange, isolate } = options;
  const { window } = options.markets;
  return [
    { name: 'feed', value: feed.mode === 'stream' ? 'stream: every update' : `polls every ${feed.everyMs} ms` },
    { name: 'latency', value: latencyText(latency) },
    { name: 'in-play delay', value: inPlayDelay === 'recorded' ? 'as recorded' : `${inPlayDelay.ms / 1000} s` },
    {
      name: 'commission',
      value:
        commission === 'recorded'
          ? "each market's recorded rate"
          : `${commission.ratePpm / 10_000} % of a market's net winnings`,
    },
    {
      name: 'fill rules',
      value: `cancellations ${cancellationsText(fillRules)}, hidden volume ${fillRules.hiddenVolume}, cross matching ${fillRules.crossMatching}, refill ${refillText(fillRules)}, levels out of sight ${outOfSightText(fillRules)}`,
    },
    { name: 'suspensions in play', value: SUSPENSIONS[exchange.inPlaySuspension] },
    { name: 'minimum stake', value: minimumStakeText(exchange.minimumStake) },
    { name: 'limits', value: limitsText(options.limits) },
    { name: 'isolate', value: ISOLATED[isolate] },
    ...(window === undefined ? [] : [{ name: 'window', value: windowText(window) }]),
  ];
}

const ISOLATED: Readonly<Record<BacktestOptions['isolate'], string>> = {
  none: 'no: one timeline; strategies share wallets, limits and liquidity, and act in the order of the configuration',
  event: 'each event on its own: wallets, exposure and limits are not shared between them',
  market: 'each market on its own: wallets, exposure and limits are not shared between them',
  strategy: 'each strategy on its own: wallets, limits and liquidity are not shared between them',
};

const SUSPENSIONS: Readonly<Record<BacktestOptions['exchange']['inPlaySuspension'], string>> = {
  'as-recorded': 'cancel resting orders where the recording empties the book',
  cancel: 'cancel resting orders',
  keep: 'leave resting orders',
};

function cancellationsText({ cancellations }: BacktestOptions['fillRules']): string {
  return typeof cancellations === 'string' ? cancellations : `by power ${cancellations.power} of the queue's parts`;
}

function refillText({ refill }: BacktestOptions['fillRules']): string {
  return typeof refill === 'string' ? refill : `with a half-life of ${refill.halfLifeMs} ms`;
}

function outOfSightText({ levelsOutOfSight: rule }: BacktestOptions['fillRules']): string {
  if (typeof rule !== 'string') return `there for ${durationText(rule.maxAgeMs)}`;
  return rule === 'never' ? 'never there' : 'there as last shown';
}

function minimumStakeText(minimum: BacktestOptions['exchange']['minimumStake']): string {
  if (minimum === 'recorded') return "the recorded exchange's (Betfair: 1, or a payout of 10)";
  return minimum === 'none' ? 'none' : `${moneyToDecimal(minimum.stake)}`;
}

function latencyText({ request, place, cancel, response }: LatencyModel): string {
  const placed = place === undefined ? '' : `, placement ${delay(place)}`;
  const cancelled = cancel === undefined ? '' : `, cancellation ${delay(cancel)}`;
  return `request ${delay(request)}${placed}${cancelled}, response ${delay(response)}`;
}

function delay(of: DelayModel): string {
  return of.kind === 'fixed' ? `${of.ms} ms` : `median ${of.p50} ms, 99 in 100 below ${of.p99} ms`;
}
