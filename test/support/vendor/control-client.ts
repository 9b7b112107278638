/** The sandbox's control surface as a test's operator uses it: plain requests with the control key. */

import { Agent, fetch } from 'undici';
import type { SandboxFacts } from './sandbox-process.ts';
import type { Json } from './vendor-client.ts';

export interface TradingApp {
  readonly appId: string;
  readonly apiKey: string;
  readonly walletId: string;
}

export interface TradingMarket {
  readonly id: string;
  readonly outcomeIds: readonly string[];
}

const HOUR = 3_600_000;
/** The id of a category, a subcategory, an event group and a market type. */
const LISTING = 'TESTS';

interface ControlPlace extends Pick<SandboxFacts, 'url' | 'controlKey'> {
  /** PEM of the authority by which a sandbox over HTTPS is trusted. */
  readonly authority?: string;
}

export class ControlClient {
  readonly #facts: ControlPlace;
  readonly #dispatcher: Agent;
  #listing: Promise<void> | undefined;

  constructor(facts: ControlPlace) {
    this.#facts = facts;
    this.#dispatcher = new Agent(facts.authority === undefined ? {} : { connect: { ca: facts.authority } });
  }

  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Json): Promise<Json> {
    const response = await fetch(`${this.#facts.url}/control${path}`, {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        authorization: `Bearer ${this.#facts.controlKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: Json = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** An app with a key and a wallet that holds the balance. */
  async createApp(balance: number): Promise<TradingApp> {
    const { id: appId } = await this.call('POST', '/apps', {});
    const { secret: apiKey } = await this.call('POST', `/apps/${appId}/keys`, {});
    const balances = [{ currencyId: 'USDC', balance }];
    const { id: walletId } = await this.call('POST', `/apps/${appId}/wallets`, { balances });
    return { appId, apiKey, walletId };
  }

  /**
   * Open, published, an hour from its end, of an event of its own, with three outcomes and no cross matching; `extra` fields
   * of the request win. What markets need above them is made with the first.
   */
  async createMarket(extra: Json = {}): Promise<TradingMarket> {
    this.#listing ??= this.#makeListing();
    await this.#listing;
    const at = new Date(Date.now() + HOUR).toISOString();
    const event = { eventGroupId: LISTING, name: 'Home v Away', code: 'HVA', expectedStartTime: at };
    const { id: eventId } = await this.call('POST', '/events', event);
    const market = await this.call('POST', '/markets', {
      ...{
        eventId,
        name: 'Result',
        marketTypeId: LISTING,
        currencyId: 'USDC',
        lockAt: at,
        crossMatchingEnabled: false,
      },
      outcomes: [{ title: 'Home' }, { title: 'Away' }, { title: 'Draw' }],
      ...extra,
    });
    return { id: market.id, outcomeIds: market.outcomes.map((outcome: Json) => outcome.id) };
  }

  /** Moves a market to another state; a refusal is an error. */
  move(market: Pick<TradingMarket, 'id'>, name: string, body: Json = {}): Promise<Json> {
    return this.call('POST', `/markets/${market.id}/${name}`, body);
  }

  async #makeListing(): Promise<void> {
    const [id, name] = [LISTING, 'Tests'];
    await this.call('POST', '/categories', { id, name });
    await this.call('POST', '/subcategories', { id, name, categoryId: id });
    await this.call('POST', '/event-groups', { id, name, subcategoryId: id });
    const ranges = { outcomesRange: { min: 2, max: 20 }, winnersRange: { min: 1, max: 3 } };
    await this.call('POST', '/market-types', { id, ...ranges });
  }

  /** What is wrong with the sandbox's money and laws; empty where all is well. */
  async troubles(): Promise<readonly string[]> {
    const { brokenLaws, sumsOfAllWallets } = await this.call('GET', '/health');
    const lost = sumsOfAllWallets.filter(({ sum }: Json) => sum !== 0);
    return [...brokenLaws, ...lost.map(({ currencyId, sum }: Json) => `${currencyId}: wallets sum to ${sum}`)];
  }
}
