/** What a market shows at one moment, as the stream needs it. Pictures never change, and share what did not change between them. */

import type { StreamMarketDefinition } from '../../../betfair/wire/stream/market-change.ts';
import { defined } from '../../../core/checks/assert.ts';
import { decimalOfTick } from '../../../core/number/ladder.ts';
import { MONEY_SCALE, PRICE_SCALE } from '../../../core/number/units.ts';
import type { PriceLevel } from '../../../matching/state/visible-prices.ts';
import type { World } from '../../../sandbox/world/world.ts';
import { totalMatchedOf } from '../../documents/market-documents.ts';
import {
  LEAST_SIZE,
  offered,
  offersOf,
  type PriceAndSize,
  rolledUp,
  tradedOf,
} from '../../documents/price-documents.ts';
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

/** A picture and the offers that it was painted from, by outcome. */
export interface Painted {
  readonly picture: MarketPicture;
  readonly levels: readonly Offers[];
  readonly virtual: readonly Offers[];
}

type Offers = readonly PriceLevel[];

export interface PictureParts {
  readonly world: World;
  readonly facts: MarketFacts;
  readonly turn: number;
  /** The picture before; undefined for the first. */
  readonly before: Painted | undefined;
  /** Whether anybody reads virtual offers. */
  readonly isVirtual: boolean;
}

/** The present picture: the one before where the market looks as it did. Runners that look as they did are not painted again. */
export function paint({ world, facts, turn, before, isVirtual }: PictureParts): Painted {
  const { market } = facts.record;
  const levels = byOutcome(world.exchange.prices(market, { empty: true }), facts);
  const isApart = isVirtual && facts.view.crossMatching;
  const virtual = isApart ? byOutcome(world.exchange.prices(market, { cross: true }), facts) : levels;
  const least = LEAST_SIZE * MONEY_SCALE;
  const past = before?.picture;
  const isOver = facts.status === 'CLOSED';
  const areComparable = (past?.definition.status === 'CLOSED') === isOver;
  const runners = facts.runners.map((_, outcome) => {
    const [own = [], all = []] = [levels[outcome], virtual[outcome]];
    const old = past?.runners[outcome];
    const numbers = numbersOf(facts, outcome);
    const isSame =
      areComparable &&
      areEqual(before?.levels[outcome], own) &&
      areEqual(before?.virtual[outcome], all) &&
      (old?.bdatb !== undefined) === isVirtual;
    if (old !== undefined && isSame && haveSameNumbers(old, numbers)) return old;
    return { ...numbers, ...listsOf({ levels: own, virtual: all, isOver, isVirtual, least }) };
  });
  const picture = pictureOf({ facts, turn, past, runners });
  return { picture, levels, virtual };
}

function pictureOf(parts: {
  readonly facts: MarketFacts;
  readonly turn: number;
  readonly past: MarketPicture | undefined;
  readonly runners: readonly RunnerPicture[];
}): MarketPicture {
  const { facts, turn, past, runners } = parts;
  const definition = definitionOf(facts);
  const tv = totalMatchedOf(facts);
  const isSame = past !== undefined && JSON.stringify(past.definition) === JSON.stringify(definition);
  const areSame = runners.every((runner, outcome) => runner === past?.runners[outcome]);
  if (past !== undefined && isSame && areSame && past.tv === tv) return past;
  return {
    market: facts.record.market,
    id: facts.id,
    number: past === undefined ? 0 : past.number + 1,
    turn,
    definition: isSame ? past.definition : definition,
    tv,
    runners,
  };
}

function byOutcome(levels: Offers, { runners }: MarketFacts): readonly Offers[] {
  const lists: PriceLevel[][] = runners.map(() => []);
  for (const level of levels) lists[level.outcome]?.push(level);
  return lists;
}

type Numbers = Pick<RunnerPicture, 'id' | 'hc' | 'tv' | 'ltp' | 'spn' | 'spf'>;

function numbersOf(facts: MarketFacts, outcome: number): Numbers {
  const { selectionId, handicap } = defined(facts.runners[outcome], 'a market has its runners');
  const { near, far } = facts.record.shown?.outcomes[outcome]?.startingPrices ?? {};
  const lastTick = facts.view.lastTicks[outcome];
  return {
    id: selectionId,
    hc: handicap,
    tv: sizeOf(2 * (facts.view.traded[outcome] ?? 0)),
    ltp: lastTick === undefined ? undefined : decimalOfTick(lastTick),
    spn: near === undefined ? undefined : near / PRICE_SCALE,
    spf: far === undefined ? undefined : far / PRICE_SCALE,
  };
}

interface ListParts {
  readonly levels: Offers;
  readonly virtual: Offers;
  readonly isOver: boolean;
  readonly isVirtual: boolean;
  /** Less than this is joined with the next price. */
  readonly least: number;
}

/** A market that is over offers nothing. */
function listsOf({ levels, virtual, isOver, isVirtual, least }: ListParts): Omit<RunnerPicture, keyof Numbers> {
  const [toBack, toLay] = isOver ? [[], []] : [offersOf(levels, 'BACK'), offersOf(levels, 'LAY')];
  const best = (offers: Offers) => rolledUp(offers, { model: 'STAKE', limit: least });
  const [batb, batl] = [best(toBack), best(toLay)];
  const isReal = virtual === levels || isOver;
  return {
    atb: offered(toBack),
    atl: offered(toLay),
    batb,
    batl,
    bdatb: isVirtual ? (isReal ? batb : best(offersOf(virtual, 'BACK'))) : undefined,
    bdatl: isVirtual ? (isReal ? batl : best(offersOf(virtual, 'LAY'))) : undefined,
    trd: tradedOf(levels),
  };
}

function haveSameNumbers(before: Numbers, now: Numbers): boolean {
  return before.tv === now.tv && before.ltp === now.ltp && before.spn === now.spn && before.spf === now.spf;
}

function areEqual(before: Offers | undefined, now: Offers): boolean {
  return (
    before?.length === now.length &&
    before.every((level, place) => {
      const other = now[place];
      return (
        level.tick === other?.tick &&
        level.side === other.side &&
        level.amount === other.amount &&
        level.matched === other.matched
      );
    })
  );
}
