/** What the dashboard of a sandbox shows: the exchange at a glance, its markets and books, and its users’ orders. */

import { isLive } from '../../../../core/order.ts';
import type { ExchangePanel } from '../../../../pages/exchange-panel.ts';
import type { Ask, OrdersPanel, Panel, RecordLine } from '../../../../pages/panels.ts';
import type { Change } from '../../../../sandbox/world/change.ts';
import type { World } from '../../../../sandbox/world/world.ts';
import { count, plural } from '../../../../words/numbers.ts';
import { ownCommand } from '../../../cli/own-command.ts';
import { RecordRing } from '../server/record-ring.ts';
import type { Commands, DashboardSource } from '../server/source.ts';
import { PriceMemory, LOOK_EVERY_MS as READ_EVERY_MS } from '../shown/price-memory.ts';
import { mappedPart, partOf } from '../shown/shown-rows.ts';
import { appIdOf, type SandboxCommand } from './commands/sandbox-command.ts';
import { sandboxCommands } from './commands/sandbox-commands.ts';
import type { ShownSandbox } from './commands/shown-sandbox.ts';
import { exchangePanel } from './exchange-part.ts';
import { readMarkets, type SandboxView, sandboxMarket, sandboxMarkets } from './sandbox-markets.ts';
import { UserOrders } from './user-orders.ts';

/** All accounts and markets are gone through. */
const LOOK_EVERY_MS = 1_000;

export class SandboxSource implements DashboardSource {
  readonly kind = 'sandbox';
  readonly pages = ['exchange', 'markets', 'market', 'orders', 'record', 'commands'] as const;
  readonly currency = '';
  readonly commands: Commands;
  readonly linkOf = undefined;
  readonly newLink = `${ownCommand()} sandbox --dashboard PORT`;
  readonly ring = new RecordRing();
  readonly name: string;
  readonly #sandbox: ShownSandbox;
  readonly #users: UserOrders;
  readonly #startedAt: number;
  readonly #prices = new PriceMemory();
  readonly #looks: NodeJS.Timeout;
  #glance: ExchangePanel | undefined;
  #lookedAt = 0;

  constructor(sandbox: ShownSandbox, commands: readonly SandboxCommand[]) {
    const { world } = sandbox.context;
    this.#sandbox = sandbox;
    this.name = sandbox.url;
    this.commands = sandboxCommands(sandbox, commands);
    this.#users = new UserOrders(sandbox);
    this.#startedAt = sandbox.context.now();
    const look = () => this.#prices.look(readMarkets(world), sandbox.context.now());
    this.#looks = setInterval(look, READ_EVERY_MS).unref();
    world.listen(
      (change) => {
        if (change !== undefined) this.ring.add({ at: change.at, alert: undefined, ...changeLine(sandbox, change) });
      },
      (change) => isTold(world, change),
    );
  }

