/** The configuration of the built-in exchange, for backtests and paper runs. */

import type { Money } from '../../core/number/units.ts';
import { RECORDED_RULES } from '../../matching/messages/rules.ts';
import type { Bound } from '../../report/figures/bounds.ts';
import type { FillListener } from '../../simulator/fill-model/fill-listener.ts';
import { type FillRules, fillRulesOf } from '../../simulator/overlay/fill-rules.ts';
import type { ReplayConfig } from '../../simulator/replay/replay-exchange.ts';
import type { BacktestOptions, ExchangeChoice } from '../options/backtest-options.ts';

export interface ExchangeRules extends Pick<BacktestOptions, 'inPlayDelay' | 'commission' | 'fillRules'> {
  /** What each wallet holds at the start. */
  readonly wallets: readonly (Money | 'unlimited')[];
  /** See `LifeRules`. */
  readonly suspendsAtEnd?: boolean;
  /** Absent: as the specification says, which leaves resting orders at a suspension. */
  readonly exchange?: ExchangeChoice;
}

/** The first of the bounds is the flow's own: its fills are those that strategies see. */
export function exchangeConfig(
  rules: ExchangeRules,
  bounds: readonly Bound[],
  listenerOf: (bound: Bound) => FillListener,
): Omit<ReplayConfig, 'at'> {
  const { fillRules, inPlayDelay, commission, wallets } = rules;
  const { cancellations, hiddenVolume, levelsOutOfSight, refill } = fillRules;
  const alike = { hiddenVolume, levelsOutOfSight };
  const rulesOf = (bound: Bound): FillRules => {
    if (bound === 'refilled') return { ...fillRulesOf('central', cancellations), ...alike, refill };
    const isBelow = bound === 'lowest' || bound === 'pessimistic';
    const ownOrders = isBelow && bounds[0] !== bound ? 'pass' : 'meet';
    return { ...fillRulesOf(bound, cancellations), ...alike, ownOrders };
  };
  return {
    models: bounds.map((bound) => ({ fillRules: rulesOf(bound), listener: listenerOf(bound) })),
    rules: { ...RECORDED_RULES, crossPrice: fillRules.crossMatching },
    life: {
      crossMatching: true,
      suspendsAtEnd: rules.suspendsAtEnd === true,
      inPlaySuspension: rules.exchange?.inPlaySuspension ?? 'keep',
      ...(inPlayDelay === 'recorded' ? {} : { inPlayDelayMs: inPlayDelay.ms }),
    },
    wallets,
    minimumStake: rules.exchange?.minimumStake ?? 'none',
    ...(commission === 'recorded' ? {} : { commissionPpm: commission.ratePpm }),
  };
}
