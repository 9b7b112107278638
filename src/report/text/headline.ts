/** The first sentence of a report: made or lost how much, how sure that is, and why nothing was traded where nothing was. */

import { REFUSALS } from '../../core/refusal.ts';
import { columnsOf } from '../../result/figures/bounds.ts';
import type { BacktestResult } from '../../result/result.ts';
import type { RunStatistics } from '../../result/statistics.ts';
import { amount, count, percent, plural, signed } from '../../words/numbers.ts';

export interface Headline {
  /** Made or lost how much; or why nothing was traded. */
  readonly money: string;
  /** How sure that is; undefined where there is nothing to be sure of, or nobody judged it. */
  readonly sureness: string | undefined;
}

/** What the headline is made of: a result as it is, or as a report holds it. */
export type HeadlineFacts = Pick<
  BacktestResult,
  'total' | 'currency' | 'orders' | 'refusals' | 'rejections' | 'fills'
> & {
  readonly statistics: RunStatistics | undefined;
  /** How many markets were replayed. */
  readonly markets: number;
  /** Whether any market was settled. */
  readonly isSettled: boolean;
  /** Backer's stake matched in settled markets, with central fills. */
  readonly settledStake: number;
};

export function headline(facts: HeadlineFacts): Headline {
  const { total, currency, statistics, markets, isSettled, settledStake } = facts;
  if (markets === 0) return { money: 'No market was replayed.', sureness: undefined };
  if (columnsOf(total).every((bound) => total[bound]?.stakeMatched === 0))
    return { money: untraded(facts), sureness: undefined };
  if (!isSettled) {
    const matched = `${amount(total.central.stakeMatched)} ${currency}`;
    return { money: `No market is settled yet: ${matched} of stake is matched.`, sureness: undefined };
  }
  const { profitNet } = total.central;
  const yields = settledStake === 0 ? '' : ` (yield ${percent(profitNet / settledStake)})`;
  return {
    money: `${madeOrLost(profitNet, currency)}${yields}.`,
    sureness: statistics && surenessOf(statistics, facts.fills),
  };
}

function madeOrLost(profit: number, currency: string): string {
  const text = amount(Math.abs(profit));
  if (!/[1-9]/.test(text)) return `Neither made nor lost: 0.00 ${currency}`;
  return `${profit > 0 ? 'Made' : 'Lost'} ${text} ${currency}`;
}

function untraded({ orders, refusals, rejections }: HeadlineFacts): string {
  const { intended, refused, sent, rejected } = orders;
  if (intended === 0) return 'Nothing was traded: the strategies never returned an intent.';
  if (sent === 0 && refused > 0) {
    const [code = ''] = commonest(refusals);
    const means = (REFUSALS as Readonly<Partial<Record<string, { readonly means: string }>>>)[code]?.means;
    const why = means === undefined ? code : `${code}, ${means.replaceAll('`', '')}`;
    return `Nothing was traded: ${plural(refused, 'intent')} refused, most of them by ${why}.`;
  }
  if (sent > 0 && rejected === sent)
    return `Nothing was traded: the exchange rejected ${allOf(sent)}, most of them with ${commonest(rejections)[0] ?? ''}.`;
  return `Nothing was matched of ${plural(sent, 'order')} sent.`;
}

function allOf(sent: number): string {
  return sent === 1 ? 'the only order' : `all ${count(sent)} orders`;
}

/** The names with the largest numbers first. */
function commonest(times: Readonly<Partial<Record<string, number>>>): readonly string[] {
  return Object.keys(times).toSorted((a, b) => (times[b] ?? 0) - (times[a] ?? 0));
}

function surenessOf({ profitPerEvent }: RunStatistics, fills: BacktestResult['fills']): string {
  const { central } = profitPerEvent;
  if (central.kind === 'notKnown') return `How sure that is cannot be said. ${central.reason}`;
  const { estimate, low, high, groups } = central;
  const figures = `Per event ${signed(estimate)}, 95 % ${signed(low)} … ${signed(high)}`;
  return `${figures}, from ${plural(groups, 'event group')}: ${verdict(profitPerEvent, fills)}.`;
}

/** A world whose interval is not known excludes nothing. */
function verdict(perEvent: RunStatistics['profitPerEvent'], fills: BacktestResult['fills']): string {
  const [central, ...others] = (['central', 'pessimistic', 'optimistic'] as const).map((bound) => {
    const figure = perEvent[bound];
    const side = figure.kind === 'notKnown' ? 0 : figure.low > 0 ? 1 : figure.high < 0 ? -1 : 0;
    return { bound, side };
  });
  if (central?.side === 0 || central === undefined) return 'zero lies within, so this may be luck alone';
  const doubtful = others.filter(({ side }) => side !== central.side).map(({ bound }) => bound);
  if (doubtful.length === 0) return `zero lies outside${fills === 'central' ? '' : ', whatever the fills'}`;
  return `zero lies outside, but the ${doubtful.join(' and the ')} fills cannot exclude it`;
}
