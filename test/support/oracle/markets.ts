/** Events and markets: creating them, and every move of their life except settlement's own work. */

import type { MarketCommand, MarketTerms } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal } from '../../../src/matching/messages/event.ts';
import { addWallet } from './accounts.ts';
import { LADDER } from './ladder.ts';
import { emitMarket, moveTo } from './market-moves.ts';
import { isResting, voidUnmatched } from './orders.ts';
import { removeOutcome } from './removal.ts';
import { resettle, settleMarket, voidMarket } from './settlement.ts';
import { voidTrades } from './void-trades.ts';
import { emit, type OracleMarket, type World } from './world.ts';

type Outcome = CommandRefusal | undefined;
type OfMarket = Extract<MarketCommand, { readonly market: number }>;

export function applyMarketCommand(world: World, command: MarketCommand): Outcome {
  switch (command.kind) {
    case 'createEvent':
      if (world.apps[command.app] === undefined) return 'UNKNOWN_ID';
      emit(world, { kind: 'eventCreated', event: world.events.length, app: command.app });
      world.events.push({ app: command.app, active: true });
      return undefined;
    case 'setEventActive': {
      const event = world.events[command.event];
      if (event === undefined) return 'UNKNOWN_ID';
      if (event.active === command.active) return undefined;
      event.active = command.active;
      emit(world, { kind: 'eventChanged', event: command.event, active: command.active });
      return undefined;
    }
    case 'createMarket':
      return createMarket(world, command);
    default: {
      const market = world.markets[command.market];
      return market === undefined || market.forgotten ? 'UNKNOWN_ID' : applyToMarket(world, market, command);
    }
  }
}

function createMarket(world: World, terms: MarketTerms): Outcome {
  if (world.apps[terms.app] === undefined || world.events[terms.event] === undefined) return 'UNKNOWN_ID';
  const { outcomes, winners, inPlayDelayMs } = terms;
  if (outcomes < 1 || winners.min < 0 || winners.max < 1 || winners.min > winners.max || inPlayDelayMs < 0) {
    return 'INVALID_ARGUMENT';
  }
  const id = world.markets.length;
  const escrow = addWallet(world, terms.app, 'MarketEscrow');
  emit(world, { kind: 'marketCreated', market: id, escrowWallet: escrow });
  const market: OracleMarket = {
    id,
    terms,
    escrow,
    status: 'Initializing',
    inPlayStatus: terms.turnsInPlay ? 'PrePlay' : 'NotApplicable',
    published: false,
    suspended: false,
    startAction: terms.eventStartAction,
    delayMs: inPlayDelayMs,
    delaysTakersOnly: terms.delaysTakersOnly === true,
    firstTradeInPlay: 0,
    lockAt: terms.lockAt,
    lastDue: 0,
    removed: Array.from({ length: outcomes }, () => false),
    lastTicks: Array.from({ length: outcomes }, () => undefined),
    orders: [],
    settlement: undefined,
    verdict: undefined,
    forgotten: false,
    memo: new Map(),
  };
  world.markets.push(market);
  emitMarket(world, market);
  return undefined;
}

function applyToMarket(world: World, market: OracleMarket, command: OfMarket): Outcome {
  switch (command.kind) {
    case 'publish':
    case 'suspend':
    case 'setInPlayDelay':
    case 'setLockAt':
      return setAttribute(world, market, command);
    case 'setInPlay':
      return setInPlay(world, market, command.inPlay);
    case 'setEventStartAction':
      market.startAction = command.action;
      return undefined;
    case 'setLastPrice':
      if (command.outcome < 0 || command.outcome >= market.terms.outcomes || LADDER[command.tick] === undefined) {
        return 'INVALID_ARGUMENT';
      }
      market.lastTicks[command.outcome] = command.tick;
      world.changed.add(market);
      return undefined;
    case 'voidResting':
      if (market.status !== 'Open') return 'INVALID_MOVE';
      for (const order of market.orders) if (isResting(order)) voidUnmatched(world, order, 'MarketSuspended');
      return undefined;
    case 'open':
      if (market.status === 'Initializing' || (command.reopen && market.status === 'Locked')) {
        return moveTo(world, market, 'Open');
      }
      return 'INVALID_MOVE';
    case 'unopen':
      return market.status === 'Open' ? moveTo(world, market, 'Initializing') : 'INVALID_MOVE';
    case 'lock':
      return lock(world, market, command.step);
    case 'settle':
      return settleMarket(world, market, command);
    case 'void':
      return voidMarket(world, market, command.step);
    case 'resettle':
      return resettle(world, market, command);
    case 'close':
      if (market.status !== 'Settled' && market.status !== 'Voided') return 'INVALID_MOVE';
      return moveTo(world, market, 'Closed');
    case 'removeOutcome':
      return removeOutcome(world, market, command);
    case 'voidTrades':
      return voidTrades(world, market, command);
    case 'forget':
      if (market.status !== 'Settled' && market.status !== 'Voided' && market.status !== 'Closed') {
        return 'INVALID_MOVE';
      }
      market.forgotten = true;
      world.wallets[market.escrow]!.forgotten = true;
      emit(world, { kind: 'marketForgotten', market: market.id });
      return undefined;
  }
}

type Attribute = Extract<OfMarket, { kind: 'publish' | 'suspend' | 'setInPlayDelay' | 'setLockAt' }>;

/** Emits nothing where nothing changes. */
function setAttribute(world: World, market: OracleMarket, command: Attribute): Outcome {
  const before = JSON.stringify([market.published, market.suspended, market.delayMs, market.lockAt]);
  if (command.kind === 'publish') market.published = command.published;
  if (command.kind === 'suspend') market.suspended = command.suspended;
  if (command.kind === 'setLockAt') market.lockAt = command.lockAt;
  if (command.kind === 'setInPlayDelay') {
    if (command.delayMs < 0) return 'INVALID_ARGUMENT';
    market.delayMs = command.delayMs;
    market.delaysTakersOnly = command.delaysTakersOnly ?? market.delaysTakersOnly;
  }
  const after = JSON.stringify([market.published, market.suspended, market.delayMs, market.lockAt]);
  if (before !== after) emitMarket(world, market);
  return undefined;
}

function setInPlay(world: World, market: OracleMarket, inPlay: boolean): Outcome {
  if (market.inPlayStatus === 'NotApplicable') return 'INVALID_MOVE';
  const next = inPlay ? 'InPlay' : 'PrePlay';
  if (market.inPlayStatus === next) return undefined;
  market.inPlayStatus = next;
  if (inPlay) market.firstTradeInPlay = world.tradeCount;
  emitMarket(world, market);
  if (!inPlay || market.startAction !== 'CancelUnmatchedLiquidity') return undefined;
  for (const order of market.orders) {
    if (isResting(order) && !order.keepWhenInPlay) voidUnmatched(world, order, 'MarketInPlay');
  }
  return undefined;
}

function lock(world: World, market: OracleMarket, step: 'begin' | 'finish' | undefined): Outcome {
  if (market.status !== (step === 'finish' ? 'Locking' : 'Open')) return 'INVALID_MOVE';
  if (step !== 'finish') {
    moveTo(world, market, 'Locking');
    if (market.terms.marketLockAction === 'CancelUnmatchedLiquidity') {
      for (const order of market.orders) if (isResting(order)) voidUnmatched(world, order, 'MarketLock');
    }
  }
  if (step !== 'begin') moveTo(world, market, 'Locked');
  return undefined;
}
