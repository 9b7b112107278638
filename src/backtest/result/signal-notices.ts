/** Notices about signals of which the run could use nothing, or not all. */

import type { Notice } from '../../result/notices.ts';
import type { SignalSeries } from '../../strategy/signals.ts';
import { count, plural } from '../../words/numbers.ts';
import type { SourceChoice, SourceMarket } from '../simulation/backtest-source.ts';

/** One declared signal, read to its end. */
export interface ReadSignal {
  readonly strategy: string;
  readonly name: string;
  readonly file: string;
  readonly series: SignalSeries;
}

export function signalNotices(
  signals: readonly ReadSignal[],
  { markets, onTapes }: Pick<SourceChoice, 'markets' | 'onTapes'>,
): readonly Notice[] {
  const marketById = new Map(markets.map((each) => [each.market.facts.id, each]));
  return signals.flatMap((signal) => {
    const found = noticeOf(signal, marketById);
    const unknown = found?.code === 'SIGNAL_MATCHES_NOTHING' ? undefined : unknownMarkets(signal, onTapes);
    return [found, unknown]
      .flatMap((each) => each ?? [])
      .map((each) => ({ ...each, strategy: signal.strategy, where: signal.file }));
  });
}

type Found = Pick<Notice, 'code' | 'what' | 'next' | 'markets'>;

function noticeOf({ name, series }: ReadSignal, marketById: ReadonlyMap<string, SourceMarket>): Found | undefined {
  let [rows, inTime] = [0, 0];
  let foreign: string | undefined;
  const unknown = new Map<string, number>();
  const known = new Set<string>();
  for (const column of series.columns()) {
    rows += column.rows;
    const market = marketById.get(column.market)?.market;
    if (market === undefined) foreign ??= column.market;
    else if (market.facts.outcomes.every(({ id }) => id !== column.outcome))
      unknown.set(column.market, (unknown.get(column.market) ?? 0) + column.rows);
    else {
      known.add(column.market);
      if (column.firstAt <= market.lastAt) inTime += 1;
    }
  }
  if (known.size === 0 && unknown.size === 0) return matchesNothing({ name, rows, foreign, marketById });
  if (unknown.size > 0) return unknownOutcomes(name, unknown, marketById);
  if (inTime > 0) return undefined;
  return {
    code: 'SIGNAL_TOO_LATE',
    what: `All rows of signal '${name}' for markets of the run become available after the last update of their market.`,
    next: 'Check `availableAt`: its zone, and that it is the time at which the value was known.',
    markets: [...known],
  };
}

interface Unmatched {
  readonly name: string;
  readonly rows: number;
  readonly foreign: string | undefined;
  readonly marketById: ReadonlyMap<string, SourceMarket>;
}

function matchesNothing({ name, rows, foreign, marketById }: Unmatched): Found {
  const [id = ''] = marketById.keys();
  return {
    code: 'SIGNAL_MATCHES_NOTHING',
    what:
      foreign === undefined
        ? `Signal '${name}' has no rows.`
        : `None of the ${plural(rows, 'row')} of signal '${name}' is of a market of the run: the first is of market '${foreign}', and the run has markets such as '${id}'.`,
    next: 'Write the ids of the tape into the file: `oddsmith tape info TAPE` shows those of its markets.',
  };
}

/** This many ids are enough to see what is wrong with all of them. */
const SHOWN = 3;

function unknownMarkets({ name, series }: ReadSignal, onTapes: ReadonlySet<string>): Found | undefined {
  const all = new Set<string>();
  let rows = 0;
  for (const column of series.columns()) {
    if (onTapes.has(column.market)) continue;
    all.add(column.market);
    rows += column.rows;
  }
  const [first] = all;
  if (first === undefined) return undefined;
  const shown = [...all].slice(0, SHOWN).map((id) => `'${id}'`);
  const cut = [...all].find((id) => onTapes.has(`${id}0`));
  return {
    code: 'SIGNAL_MARKETS_UNKNOWN',
    what: `${plural(rows, 'row')} of signal '${name}' are of ${plural(all.size, 'market')} that no tape of the run holds, such as ${shown.join(', ')}.`,
    next:
      cut === undefined
        ? 'Nothing, where the file is of more markets than the tapes; else write the ids as `oddsmith tape info TAPE` shows them.'
        : `Write the ids as texts: '${cut}' is '${cut}0' on the tape, and a program that took it for a number left its last 0 out.`,
  };
}

function unknownOutcomes(
  name: string,
  unknown: ReadonlyMap<string, number>,
  marketById: ReadonlyMap<string, SourceMarket>,
): Found {
  const [market = ''] = unknown.keys();
  const has = marketById.get(market)?.market.facts.outcomes[0]?.id ?? '';
  const rows = [...unknown.values()].reduce((sum, each) => sum + each, 0);
  return {
    code: 'SIGNAL_OUTCOMES_UNKNOWN',
    what: `${plural(rows, 'row')} of signal '${name}' name outcomes that their markets do not have, in ${count(unknown.size)} of ${plural(marketById.size, 'market')}.`,
    next: `Write the outcome's id as the tape has it: market ${market} has outcomes such as '${has}'.`,
    markets: [...unknown.keys()],
  };
}
