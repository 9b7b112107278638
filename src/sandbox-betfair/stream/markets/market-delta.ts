/** What changed between two pictures of a market, as the stream tells it to one subscription. */

import type { StreamMarketChange, StreamRunnerChange } from '../../../betfair/wire/stream/market-change.ts';
import type { MarketDataField } from '../../../betfair/wire/stream/requests.ts';
import { withoutNewFields } from './market-definition.ts';
import type { Levels, MarketPicture, RunnerPicture } from './market-picture.ts';

/** The fields that a subscription gets, how deep its best offers go, and whether its client knows what came since 2025. */
export interface MarketView {
  readonly fields: ReadonlySet<MarketDataField>;
  readonly ladderLevels: number;
  readonly newFields: boolean;
}

/** The whole market. */
export function marketImage(picture: MarketPicture, view: MarketView): StreamMarketChange {
  return { ...changeOf(undefined, picture, view), id: picture.id, img: true };
}

/** What turns the picture before into the present one; undefined where the subscription sees no difference. */
export function marketDelta(
  before: MarketPicture,
  now: MarketPicture,
  view: MarketView,
): StreamMarketChange | undefined {
  const change = changeOf(before, now, view);
  if (change === undefined) return undefined;
  return { id: now.id, ...change, ...(now.number > before.number + 1 ? { con: true } : {}) };
}

type Content = Omit<StreamMarketChange, 'id' | 'img' | 'con'>;

function changeOf(before: MarketPicture | undefined, now: MarketPicture, view: MarketView): Content | undefined {
  const { fields } = view;
  const isNewDefinition = fields.has('EX_MARKET_DEF') && before?.definition !== now.definition;
  const isNewVolume = fields.has('EX_TRADED_VOL') && before?.tv !== now.tv;
  const rc = now.runners.flatMap((runner, place) => runnerDelta(before?.runners[place], runner, view) ?? []);
  if (!isNewDefinition && !isNewVolume && rc.length === 0) return undefined;
  return {
    ...(isNewDefinition
      ? { marketDefinition: view.newFields ? now.definition : withoutNewFields(now.definition) }
      : {}),
    ...(isNewVolume ? { tv: now.tv } : {}),
    ...(rc.length === 0 ? {} : { rc }),
  };
}

/** Fields whose rows are [price, size]. */
const BY_PRICE = [
  ['EX_ALL_OFFERS', 'atb'],
  ['EX_ALL_OFFERS', 'atl'],
  ['EX_TRADED', 'trd'],
] as const;
/** Fields whose rows are [level, price, size]. */
const BY_LEVEL = [
  ['EX_BEST_OFFERS', 'batb'],
  ['EX_BEST_OFFERS', 'batl'],
  ['EX_BEST_OFFERS_DISP', 'bdatb'],
  ['EX_BEST_OFFERS_DISP', 'bdatl'],
] as const;
const NUMBERS = [
  ['EX_TRADED_VOL', 'tv'],
  ['EX_LTP', 'ltp'],
  ['SP_PROJECTED', 'spn'],
  ['SP_PROJECTED', 'spf'],
] as const;

type Row = readonly number[];
type Found = { -readonly [Name in keyof StreamRunnerChange]?: StreamRunnerChange[Name] };

/** A starting price or a last price that is no longer there is not told: Betfair has no word for it. */
function runnerDelta(
  before: RunnerPicture | undefined,
  now: RunnerPicture,
  { fields, ladderLevels }: MarketView,
): StreamRunnerChange | undefined {
  if (before === now) return undefined;
  const found: Found = {};
  let isEmpty = true;
  const add = (name: (typeof BY_PRICE)[number][1] | (typeof BY_LEVEL)[number][1], rows: readonly Row[]) => {
    if (rows.length === 0) return;
    found[name] = rows.map((row) => [...row]);
    isEmpty = false;
  };
  for (const [field, name] of NUMBERS) {
    const value = now[name];
    if (!fields.has(field) || value === undefined || value === before?.[name]) continue;
    found[name] = value;
    isEmpty = false;
  }
  for (const [field, name] of BY_PRICE)
    if (fields.has(field) && before?.[name] !== now[name]) add(name, byPrice(before?.[name] ?? [], now[name]));
  for (const [field, name] of BY_LEVEL)
    if (fields.has(field) && before?.[name] !== now[name])
      add(name, byLevel(before?.[name] ?? [], now[name] ?? [], ladderLevels));
  if (isEmpty) return undefined;
  return { id: now.id, ...(now.hc === 0 ? {} : { hc: now.hc }), ...found };
}

/** Changed prices with their size, and those that are gone with 0. */
export function byPrice(before: Levels, now: Levels): readonly Row[] {
  const sizes = new Map(before.map(({ price, size }) => [price, size]));
  const rows: Row[] = [];
  for (const { price, size } of now) {
    // A level may be too small to be told: its size is 0 then.
    if ((sizes.get(price) ?? 0) !== size) rows.push([price, size]);
    sizes.delete(price);
  }
  for (const [price, size] of sizes) if (size > 0) rows.push([price, 0]);
  return rows;
}

function byLevel(before: Levels, now: Levels, depth: number): readonly Row[] {
  const rows: Row[] = [];
  for (let level = 0; level < depth; level += 1) {
    const [old, offer] = [before[level], now[level]];
    if (old?.price === offer?.price && old?.size === offer?.size) continue;
    rows.push([level, offer?.price ?? 0, offer?.size ?? 0]);
  }
  return rows;
}
