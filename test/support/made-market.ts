/** What a recording says of a market, where a test mentions nothing else: open, before the off, one winner. */

import type { MarketFacts } from '../../src/core/market.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';

export function madeDefinition(outcomes: number, change: Partial<RecordedDefinition> = {}): RecordedDefinition {
  return {
    ...{ status: 'Open', suspended: false, inPlayStatus: 'PrePlay', inPlayDelayMs: 0, winnerCount: 1 },
    ...{ eventStartAction: 'None', commissionPpm: 0 },
    outcomes: Array.from({ length: outcomes }, () => ({ status: 'Active' })),
    ...change,
  };
}

/** Of outcomes `o0`, `o1`, and so on. */
export function madeFacts(id: string, outcomes: number, change: Partial<MarketFacts> = {}): MarketFacts {
  return {
    ...{ id, name: id, eventId: 'e0', eventName: 'Northgate v Southmoor', marketTypeId: 'T' },
    outcomes: Array.from({ length: outcomes }, (_, ordering) => ({
      ...{ id: `o${ordering}`, title: `Outcome ${ordering}`, ordering },
    })),
    ...change,
  };
}
