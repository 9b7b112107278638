/** The life of events and markets up to settlement: creation, publishing, opening, suspending, in play, lock. */

import type { MarketStatus } from '../../core/market.ts';
import { IN_PLAY, marketStatusCode, NOT_APPLICABLE, OPEN, PRE_PLAY, reasonCode } from '../messages/codes.ts';
import type { MarketCommand, MarketTerms, MoveStep } from '../messages/command.ts';
import { NO_INSTANT } from '../messages/event-codec.ts';
import { Market, type MarketEvent } from '../state/market.ts';
import type { State } from '../state/state.ts';
import { voidResting } from '../trade/cancel.ts';
import { isTick } from '../trade/place.ts';

const MARKET_IN_PLAY = reasonCode('MarketInPlay');
const MARKET_SUSPENDED = reasonCode('MarketSuspended');
const MARKET_LOCK = reasonCode('MarketLock');

export function createEvent(state: State, app: number): void {
  if (state.accounts.apps[app] === undefined) return state.log.refused('UNKNOWN_ID');
  const event: MarketEvent = { id: state.events.length, app, active: true, markets: new Set() };
  state.events.push(event);
  state.log.eventCreated(event.id, app);
}

export function setEventActive(state: State, id: number, active: boolean): void {
  const event = state.events[id];
  if (event === undefined) return state.log.refused('UNKNOWN_ID');
  if (event.active === active) return;
  event.active = active;
  state.log.eventChanged(id, active);
}

/**
 * Creates a market with its escrow wallet. Refused with UNKNOWN_ID where app or event do not exist, and with
 * INVALID_ARGUMENT for terms that make no sense.
 */
export function createMarket(state: State, terms: MarketTerms): void {
  const event = state.events[terms.event];
  if (event === undefined || state.accounts.apps[terms.app] === undefined) return state.log.refused('UNKNOWN_ID');
  if (!areTerms(terms)) return state.log.refused('INVALID_ARGUMENT');
  const id = state.nextMarket;
  state.nextMarket += 1;
  const escrowWallet = state.accounts.createWallet(terms.app, 'MarketEscrow').id;
  const liquidity = state.liquidityFor(id, terms.outcomes);
  const { rules, now: at } = state;
  const market = new Market(terms, { id, event, escrowWallet, at, liquidity, rules });
  state.markets.set(id, market);
  event.markets.add(id);
  state.log.marketCreated(id, escrowWallet);
  logMarketChanged(state, market);
}

/** The commands of `setMarket`. */
export type MarketSetting = Exclude<
  Extract<MarketCommand, { readonly market: number }>,
  { kind: 'lock' | 'settle' | 'void' | 'resettle' | 'removeOutcome' | 'forget' }
>;

/** Carries out the commands that set one fact of a market, or empty its book. */
export function setMarket(state: State, market: Market, command: MarketSetting): void {
  switch (command.kind) {
    case 'publish':
      if (market.published === command.published) return;
      market.published = command.published;
      return logMarketChanged(state, market);
    case 'suspend':
      if (market.suspended === command.suspended) return;
      market.suspended = command.suspended;
      return logMarketChanged(state, market);
    case 'open':
      if (!isIn(market, command.reopen === true ? ['Initializing', 'Locked'] : ['Initializing']))
        return state.log.refused('INVALID_MOVE');
      return moveMarket(state, market, 'Open');
    case 'unopen':
      if (market.status !== OPEN) return state.log.refused('INVALID_MOVE');
      return moveMarket(state, market, 'Initializing');
    case 'close':
      if (!isIn(market, state.rules.closeFrom)) return state.log.refused('INVALID_MOVE');
      return moveMarket(state, market, 'Closed');
    case 'setInPlay':
      return setInPlay(state, market, command.inPlay);
    case 'setEventStartAction':
      // No event reports this change: a market's events describe its present state, not what it will do later.
      market.eventStartAction = command.action;
      return;
    case 'voidResting':
      if (market.status !== OPEN) return state.log.refused('INVALID_MOVE');
      return voidResting(state, market, MARKET_SUSPENDED, () => true);
    case 'setInPlayDelay':
      if (!isDelay(command.delayMs)) return state.log.refused('INVALID_ARGUMENT');
      // No event reports which orders it is for: a market's events describe its state as the API shows it.
      market.delaysTakersOnly = command.delaysTakersOnly ?? market.delaysTakersOnly;
      if (market.inPlayDelayMs === command.delayMs) return;
      market.inPlayDelayMs = command.delayMs;
      return logMarketChanged(state, market);
    case 'setLastPrice':
      if (market.removed[command.outcome] === undefined || !isTick(command.tick))
        return state.log.refused('INVALID_ARGUMENT');
      // No event reports it, as none reports the last price after a match: it is read with the market.
      market.lastTick[command.outcome] = command.tick;
      return;
    case 'setLockAt': {
      const lockAt = command.lockAt ?? NO_INSTANT;
      if (Object.is(lockAt, market.lockAt)) return;
      market.lockAt = lockAt;
      return logMarketChanged(state, market);
    }
  }
}

/** Locks a market. What rests is voided or kept, as the market's terms say. */
export function lock(state: State, market: Market, step: MoveStep | undefined): void {
  const from: readonly MarketStatus[] = step === 'finish' ? ['Locking'] : state.rules.lockFrom;
  if (!isIn(market, from)) return state.log.refused('INVALID_MOVE');
  if (step !== 'finish') {
    moveMarket(state, market, 'Locking');
    if (market.marketLockAction !== 'None') voidResting(state, market, MARKET_LOCK, () => true);
  }
  if (step !== 'begin') moveMarket(state, market, 'Locked');
}

/** Gives a market a status, with its event. */
export function moveMarket(state: State, market: Market, status: MarketStatus): void {
  market.status = marketStatusCode(status);
  logMarketChanged(state, market);
}

/** Whether the market has one of the statuses. */
export function isIn(market: Market, statuses: readonly MarketStatus[]): boolean {
  return statuses.some((status) => marketStatusCode(status) === market.status);
}

function setInPlay(state: State, market: Market, inPlay: boolean): void {
  if (market.inPlay === NOT_APPLICABLE) return state.log.refused('INVALID_MOVE');
  const next = inPlay ? IN_PLAY : PRE_PLAY;
  if (market.inPlay === next) return;
  market.inPlay = next;
  if (inPlay) market.tradesBeforeInPlay = state.trades.created;
  logMarketChanged(state, market);
  if (!inPlay || market.eventStartAction === 'None') return;
  voidResting(state, market, MARKET_IN_PLAY, (slot) => !state.orders.keepsWhenInPlay(slot));
}

function logMarketChanged(state: State, market: Market): void {
  market.modifiedAt = state.now;
  state.log.marketChanged(market);
}

function areTerms(terms: MarketTerms): boolean {
  const { outcomes, winners } = terms;
  if (!Number.isInteger(outcomes) || outcomes < 1 || !isDelay(terms.inPlayDelayMs)) return false;
  if (!Number.isInteger(winners.min) || !Number.isInteger(winners.max)) return false;
  return winners.min >= 0 && winners.min <= winners.max && winners.max >= 1;
}

function isDelay(delayMs: number): boolean {
  return Number.isSafeInteger(delayMs) && delayMs >= 0;
}
