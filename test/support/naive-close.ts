/** The close of each market as plain walks over its tape find it: a slow, obvious judge of what a backtest keeps. */

import { openTape, type TapeUpdate } from 'oddsmith/backtest';
import type { OutcomeEnd } from '../../src/result/figures/outcome-end.ts';

export interface NaiveMarket {
  readonly inPlayAt: number | undefined;
  readonly preOffAt: number | undefined;
  /** By index of the outcome. */
  readonly outcomes: readonly {
    readonly preOff: OutcomeEnd['preOff'] | undefined;
    readonly startingPrice: number | undefined;
    readonly result: OutcomeEnd['result'] | undefined;
  }[];
}

type PreOff = NonNullable<OutcomeEnd['preOff']>;
type Definition = NonNullable<TapeUpdate['events'][number]['definition']>;

export function naiveClose(path: string, market: string): NaiveMarket {
  const tape = openTape(path);
  const updates = [...tape.updates([market])];
  const info = tape.market(market);
  tape.close();
  const definitions = updates.flatMap(({ publishedAt, events }, index) =>
    events.flatMap(({ definition }) => (definition === undefined ? [] : [{ index, publishedAt, definition }])),
  );
  const trades = ({ status, suspended }: Definition) => status === 'Open' && !suspended;
  const off = definitions.findIndex(
    ({ definition }, i) =>
      definition.inPlayStatus === 'InPlay' &&
      definition.status === 'Open' &&
      /PrePlay|NotApplicable/.test(definitions[i - 1]?.definition.inPlayStatus ?? ''),
  );
  const ended = definitions.findIndex(({ definition: { status } }) => status === 'Settled' || status === 'Voided');
  const last = off !== -1 ? off : ended;
  // The last definition, up to the off or the end, that stopped a market which traded until then.
  const stop = definitions
    .slice(0, last + 1)
    .findLast(
      ({ definition }, i) =>
        i > 0 && trades(definitions[i - 1]?.definition ?? definition) && (i === last || !trades(definition)),
    );
  const closing = definitions.findLast(({ definition }) => definition.status === 'Settled')?.definition;
  const newest = definitions.at(-1)?.definition;
  return {
    inPlayAt: definitions[off]?.publishedAt,
    preOffAt: stop?.publishedAt,
    outcomes: (newest?.outcomes ?? []).map(({ startingPrice }, outcome) => ({
      startingPrice,
      result: definitions.some(({ definition }) => definition.outcomes[outcome]?.status === 'Removed')
        ? 'Removed' // It stays so, even where a recording brings it back.
        : resultOf(closing, outcome),
      preOff:
        stop &&
        shownBefore(updates.slice(0, stop.index), info?.outcomes[outcome]?.id, /^[AB]$/.test(info?.grade ?? '')),
    })),
  };
}

function resultOf(closing: Definition | undefined, outcome: number): OutcomeEnd['result'] {
  const status = closing?.outcomes[outcome]?.status;
  if (closing === undefined) return undefined;
  return status === 'Winner' ? 'Winner' : 'Loser';
}

function shownBefore(updates: readonly TapeUpdate[], outcome: string | undefined, hasVolume: boolean): PreOff {
  const levels = { For: new Map<number, number>(), Against: new Map<number, number>() };
  let traded = 0;
  let lastPrice: number | undefined;
  for (const event of updates.flatMap(({ events }) => events)) {
    if (event.outcome !== outcome) continue;
    if (event.kind === 'level' && (event.side === 'For' || event.side === 'Against'))
      levels[event.side].set(event.price ?? 0, event.stake ?? 0);
    if (event.kind === 'trade') traded += event.stake ?? 0;
    if (event.kind === 'lastPrice') lastPrice = event.price;
  }
  const pricesOf = (side: 'For' | 'Against') =>
    [...levels[side]].filter(([, stake]) => stake > 0).map(([price]) => price);
  const [fors, againsts] = [pricesOf('For'), pricesOf('Against')];
  return {
    ...(fors.length > 0 && { bestFor: Math.min(...fors) }),
    ...(againsts.length > 0 && { bestAgainst: Math.max(...againsts) }),
    ...(lastPrice !== undefined && { lastPrice }),
    ...(hasVolume && { traded: Math.round(traded * 1e6) / 1e6 }),
  };
}
