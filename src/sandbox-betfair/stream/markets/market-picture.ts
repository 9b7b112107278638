/** What a market shows at one moment, as the stream needs it. Pictures never change, and share what did not change between them. */

import { BET_MINIMUMS } from '../../../betfair/wire/basics/currencies.ts';
import type { StreamMarketDefinition } from '../../../betfair/wire/stream/market-change.ts';
import { defined } from '../../../core/checks/assert.ts';
import { decimalOfTick } from '../../../core/number/ladder.ts';
import { MONEY_SCALE, PRICE_SCALE } from '../../../core/number/units.ts';
import type { PriceLevel } from '../../../matching/state/visible-prices.ts';
import { mainCurrency } from '../../../sandbox/traffic/market-maker.ts';
import type { World } from '../../../sandbox/world/world.ts';
import { totalMatchedOf } from '../../documents/market-documents.ts';
import { offered, offersOf, type PriceAndSize, rolledUp, tradedOf } from '../../documents/price-documents.ts';
import { sizeOf } from '../../names/amounts.ts';
import type { MarketFacts } from '../../state/market-facts.ts';
import { definitionOf } from './market-definition.ts';

export type Levels = readonly PriceAndSize[];

export interface RunnerPicture {
  readonly id: number;
  readonly hc: number;
  /** All offers, the best first. */
  readonly atb: Levels;
  readonly atl: Levels;
  /** The best offers, where small stakes are joined with the next price. */
  readonly batb: Levels;
  readonly batl: Levels;
  /** The same with stake that comes from other runners by cross matching; undefined where nobody asked for it yet. */
  readonly bdatb: Levels | undefined;
  readonly bdatl: Levels | undefined;
  readonly trd: Levels;
  readonly tv: number;
  readonly ltp: number | undefined;
  readonly spn: number | undefined;
  readonly spf: number | undefined;
}

export interface MarketPicture {
  readonly market: number;
  readonly id: string;
  /** Counts the pictures of the market: a change that skips some of them joins several changes. */
  readonly number: number;
  /** The turn of the stream in which the market came to look so. */
  readonly turn: number;
  readonly definition: StreamMarketDefinition;
  readonly tv: number;
  readonly runners: readonly RunnerPicture[];
}

export interface PictureParts {
  readonly world: World;
  readonly facts: MarketFacts;
  readonly turn: number;
  /** The picture before; undefined for the first. */
  readonly before: MarketPicture | undefined;
  /** Whether anybody reads virtual offers. */
  readonly isVirtual: boolean;
  /** Whether documents have the fields that came since 2025. */
  readonly newFields: boolean;
}

/** The present picture: the one before where the market looks as it did. */
export function pictureOf({ world, facts, turn, before, isVirtual, newFields }: PictureParts): MarketPicture {
  const { market } = facts.record;
  const levels = byOutcome(world.exchange.prices(market, { empty: true }), facts);
  const isApart = isVirtual && facts.view.crossMatching;
  const virtual = isApart ? byOutcome(world.exchange.prices(market, { cross: true }), facts) : levels;
  const least = (BET_MINIMUMS[mainCurrency(world).id]?.size ?? 1) * MONEY_SCALE;
  const runners = facts.runners.map((_, outcome) => {
    const parts = { facts, outcome, least, levels: levels[outcome] ?? [], virtual: virtual[outcome] ?? [], isVirtual };
    return shared(before?.runners[outcome], runnerOf(parts));
  });
  const definition = definitionOf(facts, newFields);
  const tv = totalMatchedOf(facts);
  if (before === undefined) return { market, id: facts.id, number: 0, turn, definition, tv, runners };
  const isSame = JSON.stringify(before.definition) === JSON.stringify(definition);
  const areSame = runners.every((runner, outcome) => runner === before.runners[outcome]);
  if (isSame && areSame && before.tv === tv) return before;
  return {
    market,
    id: facts.id,
    number: before.number + 1,
    turn,
    definition: isSame ? before.definition : definition,
    tv,
    runners,
  };
}

function byOutcome(levels: readonly PriceLevel[], { runners }: MarketFacts): readonly (readonly PriceLevel[])[] {
  const lists: PriceLevel[][] = runners.map(() => []);
  for (const level of levels) lists[level.outcome]?.push(level);
  return lists;
}

interface RunnerParts {
  readonly facts: MarketFacts;
  readonly outcome: number;
  /** Less than this is joined with the next price. */
  readonly least: number;
  readonly levels: readonly PriceLevel[];
  readonly virtual: readonly PriceLevel[];
  readonly isVirtual: boolean;
}

function runnerOf({ facts, outcome, least, levels, virtual, isVirtual }: RunnerParts): RunnerPicture {
  const { selectionId, handicap } = defined(facts.runners[outcome], 'a market has its runners');
  const { near, far } = facts.record.shown?.outcomes[outcome]?.startingPrices ?? {};
  const lastTick = facts.view.lastTicks[outcome];
  const isOver = facts.status === 'CLOSED';
  const [toBack, toLay] = isOver ? [[], []] : [offersOf(levels, 'BACK'), offersOf(levels, 'LAY')];
  const rollup = { model: 'STAKE', limit: least } as const;
  const batb = rolledUp(toBack, rollup);
  const batl = rolledUp(toLay, rollup);
  const best = (side: 'BACK' | 'LAY') => (isOver ? [] : rolledUp(offersOf(virtual, side), rollup));
  return {
    id: selectionId,
    hc: handicap,
    atb: offered(toBack),
    atl: offered(toLay),
    batb,
    batl,
    bdatb: isVirtual ? (virtual === levels ? batb : best('BACK')) : undefined,
    bdatl: isVirtual ? (virtual === levels ? batl : best('LAY')) : undefined,
    trd: tradedOf(levels),
    tv: sizeOf(2 * (facts.view.traded[outcome] ?? 0)),
    ltp: lastTick === undefined ? undefined : decimalOfTick(lastTick),
    spn: near === undefined ? undefined : near / PRICE_SCALE,
    spf: far === undefined ? undefined : far / PRICE_SCALE,
  };
}

const LISTS = ['atb', 'atl', 'batb', 'batl', 'bdatb', 'bdatl', 'trd'] as const;

/** The runner before where it looks the same; else the present one with those lists of before that are the same. */
function shared(before: RunnerPicture | undefined, now: RunnerPicture): RunnerPicture {
  if (before === undefined) return now;
  const lists = Object.fromEntries(
    LISTS.map((name) => [name, areEqual(before[name], now[name]) ? before[name] : now[name]]),
  );
  const joined: RunnerPicture = { ...now, ...lists };
  const isSame = LISTS.every((name) => joined[name] === before[name]) && haveSameNumbers(before, now);
  return isSame ? before : joined;
}

function haveSameNumbers(before: RunnerPicture, now: RunnerPicture): boolean {
  return before.tv === now.tv && before.ltp === now.ltp && before.spn === now.spn && before.spf === now.spf;
}

function areEqual(left: Levels | undefined, right: Levels | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.length === right.length &&
    left.every(({ price, size }, place) => price === right[place]?.price && size === right[place]?.size)
  );
}
