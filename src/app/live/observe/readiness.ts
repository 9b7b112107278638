/** Whether the bot may trade at this moment, and every reason why it may not. */

import type { BotStatus } from '../../../engine/live/bot-status.ts';

/** Stable codes, those of refusals where there is one. */
export const NOT_READY_CODES = [
  'NOT_READY',
  'CLOCK_WRONG',
  'HALTED',
  'REDUCE_ONLY',
  'HEARTBEAT_NOT_ACTIVE',
  'FEED_LATE',
  'STRATEGY_HALTED',
] as const;
export type NotReadyCode = (typeof NOT_READY_CODES)[number];

export interface NotReadyReason {
  readonly code: NotReadyCode;
  /** The reason in words. */
  readonly why: string;
}

/** Empty while it may trade. `needsHeartbeat`: whether one is configured. */
export function notReady(bot: BotStatus, needsHeartbeat: boolean): readonly NotReadyReason[] {
  const { phase, waitsFor, clockDoubt, trading, tradingCause, heartbeat, feeds, strategies } = bot;
  const late = feeds.filter(({ isLate }) => isLate).map(({ feed }) => feed);
  const halted = strategies.filter(({ isHalted }) => isHalted).map(({ name }) => name);
  const waits = waitsFor === undefined ? '' : `, waiting for ${waitsFor}`;
  const found: (NotReadyReason | false)[] = [
    phase !== 'trading' && { code: 'NOT_READY', why: `the run is ${phase}${waits}` },
    clockDoubt !== undefined && { code: 'CLOCK_WRONG', why: clockDoubt },
    trading === 'halted' && { code: 'HALTED', why: `trading is halted: ${tradingCause}` },
    trading === 'reduceOnly' && {
      code: 'REDUCE_ONLY',
      why: `only orders pass that lower what can be lost: ${tradingCause}`,
    },
    needsHeartbeat && heartbeat !== 'active' && { code: 'HEARTBEAT_NOT_ACTIVE', why: `the heartbeat is ${heartbeat}` },
    late.length > 0 && { code: 'FEED_LATE', why: `late: ${late.join(', ')}` },
    strategies.length > 0 &&
      halted.length === strategies.length && {
        code: 'STRATEGY_HALTED',
        why: `every strategy is halted: ${halted.join(', ')}`,
      },
  ];
  return found.filter((reason) => reason !== false);
}
