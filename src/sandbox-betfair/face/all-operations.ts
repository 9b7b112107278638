/** The table of all operations of the face. */

import { ACCOUNT } from '../operations/account/account.ts';
import { BOOKS } from '../operations/markets/books.ts';
import { listMarketCatalogue } from '../operations/markets/catalogue.ts';
import { LISTS } from '../operations/markets/lists.ts';
import { cancelOrders } from '../operations/orders/cancel.ts';
import { listClearedOrders } from '../operations/orders/cleared.ts';
import { listCurrentOrders } from '../operations/orders/current.ts';
import { placeOrders } from '../operations/orders/place.ts';
import { listMarketProfitAndLoss } from '../operations/orders/profit.ts';
import { replaceOrders } from '../operations/orders/replace.ts';
import { updateOrders } from '../operations/orders/update.ts';
import type { Operations } from '../operations/shared/operation.ts';

export const ALL_OPERATIONS: Operations = {
  ...LISTS,
  ...BOOKS,
  ...ACCOUNT,
  listMarketCatalogue,
  placeOrders,
  cancelOrders,
  replaceOrders,
  updateOrders,
  listCurrentOrders,
  listClearedOrders,
  listMarketProfitAndLoss,
};
