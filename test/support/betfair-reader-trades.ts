/** The second reading's own word on which rises of traded volume are trades. */

/** Price to size, both as the source writes them. */
export type Levels = Map<number, number>;

/** What the second reading keeps of a market's traded volume. */
interface VolumeRead {
  readonly volume: Map<string, Levels>;
  readonly marks: Map<string, Levels>;
  // biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
  readonly definition: any;
  readonly reconciledAt: number | undefined;
  readonly updates: number;
}

/** The 350 prices, written out from the profile's section 3 in hundredths. */
const LADDER = new Set<number>();
for (const [from, to, step] of [
  [101, 200, 1],
  [202, 300, 2],
  [305, 400, 5],
  [410, 600, 10],
  [620, 1000, 20],
  [1050, 2000, 50],
  [2100, 3000, 100],
  [3200, 5000, 200],
  [5500, 10_000, 500],
  [11_000, 100_000, 1000],
] as const) {
  for (let price = from; price <= to; price += step) LADDER.add(price / 100);
}

export function keyOf(runner: { id: number; hc?: number }): string {
  return runner.hc ? `${runner.id}@${runner.hc}` : `${runner.id}`;
}

/** A rise is one above the high-water mark in a message whose total rises, in an open market or at the start. */
// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
export function risesOf(market: VolumeRead, change: any, before: any, publishedAt: number): Map<string, Rises> {
  const found = new Map<string, Rises>();
  const after = market.definition;
  const isOpen = before?.status === 'OPEN' || after === undefined || after.status === 'OPEN';
  const isStart =
    after?.status === 'SUSPENDED' &&
    after.bspMarket &&
    !after.inPlay &&
    (!after.bspReconciled || market.reconciledAt === publishedAt);
  // biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
  const rows = new Map<string, any[]>();
  for (const entry of change.rc ?? []) {
    if (entry.trd) rows.set(keyOf(entry), [...(rows.get(keyOf(entry)) ?? []), ...entry.trd]);
  }
  for (const [key, volumes] of rows) {
    const picture = market.volume.get(key) ?? new Map<number, number>();
    const marks = market.marks.get(key) ?? new Map<number, number>();
    market.volume.set(key, picture);
    market.marks.set(key, marks);
    const total = sum(picture);
    const known = [...picture.values()].filter((volume) => volume > 0).length;
    let fell = false;
    let little = 0;
    const all: Rises['all'][number][] = [];
    for (const [price, volume] of volumes) {
      const old = picture.get(price) ?? 0;
      if (volume < old) fell = true;
      const isLittle = old > 0 && volume > old && volume - old <= Math.max(0.1, old * 0.005) + 1e-9;
      if (isLittle) little += 1;
      picture.set(price, volume);
      const mark = marks.get(price) ?? 0;
      if (volume <= mark) continue;
      marks.set(price, volume);
      if (LADDER.has(price)) all.push({ price, stake: (volume - mark) / 2, isLittle });
    }
    const rose = sum(picture) > total + 0.004;
    const counts = isOpen || (isStart && !fell);
    if (rose && counts && !change.img && market.updates > 0) found.set(key, { all, known, little });
  }
  return found;
}

export interface Book {
  readonly back: Levels;
  readonly lay: Levels;
  readonly lastPrice: number | undefined;
}

export function bookOf({ back, lay, lastPrice }: Book): Book {
  return { back: new Map(back), lay: new Map(lay), lastPrice };
}

interface Rises {
  readonly all: readonly { readonly price: number; readonly stake: number; readonly isLittle: boolean }[];
  /** Prices that had volume, and how many of them rose by little. */
  readonly known: number;
  readonly little: number;
}

/** Rises at prices that the book excludes are trades only where the message shows a sweep; a revaluation is none. */
export function tradesAmong(
  { all, known, little }: Rises,
  { before, after }: { before: Book; after: Book },
): Rises['all'] {
  const back = Math.min(...[before, after].map((book) => Math.max(Number.NEGATIVE_INFINITY, ...book.back.keys())));
  const lay = Math.max(...[before, after].map((book) => Math.min(Number.POSITIVE_INFINITY, ...book.lay.keys())));
  const moved = after.lastPrice === before.lastPrice ? undefined : after.lastPrice;
  const placed = all.map((rise) => {
    const { price, stake, isLittle } = rise;
    const side = price < back ? ('back' as const) : price > lay ? ('lay' as const) : undefined;
    if (side === undefined) return { rise, side, isShown: true };
    const through = moved !== undefined && LADDER.has(moved) && (side === 'back' ? moved <= price : moved >= price);
    const fell = (before[side].get(price) ?? 0) - (after[side].get(price) ?? 0);
    const isEnough = isLittle ? fell > 1e-9 && fell > stake - 1e-9 : fell > 1e-9;
    return { rise, side, isShown: stake > 0.01 - 1e-9 && (through || isEnough) };
  });
  const large = placed.filter(({ rise }) => !rise.isLittle);
  const isWhole = little >= 3 && little > known / 2;
  const isPennies = ({ stake }: Rises['all'][number]) => stake <= 0.05 + 1e-9;
  const isRun =
    !isWhole &&
    placed.some(({ rise, side }) => side === undefined && !isPennies(rise)) &&
    large.some(({ side }) => side !== undefined) &&
    placed.filter(({ rise, side }) => side !== undefined && isPennies(rise)).length <= 2;
  const kept = placed.filter(
    ({ rise, side, isShown }) =>
      isShown ||
      (isRun && !isPennies(rise)) ||
      (rise.stake > 0.05 + 1e-9 && large.some((other) => other.isShown && (other.side ?? side) === side)),
  );
  const foreignOrders =
    placed.filter(({ rise }) => rise.isLittle).length - kept.filter(({ rise }) => rise.isLittle).length;
  const isRevaluation = isWhole || foreignOrders >= 3;
  return kept.map(({ rise }) => rise).filter((rise) => !(isRevaluation && rise.isLittle));
}

function sum(levels: Levels): number {
  let total = 0;
  for (const size of levels.values()) total += size;
  return total;
}
