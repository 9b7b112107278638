/** Placing, the in-play delay's end, cancelling, and the heartbeat's lapse. */

import type { OrderCommand, PlaceRequest } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal, ExchangeEvent } from '../../../src/matching/messages/event.ts';
import { type MatchedBefore, postMatched, rememberMatched } from './accounts.ts';
import { asInstant, asMoney } from './amounts.ts';
import { emitOrder } from './fills.ts';
import { available, held, required, type Supposed } from './funds.ts';
import { LADDER } from './ladder.ts';
import { match, reachesMinFill, wouldMatch } from './matching.ts';
import { disturb, emit, type OracleApp, type OracleMarket, type OracleOrder, type World } from './world.ts';

type Code = Extract<ExchangeEvent, { kind: 'orderRefused' }>['code'];
type Place = Extract<OrderCommand, { kind: 'place' }>;
type Replace = Extract<OrderCommand, { kind: 'replace' }>;
type Cancel = Extract<OrderCommand, { kind: 'cancel' }>;
type CancelCause =
  | 'UserRequest'
  | 'CancelUnmatched'
  | 'MarketInPlay'
  | 'MarketLock'
  | 'HeartbeatLapsed'
  | 'MarketSuspended'
  | 'OutcomeRemoved';

export function place(world: World, { app: id, requests, allOrNone }: Place): CommandRefusal | undefined {
  const [first] = requests;
  if (allOrNone && requests.some(({ market, wallet }) => market !== first!.market || wallet !== first!.wallet)) {
    return 'INVALID_ARGUMENT';
  }
  if (allOrNone && first === undefined) return 'INVALID_ARGUMENT';
  const app = world.apps[id];
  if (app === undefined) return 'UNKNOWN_ID';
  if (requests.length < 1 || requests.length > 50) return 'INVALID_ARGUMENT';
  if (requests.some((request) => LADDER[request.tick] === undefined)) return 'INVALID_ARGUMENT';
  if (requests.some(({ stake }) => stake <= 0 || stake % 1000 !== 0)) return 'INVALID_ARGUMENT';
  if (requests.some((request) => !isMinFillOf(request))) return 'INVALID_ARGUMENT';
  if (world.rules.lapseBlocks && app.heartbeat?.active === false) return 'HEARTBEAT_LAPSED';
  if (allOrNone && areRefused(world, app, requests)) return undefined;
  for (const [item, request] of requests.entries()) placeOne(world, app, { item, request });
  return undefined;
}

/** Judges each with all before it that pass, as if they rested; emits those that do not. */
function areRefused(world: World, app: OracleApp, requests: readonly PlaceRequest[]): boolean {
  const passed: PlaceRequest[] = [];
  for (const [item, request] of requests.entries()) {
    const isTwice = request.reference !== undefined && passed.some(({ reference }) => reference === request.reference);
    const code = verdict(world, app, request, passed.map(supposed)) ?? (isTwice ? 'ORDER_ALREADY_EXISTS' : undefined);
    if (code === undefined) passed.push(request);
    else emit(world, { kind: 'orderRefused', app: app.id, item, code });
  }
  return passed.length < requests.length;
}

function isMinFillOf({ minFill, stake, matchBehavior }: PlaceRequest): boolean {
  if (minFill === undefined) return true;
  return matchBehavior === 'CancelUnmatched' && minFill > 0 && minFill <= stake;
}

function placeOne(world: World, app: OracleApp, { item, request }: { item: number; request: PlaceRequest }): void {
  const code = verdict(world, app, request);
  if (code !== undefined) emit(world, { kind: 'orderRefused', app: app.id, item, code });
  else accept(world, app, { item, request });
}

/** Cancels all, then places each again at its new price. */
export function replace(world: World, { app: id, replacements }: Replace): CommandRefusal | undefined {
  const app = world.apps[id];
  if (app === undefined) return 'UNKNOWN_ID';
  if (replacements.length < 1 || replacements.length > 50) return 'INVALID_ARGUMENT';
  if (replacements.some(({ tick }) => LADDER[tick] === undefined)) return 'INVALID_ARGUMENT';
  if (world.rules.lapseBlocks && app.heartbeat?.active === false) return 'HEARTBEAT_LAPSED';
  const items = replacements.map(({ order: number, tick, reference }) => {
    const order = world.orders[number];
    if (order?.app !== id || !isResting(order) || order.market.status !== 'Open') return undefined;
    const request: PlaceRequest = {
      wallet: order.wallet,
      market: order.market.id,
      side: order.isFor ? 'For' : 'Against',
      outcome: order.outcome,
      tick,
      stake: asMoney(order.unmatched),
      keepWhenInPlay: order.keepWhenInPlay,
      matchBehavior: 'RetainUnmatched',
      ...(reference === undefined ? {} : { reference }),
      ...(order.rate === undefined ? {} : { commissionRate: order.rate }),
    };
    cancelOrder(world, order, 'UserRequest');
    return request;
  });
  for (const [item, request] of items.entries()) if (request !== undefined) placeOne(world, app, { item, request });
  return undefined;
}

