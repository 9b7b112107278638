/** Two runs beside each other: what each brought, and whether the difference by event is more than luck. */

import { eventGroupOf } from '../core/market.ts';
import { instant } from '../core/number/units.ts';
import type { ReportFacts } from '../pages/report/report-facts.ts';
import { type Interval, ratioInterval } from '../research/chance/bootstrap.ts';
import { type NotKnown, notKnown } from '../research/figure/not-known.ts';
import type { MarketResult } from '../result/result.ts';
import { amount, plural, signed } from '../words/numbers.ts';

export interface ComparedMarket {
  readonly market: MarketResult;
  /** Net profit with central fills; undefined where the run did not have the market. */
  readonly first: number | undefined;
  readonly second: number | undefined;
  /** The profit of the second run less that of the first, where both had the market. */
  readonly difference: number | undefined;
}

export interface Comparison {
  /** The second run less the first, over the markets that both had, with central fills. */
  readonly difference: number;
  /** The interval of the difference, by event group in which one of them bet. */
  readonly perEvent: Interval | NotKnown;
  /** The largest differences first. */
  readonly markets: readonly ComparedMarket[];
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

const RESAMPLES = 2_000;
const LEVEL = 0.95;

/** Both runs had the same events in common: each event is compared with itself, so that its luck is in both. */
export function comparisonOf(first: ReportFacts, second: ReportFacts): Comparison {
  const markets = comparedMarkets(first, second);
  const both = markets.filter(({ difference }) => difference !== undefined);
  return {
    difference: both.reduce((sum, { difference = 0 }) => sum + difference, 0),
    perEvent: perEventOf(both.filter(hasBets(first, second))),
    markets,
    onlyFirst: markets.filter(({ second: net }) => net === undefined).length,
    onlySecond: markets.filter(({ first: net }) => net === undefined).length,
  };
}

function comparedMarkets(first: ReportFacts, second: ReportFacts): readonly ComparedMarket[] {
  const [inFirst, inSecond] = [byId(first), byId(second)];
  const compared = [...new Map([...inSecond, ...inFirst])].map(([id, market]): ComparedMarket => {
    const [before, after] = [netOf(inFirst.get(id)), netOf(inSecond.get(id))];
    const difference = before === undefined || after === undefined ? undefined : after - before;
    return { market, first: before, second: after, difference };
  });
  return compared.toSorted((a, b) => Math.abs(b.difference ?? 0) - Math.abs(a.difference ?? 0));
}

function byId({ result }: ReportFacts): ReadonlyMap<string, MarketResult> {
  return new Map(result.byMarket.map((market) => [market.id, market]));
}

function netOf(market: MarketResult | undefined): number | undefined {
  return market?.settledAt === undefined ? undefined : market.profit.central.profitNet;
}

function hasBets(...runs: readonly ReportFacts[]): (compared: ComparedMarket) => boolean {
  const all = runs.map(byId);
  return ({ market }) => all.some((run) => (run.get(market.id)?.profit.central.stakeMatched ?? 0) > 0);
}

function perEventOf(markets: readonly ComparedMarket[]): Interval | NotKnown {
  if (markets.length === 0) return notKnown('No market with bets is in both runs.');
  const sums = new Map<string, number>();
  for (const { market, difference = 0 } of markets) {
    const { startsAt, venue } = market;
    const group = eventGroupOf({
      ...{ eventId: market.eventId },
      ...(venue === undefined ? {} : { venue }),
      ...(startsAt === undefined ? {} : { expectedStartTime: instant(startsAt) }),
    });
    sums.set(group, (sums.get(group) ?? 0) + difference);
  }
  const above = Float64Array.from(sums.values());
  return ratioInterval({ above, below: above.map(() => 1), seed: 1, resamples: RESAMPLES, level: LEVEL });
}

/** The comparison in words, as the first thing that is said of it. */
export function comparisonInWords(
  { difference, perEvent, onlyFirst, onlySecond }: Comparison,
  currency: string,
): readonly string[] {
  const text = amount(Math.abs(difference));
  const more = difference > 0 ? 'more' : 'less';
  const money = /[1-9]/.test(text)
    ? `The second run brought ${text} ${currency} ${more} than the first.`
    : 'Both runs brought the same.';
  return [money, surenessOf(perEvent), ...alone(onlyFirst, 'first'), ...alone(onlySecond, 'second')];
}

function surenessOf(perEvent: Interval | NotKnown): string {
  if (perEvent.kind === 'notKnown') return `How sure that is cannot be said. ${perEvent.reason}`;
  const { estimate, low, high, groups } = perEvent;
  const verdict = low > 0 || high < 0 ? 'zero lies outside' : 'zero lies within, so the difference may be luck alone';
  return `Per event ${signed(estimate)}, 95 % ${signed(low)} … ${signed(high)}, from ${plural(groups, 'event group')}: ${verdict}.`;
}

function alone(markets: number, which: string): readonly string[] {
  return markets === 0 ? [] : [`${plural(markets, 'market')} settled in the ${which} run alone and not compared.`];
}
