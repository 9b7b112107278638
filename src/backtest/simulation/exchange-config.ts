/** The configuration of the built-in exchange, for backtests and paper runs. */

import type { Money } from '../../core/number/units.ts';
import { RECORDED_RULES } from '../../matching/messages/rules.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import { fillRulesOf } from '../../simulator/overlay/fill-rules.ts';
import type { RecordedRules } from '../../simulator/replay/recorded-markets.ts';
import type { WorldConfig } from '../../simulator/replay/replay-exchange.ts';
import type { BacktestOptions, ExchangeChoice } from '../options/backtest-options.ts';

export interface ExchangeRules extends Pick<BacktestOptions, 'inPlayDelay' | 'commission' | 'fillRules'> {
  /** What each wallet holds at the start. */
  readonly wallets: readonly (Money | 'unlimited')[];
  /** See `LifeRules`. */
  readonly suspendsAtEnd?: boolean;
  /** Absent: as the specification says, which leaves resting orders at a suspension. */
  readonly exchange?: ExchangeChoice;
}

/** What the worlds of a run have in common. */
export function recordedRules({ inPlayDelay, commission, suspendsAtEnd, exchange }: ExchangeRules): RecordedRules {
  return {
    life: {
      crossMatching: true,
      suspendsAtEnd: suspendsAtEnd === true,
      inPlaySuspension: exchange?.inPlaySuspension ?? 'keep',
      ...(inPlayDelay === 'recorded' ? {} : { inPlayDelayMs: inPlayDelay.ms }),
    },
    minimumStake: exchange?.minimumStake ?? 'recorded',
    ...(commission === 'recorded' ? {} : { commissionPpm: commission.ratePpm }),
  };
}

/** The exchange of one world. */
export function worldConfig({ fillRules, wallets }: ExchangeRules, bound: Bound): Omit<WorldConfig, 'at' | 'listener'> {
  const { cancellations, hiddenVolume, levelsOutOfSight, refill, crossMatching } = fillRules;
  const isRefilled = bound === 'refilled';
  return {
    fillRules: {
      ...fillRulesOf(isRefilled ? 'central' : bound, cancellations),
      hiddenVolume,
      levelsOutOfSight,
      ...(isRefilled ? { refill } : {}),
    },
    rules: { ...RECORDED_RULES, crossPrice: crossMatching },
    wallets,
  };
}
