/** A sandbox with our client in front of it, and the markets of its default world that the benches work in. */

import { firstValueFrom } from 'rxjs';
import type { AnswerOf, CallInput } from '../../src/betdex/client/call.ts';
import { RestClient } from '../../src/betdex/client/rest-client.ts';
import type { Operation } from '../../src/betdex/wire/endpoints.ts';
import { tickOfDecimal } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import type { CallOutcome } from '../../src/exchange-live/connection/call-outcome.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { BenchFailure, claim } from './figure.ts';
import type { SandboxAccess } from './server-message.ts';
import { ServerProcess } from './server-process.ts';

export interface BenchMarket {
  readonly id: string;
  /** The first outcome. */
  readonly outcomeId: string;
  /** The tick between its best prices. */
  readonly fair: number;
}

/** Markets of one request for prices. */
export const MARKETS = 5;
/** No request waits for the budget: it is the exchange's limit, not ours. */
export const BUDGET = { perSecond: 1_000_000_000, burst: 1_000_000_000, waitingMax: 1_000 };
/** Of the client's connections, so many are kept for calls of higher priority. */
const CONNECTIONS_KEPT = 3;

export class SandboxStage {
  readonly server: ServerProcess<SandboxAccess>;
  readonly client: RestClient;
  readonly markets: readonly BenchMarket[];

  private constructor(server: ServerProcess<SandboxAccess>, client: RestClient, markets: readonly BenchMarket[]) {
    this.server = server;
    this.client = client;
    this.markets = markets;
  }

  /** `concurrency` calls may be under way at once. */
  static async open(concurrency: number): Promise<SandboxStage> {
    const server = await ServerProcess.start<SandboxAccess>('sandbox-server');
    const { url: baseUrl, appId, apiKey } = server.access;
    const client = new RestClient({
      baseUrl,
      credentials: { appId, apiKey },
      clock: wallClock,
      random: Random.fromSeed(1),
      budget: BUDGET,
      connections: concurrency + CONNECTIONS_KEPT,
    });
    return new SandboxStage(server, client, await quietMarkets(client));
  }

  get marketIds(): readonly string[] {
    return this.markets.map(({ id }) => id);
  }

  async token(): Promise<string> {
    const access = await firstValueFrom(this.client.accessToken());
    if (access.kind === 'failed') throw new BenchFailure(access.details);
    return access.token.reveal();
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.server.stop();
  }
}

export async function answered<O extends Operation>(
  client: RestClient,
  operation: O,
  input: CallInput<O>,
): Promise<AnswerOf<O>> {
  const outcome: CallOutcome<AnswerOf<O>> = await firstValueFrom(client.call(operation, input));
  if (outcome.kind === 'answered') return outcome.answer;
  throw new BenchFailure(`${operation}: ${outcome.details}`);
}

/** Open markets with prices on both sides that stay out of play the longest: no delay, and nothing moves by itself. */
async function quietMarkets(client: RestClient): Promise<readonly BenchMarket[]> {
  const query = { statuses: ['Open'], size: 1_000 } as const;
  const { markets } = await answered(client, 'listMarkets', { query });
  const later = markets
    .filter(({ inPlayStatus, suspended }) => inPlayStatus !== 'InPlay' && !suspended)
    .sort((one, other) => other.lockAt.localeCompare(one.lockAt))
    .slice(0, 4 * MARKETS);
  const books = await answered(client, 'listPrices', { query: { marketIds: later.map(({ id }) => id) } });
  const found = books.prices.flatMap(({ marketId: id, prices }): BenchMarket[] => {
    const outcomeId = prices[0]?.outcomeId;
    const best = (side: string) =>
      tickOfDecimal(prices.find((row) => row.outcomeId === outcomeId && row.side === side)?.price ?? Number.NaN);
    const [above, below] = [best('For'), best('Against')];
    if (outcomeId === undefined || above === undefined || below === undefined || above - below < 2) return [];
    return [{ id, outcomeId, fair: below + 1 }];
  });
  claim(found.length >= MARKETS, `the default world has only ${found.length} quiet markets with prices`);
  return found.slice(0, MARKETS);
}