  head(): ReturnType<DashboardSource['head']> {
    const { world } = this.#sandbox.context;
    const apps = world.registry.apps.filter(this.#sandbox.words.isUser).length;
    const faults = this.#sandbox.control.faults().length;
    return {
      at: this.#sandbox.context.now(),
      words: [
        { label: 'markets', text: count(world.catalogue.markets.size), tone: 'plain' },
        { label: `${this.#sandbox.words.app}s`, text: count(apps), tone: 'plain' },
        { label: 'faults', text: faults === 0 ? 'none' : count(faults), tone: faults === 0 ? 'plain' : 'warn' },
      ],
    };
  }

  close(): void {
    clearInterval(this.#looks);
  }

  panel(ask: Ask): Panel | undefined {
    const { world } = this.#sandbox.context;
    const { names } = this.#sandbox.control;
    const { words } = this.#sandbox;
    const view = { world, names, words, users: this.#users, prices: this.#prices, now: this.#sandbox.context.now() };
    switch (ask.page) {
      case 'exchange':
        return this.#exchange(view);
      case 'markets':
        return { page: 'markets', part: sandboxMarkets(view, ask) };
      case 'market':
        return sandboxMarket(view, ask);
      case 'orders':
        return this.#orders(ask);
      case 'record':
      case 'commands':
      case 'bots':
      case 'now':
        return undefined;
    }
  }

  #exchange(view: SandboxView): ExchangePanel {
    const { now } = view;
    if (this.#glance === undefined || now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#glance = exchangePanel({ sandbox: this.#sandbox, view, startedAt: this.#startedAt });
      this.#lookedAt = now;
    }
    return this.#glance;
  }

  #orders(ask: Ask): OrdersPanel {
    const found = this.#users
      .all(this.#sandbox.context.now())
      .filter(({ status }) => ask.which !== 'live' || isLive(status))
      .sort((a, b) => b.id - a.id);
    if (ask.find === '')
      return { page: 'orders', part: mappedPart(partOf(found, ask), (order) => this.#users.row(order)) };
    const rows = found.map((order) => this.#users.row(order));
    const holds = rows.filter(({ place, outcome, owner, note = '' }) =>
      `${place} ${outcome} ${owner} ${note}`.toLowerCase().includes(ask.find),
    );
    return { page: 'orders', part: partOf(holds, ask) };
  }
}

type Line = Pick<RecordLine, 'level' | 'about' | 'text'>;
type Commanded = Extract<Change, { readonly kind: 'command' }>['command'];

/** Whether it is worth a line: asked of every change, so it makes nothing. */
function isTold({ registry }: World, change: Change | undefined): change is Change {
  if (change === undefined) return false;
  if (change.kind !== 'command') return change.kind === 'openSession' || change.kind === 'createApp';
  const { command } = change;
  if (command.kind === 'forget') return false;
  return !('app' in command) || registry.apps[command.app]?.isHouse === false;
}

/** What a change of a sandbox says in its record: what users and markets do, and not each order of the crowd. */
function changeLine(sandbox: ShownSandbox, change: Change): Line {
  switch (change.kind) {
    case 'openSession':
      return { level: 'info', about: 'session', text: `opened with key ${change.key}` };
    case 'createApp':
      return { level: 'info', about: sandbox.words.app, text: `${change.id} (${change.name})` };
    case 'command':
      return commandLine(sandbox, change.command);
    default:
      return { level: 'debug', about: change.kind, text: '' };
  }
}

function commandLine(sandbox: ShownSandbox, command: Commanded): Line {
  const app = 'app' in command ? `${sandbox.words.app} ${appIdOf(sandbox, command.app)}` : '';
  switch (command.kind) {
    case 'place':
      return { level: 'info', about: 'place', text: `${app}: ${plural(command.requests.length, 'order')}` };
    case 'cancel':
      return {
        level: 'info',
        about: 'cancel',
        text: `${app}: ${command.orders === undefined ? 'all orders' : plural(command.orders.length, 'order')}`,
      };
    case 'reduce':
    case 'setKeep':
      return { level: 'info', about: command.kind, text: `${app}: order ${command.order}` };
    case 'replace':
      return { level: 'info', about: 'replace', text: `${app}: ${plural(command.replacements.length, 'order')}` };
    case 'heartbeat':
      return { level: 'debug', about: 'heartbeat', text: `${app}: ${command.timeoutMs / 1_000} s` };
    case 'deleteHeartbeat':
      return { level: 'info', about: 'heartbeat', text: `${app}: taken away` };
    default:
      return {
        level: isMarketMove(command) ? 'info' : 'debug',
        about: command.kind,
        text: marketWords(sandbox, command),
      };
  }
}

function isMarketMove({ kind }: Commanded): boolean {
  return ['open', 'suspend', 'setInPlay', 'lock', 'settle', 'void', 'resettle', 'close'].includes(kind);
}

function marketWords({ context, control }: ShownSandbox, command: Commanded): string {
  if (!('market' in command)) return '';
  const market = context.world.catalogue.markets.get(command.market);
  const value = command.kind === 'suspend' && !command.suspended ? ' (lifted)' : '';
  return market === undefined ? '' : `market ${control.names.marketId(market)}, ${market.name}${value}`;
}
