/** Betfair in the simulation: the sandbox's face and stream of it, without sockets. */

import { assert, defined } from '../../../../src/core/checks/assert.ts';
import type { Money } from '../../../../src/core/number/units.ts';
import type { PlaceRequest } from '../../../../src/matching/messages/command.ts';
import { BetfairFace } from '../../../../src/sandbox-betfair/face/betfair-face.ts';
import { USUAL_TERMS } from '../../../../src/sandbox-betfair/names/account-terms.ts';
import { PENNY } from '../../../../src/sandbox-betfair/names/amounts.ts';
import { betIdOf, marketIdOf, orderOfBet, runnersOf } from '../../../../src/sandbox-betfair/names/market-names.ts';
import { accountOf, fundsOf } from '../../../../src/sandbox-betfair/state/accounts.ts';
import { referencesIn, referenceText } from '../../../../src/sandbox-betfair/state/bet-references.ts';
import { BETFAIR_WORLD, marketRate } from '../../../../src/sandbox-betfair/state/betfair-world.ts';
import { type FaceState, faceState } from '../../../../src/sandbox-betfair/state/face-state.ts';
import { factsOfRecord } from '../../../../src/sandbox-betfair/state/market-facts.ts';
import { type AccountVerdict, verdictOf } from '../../../../src/sandbox-betfair/state/verdict.ts';
import { ExchangeStream } from '../../../../src/sandbox-betfair/stream/exchange-stream.ts';
import { CROWD_MONEY, ExchangeWorld, type ExchangeWorldSettings } from '../exchange-world.ts';
import type { Results } from '../true-exposure.ts';

export const USERNAME = 'bot';
export const PASSWORD = 'secret-word';
const POUND = 'GBP';

export interface FaceExchangeSettings extends Pick<ExchangeWorldSettings, 'time' | 'balance' | 'onBug'> {
  /** How long a session lives. */
  readonly sessionMs: number;
}

export class FaceExchange extends ExchangeWorld {
  readonly stakeStep = PENNY;
  readonly mayCrossMatch = false;
  override readonly winningsStep = PENNY;
  override readonly lapseBlocks = false;
  readonly app: number;
  readonly crowdApp: number;
  readonly crowdWallet: number;
  readonly wallets: readonly number[];
  readonly state: FaceState;
  readonly face: BetfairFace;
  readonly stream: ExchangeStream;
  #strays = 0;

  constructor(settings: FaceExchangeSettings) {
    const { balance, sessionMs, onBug } = settings;
    super({ ...settings, accessTokenMs: sessionMs, currency: POUND, rules: BETFAIR_WORLD });
    this.crowdApp = this.newApp('crowd');
    this.crowdWallet = this.newWallet(this.crowdApp, CROWD_MONEY);
    this.state = faceState(this.context, { sessionMs }, this.faults);
    const { app, wallet } = defined(accountOf(this.state, USERNAME, PASSWORD), 'an account is opened');
    this.app = app;
    this.wallets = [wallet];
    const given = this.machine.account(wallet, 0)?.balance ?? 0;
    assert(given > this.balanceAtFirst, 'a new account has more money than the bot');
    const amount = (given - balance * 1_000_000) as Money;
    this.change({ kind: 'command', command: { kind: 'withdraw', wallet, currency: 0, amount } });
    this.face = new BetfairFace(this.state);
    this.stream = new ExchangeStream({ face: this.state, limits: { authenticationsPerSecond: 1_000 }, onBug });
  }

  /** What the exchange holds of the account. */
  verdict(): AccountVerdict {
    const verdict = verdictOf(this.state, this.world).find(({ username }) => username === USERNAME);
    return defined(verdict, 'the account is there');
  }

  /** What the account may bet with, and what its bets may lose. */
  funds() {
    return fundsOf(this.world, {
      username: USERNAME,
      app: this.app,
      wallet: this.wallets[0] ?? 0,
      currency: POUND,
      penny: PENNY,
    });
  }

  marketIdOf(market: number): string {
    const record = this.world.catalogue.markets.get(market);
    return record === undefined ? '' : marketIdOf(record);
  }

  outcomeIdOf(market: number, outcome: number): string | undefined {
    const { catalogue } = this.world;
    const record = catalogue.markets.get(market);
    const runner = record && runnersOf(catalogue, record)[outcome];
    return runner && String(runner.selectionId);
  }

  /** Betfair says how many may win, and fewer do where runners are withdrawn or share a place. */
  override resultsOf(market: number): Results | undefined {
    const results = super.resultsOf(market);
    return results && { ...results, winners: { ...results.winners, min: 1 } };
  }

  orderIdOf(order: number): number {
    return Number(betIdOf(order));
  }

  orderOf(id: number): number {
    return defined(orderOfBet(String(id)), 'it is a bet');
  }

  referenceOf(reference: string | undefined): string | undefined {
    return referencesIn(reference).order;
  }

  placeBeside(order: PlaceRequest, reference: string | undefined): number | undefined {
    const record = this.world.catalogue.markets.get(order.market);
    const facts = record && factsOfRecord(this.world, record);
    if (facts === undefined) return undefined;
    this.#strays += 1;
    const text = referenceText(`stray-${this.#strays}`, { order: reference, strategy: undefined });
    const { discountPpm } = USUAL_TERMS;
    const commissionRate = marketRate(this.context, { app: this.app, basePpm: facts.basePpm, discountPpm });
    const requests = [{ ...order, reference: text, commissionRate }];
    const made = this.command({ kind: 'place', app: this.app, requests });
    const accepted = made?.find((event) => event.kind === 'orderAccepted');
    return accepted?.kind === 'orderAccepted' ? accepted.order : undefined;
  }
}
