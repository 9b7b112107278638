/** The exchange of the simulation: the sandbox's world and operations, called without a network and on simulated time. */

import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import { assert, defined, fail } from '../../../src/core/checks/assert.ts';
import { MARKET_STATUSES, type MarketStatus } from '../../../src/core/market.ts';
import { type Instant, instant, type Money } from '../../../src/core/number/units.ts';
import type { OrderErrorCode } from '../../../src/core/order.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { Exchange } from '../../../src/matching/exchange.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';
import { InjectedFaults } from '../../../src/sandbox/context/injected-faults.ts';
import { LiveContext } from '../../../src/sandbox/context/live-context.ts';
import type { SandboxContext } from '../../../src/sandbox/context/sandbox-context.ts';
import { PROBLEM_TITLES } from '../../../src/sandbox/http/problem-text.ts';
import { type ServedOperation, servedOperation } from '../../../src/sandbox/http/served-operation.ts';
import { hashOfSecret } from '../../../src/sandbox/operations/accounts/secret-hash.ts';
import { callerOfToken } from '../../../src/sandbox/operations/accounts/session-token.ts';
import type { Operate } from '../../../src/sandbox/operations/shared/operation.ts';
import { OPERATIONS, SANDBOX_SETTINGS } from '../../../src/sandbox/sandbox.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { World } from '../../../src/sandbox/world/world.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';

export const CURRENCY = 'USDC';
export const MARKET_TYPE = 'WINNER';
const API_KEY = 'the-key-of-the-bot';
const MICROS = 1_000_000;
const CROWD_MONEY = 10_000_000;

type Timeless<C> = C extends unknown ? Omit<C, 'at'> : never;

export interface ExchangeSettings {
  readonly time: SimulatedClock;
  readonly accessTokenMs: number;
  readonly wallets: number;
  /** Whether there is one more, for another run of the same app. */
  readonly hasSister?: boolean;
  /** Of each wallet, in units. */
  readonly balance: number;
  readonly commissionPercent: number;
  readonly onBug: (error: unknown) => void;
}

/** Tokens count up, so that a run is the same every time. */
class SeededContext extends LiveContext {
  #secrets = 0;
  override secret(): string {
    this.#secrets += 1;
    return `secret-${this.#secrets}`;
  }
}

export class SimulatedExchange {
  readonly context: SeededContext;
  readonly faults = new InjectedFaults();
  readonly appId = 'bot';
  readonly apiKey = API_KEY;
  /** The machine's numbers. */
  readonly app: number;
  readonly crowdApp: number;
  readonly crowdWallet: number;
  readonly wallets: readonly number[];
  readonly sisterWallets: readonly number[];
  /** Of each wallet, in 10⁻⁶. */
  readonly balanceAtFirst: number;
  /** Tokens that are refused from now on. */
  readonly deadTokens = new Set<string>();

  constructor(settings: ExchangeSettings) {
    const { time, accessTokenMs, wallets, balance, commissionPercent, onBug } = settings;
    const world = new World();
    this.context = new SeededContext({
      ...{ world, clock: time, faults: this.faults, onBug },
      settings: { ...SANDBOX_SETTINGS, accessTokenMs },
    });
    this.balanceAtFirst = balance * MICROS;
    this.#catalogue();
    this.crowdApp = this.#newApp('crowd');
    this.app = this.#newApp(this.appId);
    this.change({
      ...{ kind: 'createCommissionRate', app: this.app, ratePpm: commissionPercent * 10_000, isDefault: true },
    });
    this.crowdWallet = this.#newWallet(this.crowdApp, CROWD_MONEY);
    this.wallets = Array.from({ length: wallets }, () => this.#newWallet(this.app, balance));
    this.sisterWallets = settings.hasSister === true ? [this.#newWallet(this.app, balance)] : [];
    this.change({ kind: 'createKey', app: this.app, name: 'bot-1', secretHash: hashOfSecret(API_KEY) });
  }

  idsOf(wallets: readonly number[]): readonly string[] {
    return wallets.map((wallet) => this.world.registry.wallet(wallet).id);
  }

  get world(): World {
    return this.context.world;
  }

  get machine(): Exchange {
    return this.context.world.exchange;
  }

  change(change: Timeless<Change>): readonly ExchangeEvent[] {
    const changed = this.tryChange(change);
    if (changed === undefined) fail(`the exchange refused ${JSON.stringify(change)}`);
    return changed;
  }

  /** Undefined where the change was refused. */
  tryChange(change: Timeless<Change>): readonly ExchangeEvent[] | undefined {
    // A change without its time, which is put back: the union is the same.
    const changed = this.context.apply({ ...change, at: this.context.now() } as Change);
    return changed.kind === 'refused' ? undefined : changed.events;
  }

  command(command: MachineCommand): readonly ExchangeEvent[] | undefined {
    return this.tryChange({ kind: 'command', command });
  }

  /** Cheaper than the machine's view of a market, for callers that ask all the time. */
  statusOf(market: number): MarketStatus | undefined {
    const status = this.machine.inspect().markets.get(market)?.status;
    return status === undefined ? undefined : MARKET_STATUSES[status];
  }

  /** Open, and not suspended. */
  takesOrders(market: number): boolean {
    return this.statusOf(market) === 'Open' && this.machine.inspect().markets.get(market)?.suspended === false;
  }

  /** Its bets are decided, or void. */
  isOver(market: number): boolean {
    const status = this.statusOf(market);
    return status === undefined || status === 'Settled' || status === 'Voided' || status === 'Closed';
  }

  in(ms: number): Instant {
    return instant(this.context.now() + ms);
  }

  operationOf(request: WireRequest): Operation {
    return route(request).served.operation;
  }

  /** Carries a request out now, as the server would. */
  answer(request: WireRequest): HttpAnswer {
    const { served, path } = route(request);
    const token = bearer(request);
    const isDead = token !== undefined && this.deadTokens.has(token);
    const caller = served.isOpen || token === undefined || isDead ? undefined : callerOfToken(this.context, token);
    if (caller === undefined && !served.isOpen)
      return { status: 401, text: served.writeProblem(PROBLEM_TITLES[401], ['the access token is dead']) };
    at.context = this.context;
    const [, queryText = ''] = request.path.split('?');
    const body = request.body === undefined ? undefined : ({ kind: 'json', value: JSON.parse(request.body) } as const);
    return served.carryOut({ caller, path, queryText, body });
  }

  /** What it answers instead of carrying a request out. */
  problem(request: WireRequest, status: 429 | 500 | 503, detail: string): HttpAnswer {
    return { status, text: route(request).served.writeProblem(PROBLEM_TITLES[status], [detail]) };
  }

  #newApp(id: string): number {
    const app = this.world.registry.apps.length;
    this.change({ kind: 'createApp', id, name: id });
    return app;
  }

  #newWallet(app: number, units: number): number {
    const made = this.change({ kind: 'createWallet', app }).find((event) => event.kind === 'walletCreated');
    assert(made?.kind === 'walletCreated', 'a wallet was made');
    const { wallet } = made;
    this.change({ kind: 'command', command: { kind: 'openAccount', wallet, currency: 0 } });
    const amount = (units * MICROS) as Money;
    this.change({ kind: 'command', command: { kind: 'deposit', wallet, currency: 0, amount } });
    return wallet;
  }

