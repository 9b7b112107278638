/** The mutable state of a run while records are folded, indexed so that no record costs a walk over past orders. */

import type { ReportedOrder, SentOrder } from '../../core/run/kept-order.ts';
import { NO_RISK_MEMORY, RiskHistory } from '../../core/run/risk-memory.ts';
import type { RestoredOrder, RestoredResult, RunState } from '../../core/run/run-state.ts';
import type { HeartbeatState, TradingState } from '../../core/run/trading-state.ts';

export interface DraftOrder {
  terms: SentOrder;
  sentAt: number;
  report: ReportedOrder | undefined;
  fate: RestoredOrder['fate'];
  foreignOrder: number | undefined;
}

export interface RunDraft {
  run: string;
  lastClient: number;
  orders: Map<number, DraftOrder>;
  clientsByMarket: Map<string, Set<number>>;
  /** Results by market id, then by wallet id. */
  results: Map<string, Map<string, RestoredResult>>;
  trading: TradingState;
  tradingCause: string;
  /** Halt code by strategy name. */
  haltedStrategies: Map<string, string>;
  history: RiskHistory;
  heartbeat: HeartbeatState;
}

export function draftOf(state: RunState): RunDraft {
  const { run, lastClient, trading, tradingCause, heartbeat, riskMemory } = state;
  const draft: RunDraft = {
    run,
    lastClient,
    trading,
    tradingCause,
    heartbeat,
    orders: new Map(),
    clientsByMarket: new Map(),
    results: new Map(),
    haltedStrategies: new Map(state.haltedStrategies.map(({ strategy, code }) => [strategy, code])),
    history: new RiskHistory(riskMemory),
  };
  for (const { terms, sentAt, report, fate, foreignOrder } of state.orders)
    putOrder(draft, { terms, sentAt, report, fate, foreignOrder });
  for (const result of state.results) putResult(draft, result);
  return draft;
}

export function newDraft(run: string): RunDraft {
  return draftOf({
    run,
    lastClient: 0,
    orders: [],
    results: [],
    trading: 'running',
    tradingCause: '',
    haltedStrategies: [],
    riskMemory: NO_RISK_MEMORY,
    heartbeat: 'unarmed',
  });
}

export function stateOf(draft: RunDraft): RunState {
  const { run, lastClient, trading, tradingCause, heartbeat } = draft;
  const orders = [...draft.orders.values()].sort((one, other) => one.terms.client - other.terms.client);
  return {
    run,
    lastClient,
    orders: orders.map(restoredOrder),
    results: [...draft.results.values()].flatMap((byWallet) => [...byWallet.values()]),
    trading,
    tradingCause,
    haltedStrategies: [...draft.haltedStrategies].map(([strategy, code]) => ({ strategy, code })),
    riskMemory: draft.history.memory(),
    heartbeat,
  };
}

export function noteClient(draft: RunDraft, client: number): void {
  if (client > draft.lastClient) draft.lastClient = client;
}

export function putOrder(draft: RunDraft, order: DraftOrder): DraftOrder {
  const { client, market } = order.terms;
  dropOrder(draft, client);
  draft.orders.set(client, order);
  const clients = draft.clientsByMarket.get(market);
  if (clients === undefined) draft.clientsByMarket.set(market, new Set([client]));
  else clients.add(client);
  return order;
}

export function dropOrder(draft: RunDraft, client: number): void {
  const order = draft.orders.get(client);
  if (order === undefined) return;
  const { market } = order.terms;
  draft.orders.delete(client);
  const clients = draft.clientsByMarket.get(market);
  clients?.delete(client);
  if (clients?.size === 0) draft.clientsByMarket.delete(market);
}

export function dropMarket(draft: RunDraft, market: string): void {
  for (const client of draft.clientsByMarket.get(market) ?? []) draft.orders.delete(client);
  draft.clientsByMarket.delete(market);
  draft.results.delete(market);
}

export function putResult(draft: RunDraft, result: RestoredResult): void {
  const byWallet = draft.results.get(result.market);
  if (byWallet === undefined) draft.results.set(result.market, new Map([[result.wallet, result]]));
  else byWallet.set(result.wallet, result);
}

function restoredOrder({ terms, sentAt, report, fate, foreignOrder }: DraftOrder): RestoredOrder {
  return {
    terms,
    sentAt,
    fate,
    ...(report === undefined ? {} : { report }),
    ...(foreignOrder === undefined ? {} : { foreignOrder }),
  };
}
