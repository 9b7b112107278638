/** How each kind of journal record is brought about, where it does not come by itself. */

import { decimalOfTick, tick } from '../../../src/core/number/ladder.ts';
import { MONEY_SCALE } from '../../../src/core/number/units.ts';
import type { ExplainingRecord, JournalKind, JournalRecord } from '../../../src/core/run/journal.ts';
import type { SentOrder } from '../../../src/core/run/kept-order.ts';
import { References } from '../../../src/exchange-live/orders/references.ts';
import type { DaemonProcess } from './daemon-process.ts';
import type { KillExchange } from './exchange/kill-exchange.ts';
import type { Wish } from './exchange/person.ts';
import type { KillStage } from './kill-stage.ts';
import type { MillMarket } from './market-mill.ts';
import { writeIdleStrategy } from './run-config.ts';
import type { RunFold } from './run-fold.ts';

export interface Scene {
  readonly stage: KillStage;
  readonly daemon: DaemonProcess;
  readonly fold: RunFold;
  /** Counts up over all rounds. */
  readonly version: number;
  /** Receives the records from now on. */
  onRecord(hear: (record: JournalRecord) => void): void;
  /** Orders placed past the daemon under its run's references, by the exchange's id: the audit leaves them out. */
  readonly impostors: Set<string>;
  /** Undone after the round. */
  onEnd(undo: () => Promise<void>): void;
}

/** What explains a run stands in files of its own: its loss costs no book. */
export type KeptKind = Exclude<JournalKind, ExplainingRecord['kind']>;

export interface Provocation {
  /** The record is written before the daemon trades, by each start. */
  readonly isOfStart?: boolean;
  /** How long it is waited for, ms. */
  readonly patienceMs: number;
  readonly provoke?: (scene: Scene) => void | Promise<void>;
}

const SOON: Provocation = { patienceMs: 8_000 };
const AT_START: Provocation = { patienceMs: 8_000, isOfStart: true };
const NEVER_TAKEN = 1_000;
/** So far above the numbers that the run has given, which it will not reach. */
const IMPOSTOR_ABOVE = 1_000_000_000;
const TRAP_MS = 3_000;

function provoked(patienceMs: number, provoke: (scene: Scene) => void | Promise<void>): Provocation {
  return { patienceMs, provoke };
}

export const PROVOCATIONS: Readonly<Record<KeptKind, Provocation>> = {
  sent: SOON,
  requested: SOON,
  reported: SOON,
  started: AT_START,
  checkpoint: AT_START,
  limits: AT_START,
  phase: AT_START,
  cancelSent: SOON,
  replied: SOON,
  reduceSent: SOON,
  wallet: SOON,
  heartbeat: AT_START,
  rejected: provoked(8_000, ({ stage }) => stage.inject({ kind: 'orderError', code: 'SUSPENDED_MARKET', count: 1 })),
  unknown: provoked(8_000, ({ stage }) => stage.inject({ kind: 'dropAfter', operations: PLACING, count: 1 })),
  reappeared: provoked(20_000, reappear),
  adopted: provoked(8_000, stray),
  difference: provoked(8_000, stray),
  withdrawal: provoked(12_000, async (scene) => {
    await scene.stage.inject({ kind: 'status', status: 503, operations: ['cancelOrders'], forMs: 6_000 });
    await scene.daemon.ask({ command: 'halt', reason: 'kill loop' });
  }),
  settled: provoked(12_000, ({ stage, fold }) => stage.mill.hurry('settle', heldMarkets(fold))),
  marketDone: provoked(12_000, ({ stage, fold }) => {
    stage.mill.hurry('settle', heldMarkets(fold));
    stage.mill.hurry('close', new Set(stage.mill.seen.keys()));
  }),
  trading: provoked(8_000, async ({ daemon }) => void (await daemon.ask({ command: 'halt', reason: 'kill loop' }))),
  strategyHalted: provoked(8_000, trap),
  strategyLoaded: provoked(20_000, ({ stage, version }) => void writeIdleStrategy(stage.place.directory, version)),
  freshness: provoked(10_000, ({ stage }) =>
    stage.inject({ kind: 'latency', delayMs: 2_500, operations: ['listOrders'], forMs: 4_000 }),
  ),
  marketRisk: provoked(15_000, impostor),
  ended: provoked(20_000, ({ daemon }) => daemon.signal('SIGTERM')),
};

