/** The markets of a view as a list: those of the tapes, and those that the run played and no tape holds. */

import { chooseMarkets, type SourceMarket } from '../../../backtest/simulation/backtest-source.ts';
import type { MarketFacts } from '../../../core/market.ts';
import type { ViewMarketRow } from '../../../pages/view-data.ts';
import type { Tape } from '../../../recording/tape/tape.ts';
import type { ViewedRun, ViewedTapes } from './run/viewed-run.ts';

/** Those with own orders first, then by their start. */
export function marketRows(run: ViewedRun, opened: ViewedTapes): readonly ViewMarketRow[] {
  const rows = new Map<string, ViewMarketRow>();
  for (const { market } of viewableMarkets(opened.tapes))
    rows.set(market.facts.id, rowOf(run, market.facts, { updates: market.updates, refusal: market.refusal }));
  for (const { facts, refusal } of opened.tapes.flatMap(({ markets }) => markets)) {
    if (rows.has(facts.id) || refusal === undefined) continue;
    rows.set(facts.id, rowOf(run, facts, { updates: 0, refusal, why: nothingToShow(refusal) }));
  }
  for (const [id, { event, name, startsAt }] of run.markets) {
    if (rows.has(id)) continue;
    const why = whyNot(run, opened, id);
    rows.set(id, rowOf(run, { id, name, eventName: event, expectedStartTime: startsAt }, { updates: 0, why }));
  }
  return [...rows.values()].sort(byOrdersAndStart);
}

/** Why a market cannot be opened that no tape holds whole; undefined where neither the run nor a tape knows it. */
export function whyNot(run: ViewedRun, { tapes, faults }: ViewedTapes, id: string): string | undefined {
  const refusal = tapes.flatMap(({ markets }) => markets).find(({ facts }) => facts.id === id)?.refusal;
  if (refusal !== undefined) return nothingToShow(refusal);
  const own = faults.filter(({ markets }) => markets === undefined || markets.has(id));
  if (!run.markets.has(id) && !own.some(({ markets }) => markets !== undefined)) return undefined;
  if (own.length === 0) return 'It is on none of the tapes.';
  return own.map(({ error: { code, what, where } }) => `${what} (${code}, ${where ?? ''})`).join(' ');
}

/** It has no outcome, or no update. */
function nothingToShow(refusal: string): string {
  return `Nothing of it can be shown: ${refusal}.`;
}

type KnownFacts = Pick<MarketFacts, 'id' | 'name' | 'eventName'> & { readonly expectedStartTime?: number | undefined };

function rowOf(
  run: ViewedRun,
  { id, name, eventName, expectedStartTime }: KnownFacts,
  recorded: { readonly updates: number; readonly refusal?: string | undefined; readonly why?: string | undefined },
): ViewMarketRow {
  const played = run.markets.get(id);
  const orders = run.orders.get(id) ?? [];
  return {
    ...{ id, name, event: eventName, startsAt: played?.startsAt ?? expectedStartTime, updates: recorded.updates },
    orders: orders.length,
    fills: orders.reduce((sum, { fills }) => sum + fills.length, 0),
    profit: played?.profit,
    refusal: recorded.refusal,
    why: recorded.why,
  };
}

function byOrdersAndStart(a: ViewMarketRow, b: ViewMarketRow): number {
  const own = Number(b.orders > 0) - Number(a.orders > 0);
  const startOf = ({ startsAt }: ViewMarketRow): number => startsAt ?? Number.MAX_SAFE_INTEGER;
  return own || startOf(a) - startOf(b) || (a.id < b.id ? -1 : 1);
}

/** What a reader must know of the tapes. */
export function tapeNotes({ tapes, faults }: ViewedTapes): readonly string[] {
  const notes: string[] = [];
  if (tapes.some(({ markets }) => markets.some(({ generated }) => generated !== undefined)))
    notes.push('The recording is generated: no such event took place.');
  for (const { unfinished } of tapes)
    if (unfinished !== undefined)
      notes.push(
        `The recording goes on, or its recorder was killed: shown is what was on the tape at ${new Date(unfinished.committedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC.`,
      );
  for (const { error } of faults)
    notes.push(`${error.what} (${error.code}, ${error.where ?? ''}) Its markets cannot be opened.`);
  return notes;
}

/**
 * The markets of tapes that a view can open: those that runs play, and those that no run can play but that are recorded all the same.
 * `ids`: of these alone; all where it is empty.
 */
export function viewableMarkets(tapes: readonly Tape[], ids: readonly string[] = []): readonly SourceMarket[] {
  const { markets } = chooseMarkets(tapes, { types: [], events: [], ids });
  const viewable = [...markets];
  const known = new Set(markets.map(({ market }) => market.facts.id));
  for (const tape of tapes)
    for (const market of tape.markets) {
      const { id, outcomes } = market.facts;
      if (known.has(id) || market.refusal === undefined) continue;
      if (market.updates === 0 || outcomes.length === 0 || (ids.length > 0 && !ids.includes(id))) continue;
      known.add(id);
      viewable.push({ index: viewable.length, tape, market });
    }
  return viewable;
}
