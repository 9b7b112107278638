/** Updates as the exchange would send them. */

const place = { eventId: '1', eventGroupId: '2', categoryId: '3', subCategoryId: '4' };

export function walletUpdate(balance: number, walletId = 'w1'): unknown {
  return { type: 'WalletUpdate', walletId, currencyId: 'USDC', balance, change: 1 };
}

export function priceUpdate(
  marketId: string,
  updateType: string,
  prices: readonly { side: string; outcomeId: string; price: number; liquidity: number; validAt?: string }[],
): unknown {
  return {
    type: 'MarketPriceUpdate',
    updateType,
    marketId,
    ...place,
    prices: prices.map((level) => ({ change: 0, validAt: '2026-03-24T12:00:00.000Z', ...level })),
  };
}

export function statusUpdate(marketId: string, status = 'Open'): unknown {
  return {
    type: 'MarketStatusUpdate',
    marketId,
    ...place,
    status,
    published: true,
    suspended: false,
    inPlayStatus: 'PrePlay',
  };
}
