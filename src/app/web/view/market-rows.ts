/** The markets of a view as a list: those of the tapes, and those that the run played and no tape holds. */

import { chooseMarkets } from '../../../backtest/simulation/backtest-source.ts';
import type { MarketFacts } from '../../../core/market.ts';
import type { ViewMarketRow } from '../../../report/view/view-data.ts';
import type { ViewedRun, ViewedTapes } from './run/viewed-run.ts';

/** Those with own orders first, then by their start. */
export function marketRows(run: ViewedRun, opened: ViewedTapes): readonly ViewMarketRow[] {
  const rows = new Map<string, ViewMarketRow>();
  const { markets, leftOut } = chooseMarkets(opened.tapes, { types: [], events: [], ids: [] });
  for (const { market } of markets) rows.set(market.facts.id, rowOf(run, market.facts, { updates: market.updates }));
  const facts = new Map(opened.tapes.flatMap((tape) => tape.markets.map((market) => [market.facts.id, market.facts])));
  for (const { id, reason } of leftOut) {
    const refused = facts.get(id);
    if (rows.has(id) || refused === undefined) continue;
    rows.set(id, rowOf(run, refused, { updates: 0, why: `It is no market that can be shown: ${reason}.` }));
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
  if (refusal !== undefined) return `It is no market that can be shown: ${refusal}.`;
  const own = faults.filter(({ markets }) => markets === undefined || markets.has(id));
  if (!run.markets.has(id) && !own.some(({ markets }) => markets !== undefined)) return undefined;
  if (own.length === 0) return 'It is on none of the tapes.';
  return own.map(({ error: { code, what, where } }) => `${what} (${code}, ${where ?? ''})`).join(' ');
}

interface Recorded {
  readonly updates: number;
  readonly why?: string | undefined;
}

type KnownFacts = Pick<MarketFacts, 'id' | 'name' | 'eventName'> & { readonly expectedStartTime?: number | undefined };

function rowOf(
  run: ViewedRun,
  { id, name, eventName, expectedStartTime }: KnownFacts,
  recorded: Recorded,
): ViewMarketRow {
  const played = run.markets.get(id);
  const orders = run.orders.get(id) ?? [];
  return {
    ...{ id, name, event: eventName, startsAt: played?.startsAt ?? expectedStartTime, updates: recorded.updates },
    orders: orders.length,
    fills: orders.reduce((sum, { fills }) => sum + fills.length, 0),
    profit: played?.profit,
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
