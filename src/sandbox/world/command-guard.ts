/** Refuses commands that the exchange machine would misread or not understand. */

import type { PlaceRequest } from '../../matching/messages/command.ts';
import { type ChangeRefusal, type MachineCommand, NAMED_KINDS } from './change.ts';
import { IN_PLAY_DELAY_MAX_MS, invalid, isInstant } from './limits.ts';

/** Checks all commands except those that move money, for which see money-guard.ts. */
export function refuseCommand(command: MachineCommand): ChangeRefusal | undefined {
  switch (command.kind) {
    case 'place':
      return command.requests.every(hasIds) ? undefined : invalid('an order names something that is no id');
    case 'cancel': {
      const { orders = [], markets = [], events = [], wallets = [] } = command;
      const isFine = [orders, markets, events, wallets].every((ids) => ids.every(isCount));
      return isFine ? undefined : invalid('a list holds something that is no id');
    }
    case 'setInPlayDelay':
      return command.delayMs <= IN_PLAY_DELAY_MAX_MS ? undefined : invalid('no such in-play delay');
    case 'setLockAt':
      return command.lockAt === undefined || isInstant(command.lockAt) ? undefined : invalid('no such time of lock');
    default: {
      const { kind }: { readonly kind: string } = command;
      return NAMED_KINDS.some((named) => named === kind) ? invalid(`${kind} has a change of its own`) : undefined;
    }
  }
}

function hasIds({ wallet, market, outcome, commissionRate }: PlaceRequest): boolean {
  return (
    isCount(wallet) && isCount(market) && isCount(outcome) && (commissionRate === undefined || isCount(commissionRate))
  );
}

/** NaN and ∞ are refused because JSON turns them into null, which counts as 0: the replayed change would differ. */
function isCount(id: number): boolean {
  return Number.isSafeInteger(id);
}