function verdict(
  world: World,
  app: OracleApp,
  request: PlaceRequest,
  before: readonly Supposed[] = [],
): Code | undefined {
  const market = world.markets[request.market];
  if (market === undefined || market.forgotten) return 'MARKET_NOT_FOUND';
  if (market.status !== 'Open' || !isOffered(world, market)) return 'INVALID_MARKET_STATUS';
  if (market.suspended) return 'SUSPENDED_MARKET';
  if (isPastLock(world, market)) return 'INVALID_MARKET_STATUS';
  if (market.removed[request.outcome] !== false) return 'MARKET_OUTCOME_NOT_FOUND';
  if (request.commissionRate !== undefined && world.rates[request.commissionRate]?.app !== app.id) {
    return 'COMMISSION_RATE_NOT_FOUND';
  }
  const wallet = world.wallets[request.wallet];
  if (wallet?.app !== app.id || wallet.type !== 'User') return 'WALLET_NOT_FOUND';
  const { currency } = market.terms;
  const free = available(world, wallet, currency);
  if (free === undefined) return 'WALLET_ACCOUNT_NOT_FOUND';
  const needed = required(market, wallet.id, before).r;
  const taken = before.length === 0 ? 0n : needed - held(market, wallet.id).r;
  const rise = required(market, wallet.id, [...before, supposed(request)]).r - held(market, wallet.id).r - taken;
  if (rise > 0n) {
    const solvent = wallet.accounts.some((account) => {
      const credit = available(world, wallet, account.currency)!;
      return (account.currency === currency ? credit - taken : credit) > 0n;
    });
    if (!solvent) return 'WALLET_INSUFFICIENT_CREDIT';
    if (rise > free - taken) return 'WALLET_ACCOUNT_INSUFFICIENT_CREDIT';
  }
  if (isUsed(world, app, request.reference)) return 'ORDER_ALREADY_EXISTS';
  return request.fault;
}

/** Whether an order of the app that is not forgotten bears the reference. */
function isUsed(world: World, app: OracleApp, reference: string | undefined): boolean {
  if (reference === undefined) return false;
  return world.orders.some((order) => order.reference === reference && order.app === app.id && !order.market.forgotten);
}

function supposed(request: PlaceRequest): Supposed {
  return {
    isFor: request.side === 'For',
    outcome: request.outcome,
    limit: LADDER[request.tick]!,
    stake: BigInt(request.stake),
  };
}

/** Whether a market is published and its event active. */
function isOffered(world: World, market: OracleMarket): boolean {
  return market.published && world.events[market.terms.event]!.active;
}

function isPastLock(world: World, market: OracleMarket): boolean {
  return market.lockAt !== undefined && world.now >= market.lockAt;
}

function isTradable(world: World, market: OracleMarket): boolean {
  return market.status === 'Open' && !market.suspended && isOffered(world, market) && !isPastLock(world, market);
}

function accept(world: World, app: OracleApp, { item, request }: { item: number; request: PlaceRequest }): void {
  const market = world.markets[request.market]!;
  const bet = supposed(request);
  const taker: OracleOrder = {
    id: world.orders.length,
    app: app.id,
    wallet: request.wallet,
    market,
    ...bet,
    keepWhenInPlay: request.keepWhenInPlay,
    minFill: request.minFill === undefined ? undefined : BigInt(request.minFill),
    rate: request.commissionRate ?? app.defaultRate,
    reference: request.reference,
    due: undefined,
    cancelUnmatched: request.matchBehavior === 'CancelUnmatched',
    unmatched: bet.stake,
    voided: 0n,
    status: 'Unmatched',
    restedAs: undefined,
    trades: [],
  };
  const isWaiting = market.inPlayStatus === 'InPlay' && market.delayMs > 0;
  const delayed = isWaiting && (!market.delaysTakersOnly || wouldMatch(world, taker));
  const due = delayed ? Math.max(world.now + market.delayMs, market.lastDue) : undefined;
  const status = delayed ? 'Pending' : 'Unmatched';
  const order: OracleOrder = { ...taker, due, status };
  world.orders.push(order);
  market.orders.push(order);
  if (due !== undefined) market.lastDue = due;
  disturb(world, market);
  const optional = due === undefined ? {} : { due: asInstant(due) };
  emit(world, { kind: 'orderAccepted', app: app.id, item, order: order.id, status, ...optional });
  if (!delayed) process(world, order);
}

