/** The oracle's own ladder of 350 prices (profile section 3), written out band by band. */

/** Prices in thousandths by tick. */
export const LADDER: readonly bigint[] = buildLadder();

function buildLadder(): bigint[] {
  const prices: bigint[] = [];
  let price = 1010;
  while (price <= 1_000_000) {
    prices.push(BigInt(price));
    price += stepAfter(price);
  }
  return prices;
}

function stepAfter(price: number): number {
  if (price < 2000) return 10;
  if (price < 3000) return 20;
  if (price < 4000) return 50;
  if (price < 6000) return 100;
  if (price < 10_000) return 200;
  if (price < 20_000) return 500;
  if (price < 30_000) return 1000;
  if (price < 50_000) return 2000;
  if (price < 100_000) return 5000;
  return 10_000;
}