  #catalogue(): void {
    this.change({ kind: 'createCurrency', id: CURRENCY });
    this.change({ kind: 'createCategory', id: 'SPORT', name: 'Sport' });
    this.change({ kind: 'createSubcategory', id: 'FOOTBALL', name: 'Football', categoryId: 'SPORT' });
    this.change({ kind: 'createEventGroup', id: 'CUP', name: 'Cup', subcategoryId: 'FOOTBALL' });
    this.change({
      ...{ kind: 'createMarketType', id: MARKET_TYPE },
      ...{ outcomes: { min: 2, max: 8 }, winners: { min: 1, max: 2 } },
    });
  }
}

/** The operations are made ready once for all simulations of a process: each uses the context that is at work. */
const at: { context: SandboxContext | undefined } = { context: undefined };
const deskAtWork: SandboxContext = {
  get world() {
    return workingDesk().world;
  },
  get clock() {
    return workingDesk().clock;
  },
  get settings() {
    return workingDesk().settings;
  },
  now: () => workingDesk().now(),
  apply: (change) => workingDesk().apply(change),
  secret: () => workingDesk().secret(),
  takeOrderFault: (app: number): OrderErrorCode | undefined => workingDesk().takeOrderFault(app),
};

function workingDesk(): SandboxContext {
  return defined(at.context, 'an exchange is at work');
}

interface Route {
  readonly operation: Operation;
  readonly parts: readonly string[];
  readonly method: string;
}

/** Words before parameters, as a router prefers. */
const ROUTES: readonly Route[] = Object.entries(ENDPOINTS)
  .map(([name, { path, method }]) => ({ operation: name as Operation, parts: path.split('/'), method }))
  .sort((a, b) => parameters(a.parts) - parameters(b.parts));
const served = new Map<Operation, ServedOperation>();
const routed = new Map<string, { readonly served: ServedOperation; readonly path: Readonly<Record<string, string>> }>();
const ROUTED_MAX = 5_000;

function route(request: WireRequest) {
  const [path = ''] = request.path.split('?', 1);
  const key = `${request.method} ${path}`;
  let found = routed.get(key);
  if (found === undefined) {
    if (routed.size >= ROUTED_MAX) routed.clear();
    found = findRoute(request.method, path);
    routed.set(key, found);
  }
  return found;
}

function findRoute(method: string, path: string) {
  const parts = path.split('/');
  for (const each of ROUTES) {
    if (each.method !== method || each.parts.length !== parts.length) continue;
    const values: Record<string, string> = {};
    const fits = each.parts.every((part, index) => {
      if (!part.startsWith('{')) return part === parts[index];
      values[part.slice(1, -1)] = decodeURIComponent(parts[index] ?? '');
      return true;
    });
    if (fits) return { served: servedOf(each.operation), path: values };
  }
  throw new Error(`no endpoint for ${method} ${path}`);
}

function parameters(parts: readonly string[]): number {
  return parts.filter((part) => part.startsWith('{')).length;
}

function servedOf<O extends Operation>(operation: O): ServedOperation {
  const known = served.get(operation);
  if (known !== undefined) return known;
  const operate: Operate<O> = OPERATIONS[operation];
  const made = servedOperation(operation, operate, { context: deskAtWork, checksAnswers: false });
  served.set(operation, made);
  return made;
}

export function bearer(request: WireRequest): string | undefined {
  const index = request.headers.indexOf('authorization');
  return index < 0 ? undefined : request.headers[index + 1]?.replace('Bearer ', '');
}