/** Matches an accepted order, rests or cancels what is left, and posts. */
function process(world: World, order: OracleOrder): void {
  const wasPending = order.status === 'Pending';
  const before: MatchedBefore = new Map();
  rememberMatched(before, order.market, order.wallet);
  const matched = reachesMinFill(world, order) && match(world, order, before);
  order.status = order.unmatched === 0n ? 'Matched' : matched ? 'PartiallyMatched' : 'Unmatched';
  if (order.unmatched > 0n && order.cancelUnmatched) {
    voidUnmatched(world, order, 'CancelUnmatched');
  } else {
    if (order.unmatched > 0n) order.restedAs = world.restCount++;
    if (matched || wasPending) emitOrder(world, order);
  }
  postMatched(world, order.market, before);
}

export function voidUnmatched(world: World, order: OracleOrder, cause: CancelCause | 'MarketSettled'): void {
  order.voided += order.unmatched;
  order.unmatched = 0n;
  order.restedAs = undefined;
  order.status = order.trades.some(({ stake }) => stake > 0n) ? 'Matched' : 'Cancelled';
  disturb(world, order.market);
  emitOrder(world, order, cause);
}

export function isResting(order: OracleOrder): boolean {
  return order.status === 'Unmatched' || order.status === 'PartiallyMatched';
}

export function cancel(world: World, command: Cancel): CommandRefusal | undefined {
  if (world.apps[command.app] === undefined) return 'UNKNOWN_ID';
  const { orders, markets, events, wallets } = command;
  for (const order of world.orders) {
    const chosen =
      orders?.includes(order.id) ||
      markets?.includes(order.market.id) ||
      events?.includes(order.market.terms.event) ||
      wallets?.includes(order.wallet);
    if (chosen && order.app === command.app) cancelOrder(world, order, 'UserRequest');
  }
  return undefined;
}

/** Cancels one order where it can be: it rests in an Open market, or is Pending there and turns CancelUnmatched. */
function cancelOrder(world: World, order: OracleOrder, cause: CancelCause): void {
  if (order.market.status !== 'Open' || order.market.forgotten) return;
  if (order.status === 'Pending') order.cancelUnmatched = true;
  else if (isResting(order)) voidUnmatched(world, order, cause);
}

/** Does what is due up to and including an instant: delays that end, then heartbeats that lapse. */
export function doDue(world: World, until: number): void {
  for (let next = nextDue(world, until); next !== undefined; next = nextDue(world, until)) {
    world.now = next.due;
    if ('order' in next) endDelay(world, next.order);
    else lapse(world, next.app);
  }
}

type Due = { readonly due: number } & ({ readonly order: OracleOrder } | { readonly app: OracleApp });

function nextDue(world: World, until: number): Due | undefined {
  const pending = world.orders.filter((order) => order.status === 'Pending' && order.due! <= until);
  const lapsing = world.apps.filter((app) => app.heartbeat?.active && lapseOf(app) <= until);
  if (pending.length === 0 && lapsing.length === 0) return undefined;
  pending.sort((a, b) => a.market.id - b.market.id);
  const dues = [
    ...pending.map((order) => ({ due: order.due!, order })),
    ...lapsing.map((app) => ({ due: lapseOf(app), app })),
  ];
  // Sorting is stable: at one instant delays by market, then arrival; then heartbeats by app.
  return dues.sort((a, b) => a.due - b.due)[0];
}

function lapseOf(app: OracleApp): number {
  return app.heartbeat!.lastSeenAt + app.heartbeat!.timeoutMs;
}

function endDelay(world: World, order: OracleOrder): void {
  if (isTradable(world, order.market)) {
    process(world, order);
    return;
  }
  order.voided = order.unmatched;
  order.unmatched = 0n;
  order.status = 'Failed';
  disturb(world, order.market);
  emitOrder(world, order, 'CreationFailed');
}

function lapse(world: World, app: OracleApp): void {
  const heartbeat = app.heartbeat!;
  heartbeat.active = false;
  const { timeoutMs } = heartbeat;
  const lastSeenAt = asInstant(heartbeat.lastSeenAt);
  emit(world, { kind: 'heartbeatChanged', app: app.id, active: false, timeoutMs, lastSeenAt });
  for (const order of world.orders) if (order.app === app.id) cancelOrder(world, order, 'HeartbeatLapsed');
}
