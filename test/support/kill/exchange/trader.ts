/** An app of the sandbox as a stranger would use it: plain requests with its key, logged in again where its token ended. */

import type { TradingApp } from '../../vendor/control-client.ts';
import { type CallOptions, type Json, VendorClient } from '../../vendor/vendor-client.ts';
import type { Person, Wish } from './person.ts';

const UNAUTHORISED = 401;
const ORDERS_A_PAGE = 500;
const OTHERS_A_PAGE = 2_000;

export class Trader implements Person {
  readonly app: TradingApp;
  readonly account: string;
  readonly #client: VendorClient;

  constructor(url: string, app: TradingApp) {
    this.app = app;
    this.account = app.appId;
    this.#client = new VendorClient(url);
  }

  close(): void {
    this.#client.close();
  }

  async place(marketId: string, wishes: readonly Wish[]): Promise<readonly string[]> {
    const { walletId } = this.app;
    const requests = wishes.map((wish) => ({ walletId, marketId, keepWhenInPlay: false, ...wish }));
    const { status, body } = await this.ask('POST /orders/batch', { body: { requests } });
    return status >= 300 ? [] : body.orders.map(({ id }: Json) => String(id));
  }

  async cancel({ market, ids }: { readonly market: string; readonly ids?: readonly string[] }): Promise<void> {
    const body = ids === undefined ? { marketIds: [market], walletIds: [this.app.walletId] } : { orderIds: ids };
    await this.ask('POST /orders/cancel-v2', { body });
  }

  /** What the exchange answers, refusals included. */
  async ask(endpoint: string, options: CallOptions = {}): Promise<{ readonly status: number; readonly body: Json }> {
    const { appId, apiKey } = this.app;
    if (this.#client.token === undefined) await this.#client.login(appId, apiKey);
    const answer = await this.#client.call(endpoint, options);
    if (answer.status !== UNAUTHORISED) return answer;
    await this.#client.login(appId, apiKey);
    return await this.#client.call(endpoint, options);
  }

  async call(endpoint: string, options: CallOptions = {}): Promise<Json> {
    const { status, body } = await this.ask(endpoint, options);
    if (status >= 300) throw new Error(`${endpoint}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** All pages of a list, in order of id. */
  async list(endpoint: string, name: string, options: CallOptions = {}): Promise<readonly Json[]> {
    const size = name === 'orders' ? ORDERS_A_PAGE : OTHERS_A_PAGE;
    const rows: Json[] = [];
    for (let page = 0; ; page += 1) {
      const query = { ...options.query, page, size };
      const answer = await this.call(endpoint, { ...options, query });
      rows.push(...answer[name]);
      if (page + 1 >= answer._meta._page._totalPages) return rows;
    }
  }
}