export const JOURNAL_KINDS = Object.keys(PROVOCATIONS) as readonly KeptKind[];

/** Those that a daemon writes at this exchange. */
export function journalKindsOf({ reduces }: KillExchange): readonly KeptKind[] {
  return JOURNAL_KINDS.filter((kind) => kind !== 'reduceSent' || reduces);
}

const PLACING = ['createOrder', 'createOrders'];

/** Markets in which the run holds something, as far as its journal says. */
function heldMarkets(fold: RunFold): ReadonlySet<string> {
  const held = new Set<string>();
  for (const { terms, report } of fold.orders.values())
    if ((report?.stakeMatched ?? 0) > 0 && !fold.done.has(terms.market)) held.add(terms.market);
  return held;
}

function restingOrder({ outcomeIds: [outcomeId = ''] }: MillMarket): Wish {
  return { outcomeId, side: 'For', price: NEVER_TAKEN, stake: 1, keepWhenInPlay: true };
}

function lastingMarket({ mill }: KillStage): MillMarket {
  const market = mill.taking.at(-1);
  if (market === undefined) throw new Error('no market takes orders');
  return market;
}

/** An order in the run's wallet that the run did not place. */
async function stray({ stage }: Scene): Promise<void> {
  const market = lastingMarket(stage);
  await placeAsOwner(stage, market, restingOrder(market));
}

/** A fault that is in force for the account would hit this call as well. */
async function placeAsOwner(
  { control, exchange }: KillStage,
  market: MillMarket,
  wish: Wish,
): Promise<readonly string[]> {
  await control.call('DELETE', '/faults');
  return exchange.owner.place(market.id, [wish]);
}

/** An order that is ours by its reference, but that the daemon did not send: a difference that lasts, until its maker takes it back. */
async function impostor({ stage, fold, impostors, onEnd }: Scene): Promise<void> {
  const { owner } = stage.exchange;
  const market = lastingMarket(stage);
  const reference = `${fold.run}-${fold.lastClient + IMPOSTOR_ABOVE}`;
  const ids = await placeAsOwner(stage, market, { ...restingOrder(market), reference });
  for (const id of ids) impostors.add(id);
  if (ids.length > 0) onEnd(() => owner.cancel({ market: market.id, ids }));
}

/** A request that was held up so long that its order counts as absent is carried out after all. */
async function reappear(scene: Scene): Promise<void> {
  const { stage, fold } = scene;
  let isDone = false;
  scene.onRecord((record) => {
    if (isDone || record.kind !== 'rejected' || record.code !== 'PROVEN_ABSENT') return;
    const terms = fold.orders.get(record.client)?.terms;
    if (terms === undefined) return;
    isDone = true;
    const sent = requestOf({ run: fold.run, lengthMax: stage.exchange.referenceMax }, terms);
    void stage.exchange.owner.place(terms.market, [sent]);
  });
  await stage.inject({ kind: 'dropBefore', operations: PLACING, count: 1 });
}

/** The request as the daemon sent it: an order that is matched at once is found by its whole reference alone. */
function requestOf({ run, lengthMax }: { readonly run: string; readonly lengthMax: number }, terms: SentOrder): Wish {
  const { outcome: outcomeId, side, keepWhenInPlay, matchBehavior, client, strategy } = terms;
  const price = decimalOfTick(tick(terms.tick));
  const stake = terms.stake / MONEY_SCALE;
  const reference = new References({ prefix: run, strategies: [], lengthMax }).named(client, strategy);
  return { outcomeId, side, price, stake, keepWhenInPlay, matchBehavior, reference };
}

/** A market in which the nasty strategy throws; gone after a while. */
async function trap({ stage, onEnd }: Scene): Promise<void> {
  const market = await stage.mill.make('Trap', Date.now() + TRAP_MS + 60_000);
  market.isTaking = false;
  onEnd(async () => {
    market.overAt = Date.now();
    await stage.control.call('POST', `/markets/${market.id}/void`, {});
    await stage.control.call('POST', `/markets/${market.id}/close`, {});
  });
}
