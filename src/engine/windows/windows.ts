/** Makes all that a strategy is given, of the realm in which this file is evaluated: the engine's own, or that of a strategy's file. */

import { Observable, type Observer, Subject } from 'rxjs';
import type { DecideInput, LinkedMarket } from '../../strategy/contract.ts';
import { readPlot } from '../../strategy/decision/read-plot.ts';
import type { ParamsSpec, ParamValues } from '../../strategy/params.ts';
import { createMarketView } from '../../strategy/views/market-view.ts';
import { checkOpen, type ViewGate } from '../../strategy/views/view-gate.ts';
import type { MarketView, OrderView, PositionView, WalletView } from '../../strategy/views/views.ts';
import { DecideWindow } from './decide-window.ts';
import { frozenFacts } from './known-facts.ts';
import { LinkedWindow } from './linked-window.ts';
import { OrderWindow } from './order-window.ts';
import { ownError } from './own-error.ts';
import { PositionWindow } from './position-window.ts';
import { WalletWindow } from './wallet-window.ts';

/** What is called here belongs to another realm: its lists are copied, and its errors become errors of this one. */
export const WINDOWS = Object.freeze({
  market: createMarketView,
  facts: frozenFacts,
  input: (from: DecideInput): DecideInput => new DecideWindow(from),
  order: (from: OrderView): OrderView => new OrderWindow(from),
  linked: (from: LinkedMarket): LinkedMarket => new LinkedWindow(from),
  position: (from: PositionView): PositionView => new PositionWindow(from),
  wallet: (from: WalletView): WalletView => new WalletWindow(from),
  list: ownList,

  params: (from: ParamValues<ParamsSpec>): ParamValues<ParamsSpec> => {
    const values: Record<string, unknown> = {};
    for (const name in from) values[name] = from[name];
    return Object.freeze(values) as ParamValues<ParamsSpec>;
  },

  markets: (get: (id: string) => MarketView | undefined, all: () => readonly MarketView[]): DecideInput['markets'] =>
    Object.freeze({ get: Object.freeze((id: string) => get(id)), all: Object.freeze(() => ownList(all())) }),

  signal: (read: DecideInput['signal']): DecideInput['signal'] =>
    Object.freeze((name: string, outcome: string): number | undefined => {
      try {
        return read(name, outcome);
      } catch (thrown) {
        throw ownError(thrown);
      }
    }),

  plot: (gate: ViewGate, plotted: (name: string, value: number) => void): DecideInput['plot'] =>
    Object.freeze((values: unknown) => {
      checkOpen(gate);
      readPlot(values, plotted);
    }),

  /** The inputs of a strategy of the stream form; and the stream that it is shown, through which it can emit none. */
  inputs: (): Subject<DecideInput> => new Subject<DecideInput>(),
  shown: (inputs$: Subject<DecideInput>): Observable<DecideInput> =>
    Object.freeze(new Observable<DecideInput>((listener) => inputs$.subscribe(listener))),
  observer: (next: (emitted: unknown) => void, error: (thrown: unknown) => void): Partial<Observer<unknown>> => ({
    next: (emitted) => next(emitted),
    error: (thrown) => error(thrown),
  }),
});

export type Windows = typeof WINDOWS;

function ownList<T>(from: readonly T[]): readonly T[] {
  const list: T[] = [];
  for (let at = 0; at < from.length; at += 1) list[at] = from[at] as T;
  return Object.freeze(list);
}
