/** An account at the Betfair sandbox as a stranger would use it: plain JSON-RPC over HTTPS, logged in once. */

import https from 'node:https';
import type { Json } from '../../vendor/vendor-client.ts';
import type { Person, Wish } from './person.ts';

const PAGE = 1_000;
const MIN_FILL = 1;

interface Account {
  readonly url: string;
  /** PEM of the sandbox's own authority. */
  readonly authority: string;
  readonly username: string;
  readonly password: string;
  readonly appKey: string;
}

export class BetfairPerson implements Person {
  readonly account: string;
  readonly #given: Account;
  readonly #agent: https.Agent;
  #token = '';

  private constructor(given: Account) {
    this.#given = given;
    this.account = given.username;
    this.#agent = new https.Agent({ keepAlive: true, ca: given.authority });
  }

  static async of(given: Account): Promise<BetfairPerson> {
    const person = new BetfairPerson(given);
    const { username, password } = given;
    const form = new URLSearchParams({ username, password }).toString();
    const { token } = await person.#send('/api/login', form, 'application/x-www-form-urlencoded');
    person.#token = token;
    return person;
  }

  close(): void {
    this.#agent.destroy();
  }

  async place(marketId: string, wishes: readonly Wish[]): Promise<readonly string[]> {
    const instructions = wishes.map(instructionOf);
    const { instructionReports = [] } = await this.call('placeOrders', { marketId, instructions });
    return instructionReports.flatMap(({ betId }: Json) => betId ?? []);
  }

  async cancel({ market, ids }: { readonly market: string; readonly ids?: readonly string[] }): Promise<void> {
    const instructions = ids?.map((betId) => ({ betId }));
    await this.call('cancelOrders', { marketId: market, ...(instructions && { instructions }) });
  }

  /** What an operation of the betting API gives, or `api`'s. An exception is an error. */
  async call(operation: string, params: Json, api: 'betting' | 'account' = 'betting'): Promise<Json> {
    const method = `${api === 'betting' ? 'SportsAPING' : 'AccountAPING'}/v1.0/${operation}`;
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 });
    const { result, error } = await this.#send(`/exchange/${api}/json-rpc/v1`, body, 'application/json');
    if (error !== undefined) throw new Error(`${operation}: ${JSON.stringify(error)}`);
    return result;
  }

  /** All pages of a list, as long as there is more. */
  async list(operation: string, name: string, params: Json): Promise<readonly Json[]> {
    const rows: Json[] = [];
    for (;;) {
      const page = await this.call(operation, { ...params, fromRecord: rows.length, recordCount: PAGE });
      rows.push(...page[name]);
      if (page.moreAvailable !== true) return rows;
    }
  }

  #send(path: string, body: string, type: string): Promise<Json> {
    const { url, appKey } = this.#given;
    const headers = { 'content-type': type, accept: 'application/json', 'x-application': appKey };
    const known = this.#token === '' ? {} : { 'x-authentication': this.#token };
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', agent: this.#agent, headers: { ...headers, ...known } };
      const request = https.request(`${url}${path}`, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => {
          try {
            resolve(JSON.parse(text));
          } catch {
            reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`));
          }
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}

function instructionOf({ outcomeId, side, price, stake, keepWhenInPlay, matchBehavior, reference }: Wish): Json {
  const kept =
    matchBehavior === 'CancelUnmatched'
      ? { timeInForce: 'FILL_OR_KILL', minFillSize: MIN_FILL }
      : { persistenceType: keepWhenInPlay === true ? 'PERSIST' : 'LAPSE' };
  return {
    ...{ orderType: 'LIMIT', selectionId: Number(outcomeId), side: side === 'For' ? 'BACK' : 'LAY' },
    limitOrder: { size: Math.round(stake * 100) / 100, price, ...kept },
    ...(reference === undefined ? {} : { customerOrderRef: reference }),
  };
}
