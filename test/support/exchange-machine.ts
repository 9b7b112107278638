/** The exchange machine as the oracle's duel sees it. */

import { Exchange } from '../../src/matching/exchange.ts';
import type { Command } from '../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import { RECORDED_RULES, type Rules } from '../../src/matching/messages/rules.ts';
import type { Machine, MakeMachine } from './matching-duel.ts';
import type { OracleRules } from './oracle/world.ts';

export const exchangeMachine: MakeMachine = (rules): Machine => {
  const exchange = new Exchange({ rules: machineRules(rules) });
  return {
    apply: (command) => applied(exchange, command),
    account(wallet, currency) {
      const account = exchange.account(wallet, currency);
      if (account === undefined) return undefined;
      return {
        balance: BigInt(account.balance),
        available: BigInt(account.balanceAvailable),
        unmatchedExposure: BigInt(account.unmatchedExposure),
      };
    },
    exposures: (wallet, market) => exchange.position(wallet, market)?.exposures.map((amount) => BigInt(amount)),
    prices: (market) => exchange.prices(market, { cross: true }),
    lastTicks: (market) => exchange.market(market)?.lastTicks ?? [],
  };
};

function machineRules(rules: OracleRules): Partial<Rules> {
  return {
    crossPrice: rules.crossMatching,
    lapseBlocks: rules.lapseBlocks,
    ...(rules.betfairRemovals ? RECORDED_RULES : {}),
  };
}

function applied(exchange: Exchange, command: Command): ExchangeEvent[] {
  exchange.events.clear();
  exchange.apply(command);
  return Array.from({ length: exchange.events.length }, (_, index) => exchange.events.read(index));
}
