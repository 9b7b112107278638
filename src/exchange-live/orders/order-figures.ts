/**
 * Checks what the exchange reports about an order's stake, by itself and against earlier reports: impossible figures are
 * refused.
 */

import { isLive } from '../../core/order.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { GatewayNotice } from '../notice.ts';
import type { OrderFacts } from './order-facts.ts';

const FIGURE_FAULTS = {
  PARTS_ABOVE_STAKE: 'what is unmatched and what was voided are together more than the stake',
  FILLS_ABOVE_STAKE: 'more was matched, by its trades, than is neither unmatched nor voided',
  MATCHED_FELL: 'less is matched than the exchange said before',
} as const;
export type FigureFault = keyof typeof FIGURE_FAULTS;

/** Checks the figures of one order by themselves. Each amount was rounded to the nearest 10⁻⁶. */
export function figureFault({
  stake,
  stakeUnmatched,
  stakeVoided,
  fills,
  status,
}: OrderFacts): FigureFault | undefined {
  const matched = stake - stakeUnmatched - stakeVoided;
  if (matched < 0) return 'PARTS_ABOVE_STAKE';
  // What had matched of a void order counts for nothing, wherever it is shown.
  if (status === 'Voided') return undefined;
  const filled = fills.reduce((sum, fill) => sum + fill.stake, 0);
  return filled > matched + fills.length ? 'FILLS_ABOVE_STAKE' : undefined;
}

/**
 * Checks a report against the one known before. `isNewer`: it was requested after `known` was received, so that its age
 * explains no difference. `voidsMatched`: stake that is matched no more may be void.
 */
export function changeFault(
  report: OrderReport,
  known: OrderReport,
  { isNewer, voidsMatched = false }: { readonly isNewer: boolean; readonly voidsMatched?: boolean | undefined },
): FigureFault | undefined {
  if (report.status === 'Voided' || known.status === 'Voided') return undefined;
  if (report.stakeMatched >= known.stakeMatched) return undefined;
  if (voidsMatched && report.stakeMatched + report.stakeVoided >= known.stakeMatched + known.stakeVoided)
    return undefined;
  return isNewer || report.stakeVoided > known.stakeVoided ? 'MATCHED_FELL' : undefined;
}

/** Whether stake that had ended may match again. */
export function hasRevived(report: OrderReport, known: OrderReport): boolean {
  return isLive(report.status) && !isLive(known.status);
}

/** The notice about impossible figures. `order`: the exchange's id. */
export function figuresNotice(order: number, fault: FigureFault): GatewayNotice {
  return { kind: 'unreadable', what: `order ${order}`, details: `${FIGURE_FAULTS[fault]} (${fault})` };
}
