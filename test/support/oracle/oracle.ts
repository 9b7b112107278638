/** The slow, obvious exchange: same commands and events as the fast one, no code in common with it. */

import type { AccountCommand, Command, MarketCommand } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal, ExchangeEvent } from '../../../src/matching/messages/event.ts';
import { applyAccountCommand } from './accounts.ts';
import { available, positionOf, resultFor, unmatchedExposure } from './funds.ts';
import { applyMarketCommand } from './markets.ts';
import { cancel, doDue, place, replace } from './orders.ts';
import { reduce, setKeep } from './resting-order.ts';
import { newWorld, type OracleRules, type World } from './world.ts';

/** One account of one wallet, in 10⁻⁶. */
export interface AccountView {
  readonly wallet: number;
  readonly currency: number;
  readonly balance: bigint;
  readonly available: bigint;
  readonly unmatchedExposure: bigint;
}

/** What a wallet has matched in a market, by which outcome wins; undefined for a removed one. */
export interface PositionView {
  readonly wallet: number;
  readonly market: number;
  readonly exposures: readonly (bigint | undefined)[];
}

export class Oracle {
  readonly world: World;

  constructor(rules: OracleRules = { crossMatching: 'rounded', betfairRemovals: false, lapseBlocks: true }) {
    this.world = newWorld(rules);
  }

  /** Does the command, and returns what happened, in order. */
  apply(command: Command): readonly ExchangeEvent[] {
    const { world } = this;
    world.log = [];
    world.changed.clear();
    doDue(world, command.at);
    world.now = command.at;
    const reason = execute(world, command);
    if (reason !== undefined) world.log.push({ at: command.at, kind: 'refused', reason });
    return world.log;
  }

  /** Every account, by wallet and in the order of opening. */
  accounts(): AccountView[] {
    const known = this.world.wallets.filter((wallet) => !wallet.forgotten);
    return known.flatMap((wallet) =>
      wallet.accounts.map(({ currency, balance }) => ({
        wallet: wallet.id,
        currency,
        balance,
        available: available(this.world, wallet, currency)!,
        unmatchedExposure: unmatchedExposure(this.world, wallet.id, currency),
      })),
    );
  }

  /** Every wallet's position in the markets that the last command changed, until they are settled. */
  changedPositions(): PositionView[] {
    const live = [...this.world.changed].filter((market) => market.settlement === undefined && !market.forgotten);
    return live.flatMap((market) => {
      const wallets = [...new Set(market.orders.map((order) => order.wallet))];
      return wallets.map((wallet) => {
        const { win, lose } = positionOf(market, wallet);
        const exposures = market.removed.map((gone, winner) => (gone ? undefined : resultFor([winner], win, lose)));
        return { wallet, market: market.id, exposures };
      });
    });
  }
}

function execute(world: World, command: Command): CommandRefusal | undefined {
  switch (command.kind) {
    case 'advance':
      return undefined;
    case 'place':
      return place(world, command);
    case 'cancel':
      return cancel(world, command);
    case 'reduce':
      return reduce(world, command);
    case 'setKeep':
      return setKeep(world, command);
    case 'replace':
      return replace(world, command);
    default:
      return isAccountCommand(command) ? applyAccountCommand(world, command) : applyMarketCommand(world, command);
  }
}

const ACCOUNT_COMMANDS: readonly string[] = [
  'createApp',
  'createCommissionRate',
  'createWallet',
  'openAccount',
  'deposit',
  'withdraw',
  'transfer',
  'adjust',
  'setOverdraft',
  'heartbeat',
  'deleteHeartbeat',
] satisfies readonly AccountCommand['kind'][];

function isAccountCommand(command: AccountCommand | MarketCommand): command is AccountCommand {
  return ACCOUNT_COMMANDS.includes(command.kind);
}
