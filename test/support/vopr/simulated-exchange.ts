/** BetDEX in the simulation: the sandbox's operations, called without a network. */

import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import { defined } from '../../../src/core/checks/assert.ts';
import { STAKE_STEP } from '../../../src/core/number/units.ts';
import type { OrderErrorCode } from '../../../src/core/order.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';
import type { SandboxContext } from '../../../src/sandbox/context/sandbox-context.ts';
import { PROBLEM_TITLES } from '../../../src/sandbox/http/problem-text.ts';
import { type ServedOperation, servedOperation } from '../../../src/sandbox/http/served-operation.ts';
import { hashOfSecret } from '../../../src/sandbox/operations/accounts/secret-hash.ts';
import { callerOfToken } from '../../../src/sandbox/operations/accounts/session-token.ts';
import type { Operate } from '../../../src/sandbox/operations/shared/operation.ts';
import { OPERATIONS } from '../../../src/sandbox/sandbox.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { CROWD_MONEY, ExchangeWorld, type ExchangeWorldSettings } from './exchange-world.ts';

export const CURRENCY = 'USDC';
const API_KEY = 'the-key-of-the-bot';

export interface ExchangeSettings extends Omit<ExchangeWorldSettings, 'currency' | 'rules'> {
  readonly wallets: number;
  /** Whether there is one more, for another run of the same app. */
  readonly hasSister?: boolean;
  readonly commissionPercent: number;
}

export class SimulatedExchange extends ExchangeWorld {
  readonly stakeStep = STAKE_STEP;
  readonly mayCrossMatch = true;
  readonly appId = 'bot';
  readonly apiKey = API_KEY;
  readonly app: number;
  readonly crowdApp: number;
  readonly crowdWallet: number;
  readonly wallets: readonly number[];
  readonly sisterWallets: readonly number[];
  /** Tokens that are refused from now on. */
  readonly deadTokens = new Set<string>();

  constructor(settings: ExchangeSettings) {
    const { wallets, balance, commissionPercent } = settings;
    super({ ...settings, currency: CURRENCY });
    this.crowdApp = this.newApp('crowd');
    this.app = this.newApp(this.appId);
    this.change({
      ...{ kind: 'createCommissionRate', app: this.app, ratePpm: commissionPercent * 10_000, isDefault: true },
    });
    this.crowdWallet = this.newWallet(this.crowdApp, CROWD_MONEY);
    this.wallets = Array.from({ length: wallets }, () => this.newWallet(this.app, balance));
    this.sisterWallets = settings.hasSister === true ? [this.newWallet(this.app, balance)] : [];
    this.change({ kind: 'createKey', app: this.app, name: 'bot-1', secretHash: hashOfSecret(API_KEY) });
  }

  idsOf(wallets: readonly number[]): readonly string[] {
    return wallets.map((wallet) => this.world.registry.wallet(wallet).id);
  }

  marketIdOf(market: number): string {
    return numericId(market);
  }

  outcomeIdOf(market: number, outcome: number): string | undefined {
    return this.world.catalogue.markets.get(market)?.outcomes[outcome]?.id;
  }

  /** Orders count from 1 on the wire. */
  orderIdOf(order: number): number {
    return order + 1;
  }

  orderOf(id: number): number {
    return id - 1;
  }

  referenceOf(reference: string | undefined): string | undefined {
    return reference;
  }

  placeBeside(order: PlaceRequest, reference: string | undefined): number | undefined {
    const requests = [{ ...order, ...(reference === undefined ? {} : { reference }) }];
    const made = this.command({ kind: 'place', app: this.app, requests });
    const accepted = made?.find((event) => event.kind === 'orderAccepted');
    return accepted?.kind === 'orderAccepted' ? accepted.order : undefined;
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
