/** The sandbox's control surface as a test's operator uses it: plain requests with the control key. */

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

export class ControlClient {
  readonly #facts: Pick<SandboxFacts, 'url' | 'controlKey'>;

  constructor(facts: Pick<SandboxFacts, 'url' | 'controlKey'>) {
    this.#facts = facts;
  }

  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Json): Promise<Json> {
    const response = await fetch(`${this.#facts.url}/control${path}`, {
      method,
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

  /** Open, published, an hour from its end, of an event of its own; `extra` fields of the request win. */
  async createMarket(eventGroupId: string, marketTypeId: string, extra: Json = {}): Promise<TradingMarket> {
    const at = new Date(Date.now() + HOUR).toISOString();
    const event = { eventGroupId, name: 'Home v Away', code: 'HVA', expectedStartTime: at };
    const { id: eventId } = await this.call('POST', '/events', event);
    const market = await this.call('POST', '/markets', {
      ...{ eventId, name: 'Match odds', marketTypeId, currencyId: 'USDC', lockAt: at },
      outcomes: [{ title: 'Home' }, { title: 'Away' }, { title: 'Draw' }],
      ...extra,
    });
    return { id: market.id, outcomeIds: market.outcomes.map((outcome: Json) => outcome.id) };
  }

  /** What is wrong with the sandbox's money and laws; empty where all is well. */
  async troubles(): Promise<readonly string[]> {
    const { brokenLaws, sumsOfAllWallets } = await this.call('GET', '/health');
    const lost = sumsOfAllWallets.filter(({ sum }: Json) => sum !== 0);
    return [...brokenLaws, ...lost.map(({ currencyId, sum }: Json) => `${currencyId}: wallets sum to ${sum}`)];
  }
}
