/** Opens the dashboard of a run where its configuration asks for one, and says in the log how to open it. */

import { join } from 'node:path';
import { instant } from '../../../core/number/units.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import { strategyName } from '../../../engine/ledger/run-names.ts';
import type { Ask, Panel } from '../../../pages/panels.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { marketLabel } from '../../../words/market-label.ts';
import { ownCommand } from '../../cli/own-command.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { MemoryFile } from '../../web/dashboard/memory/memory-file.ts';
import { type Dashboard, openDashboard } from '../../web/dashboard/server/dashboard.ts';
import { RecordRing } from '../../web/dashboard/server/record-ring.ts';
import { LINK_MS } from '../../web/dashboard/server/sessions.ts';
import type { DashboardSource } from '../../web/dashboard/server/source.ts';
import { LOOK_EVERY_MS, PriceMemory } from '../../web/dashboard/shown/price-memory.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import type { Answer } from '../control/control-server.ts';
import type { LogLine } from '../log/log-line.ts';
import type { DaemonHooks } from '../process/daemon-hooks.ts';
import { Activity } from './activity.ts';
import { botCommands } from './bot-commands.ts';
import { marketPanel } from './market-detail.ts';
import { marketsPart, readMarkets } from './market-rows.ts';
import { KeptRun } from './money/kept-run.ts';
import { MoneyCurves } from './money/money-curve.ts';
import { nowPanel } from './now-panel.ts';
import { ordersPart } from './order-rows.ts';
import { endOf, headWords } from './run-state.ts';

export interface RunDashboardParts {
  readonly options: RunOptions;
  readonly hooks: DaemonHooks;
  readonly status: () => DaemonStatus;
  readonly ledger: Ledger;
  readonly answer: Answer;
}

/** The file's name in the state directory. */
const MEMORY = 'dashboard.json';

/** @throws CliError PORT_IN_USE, ADDRESS_NOT_AVAILABLE */
export async function openRunDashboard(parts: RunDashboardParts): Promise<Dashboard | undefined> {
  const { options, hooks, status, ledger, answer } = parts;
  const { dashboard: place, currency, mode } = options;
  if (place === undefined) return undefined;
  const { clock, log } = hooks;
  const warn = (text: string): void => log.write({ level: 'warn', subject: 'dashboard', text });
  const source = new BotSource({ status, ledger, answer, currency, mode, warn });
  const lines = log.lines$.subscribe((line) => source.line(Math.floor(clock.now()), line));
  const onFault = (error: unknown): void => {
    lines.unsubscribe();
    log.alert('DASHBOARD_FAILED', error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const memory = new MemoryFile(join(status().daemon.dir, MEMORY), warn);
  const dashboard = await openDashboard({
    ...{ ...place, source, memory, onFault },
    setting: 'dashboard.port',
    now: () => clock.now(),
  });
  const { warning } = dashboard;
  if (warning !== undefined) warn(warning);
  log.info('dashboard', `${dashboard.link()}  (opens it once, within ${LINK_MS / 60_000} minutes)`);
  return dashboard;
}

interface BotSourceParts {
  readonly status: () => DaemonStatus;
  readonly ledger: Ledger;
  readonly answer: Answer;
  readonly currency: string;
  readonly mode: 'live' | 'paper';
  /** Takes a sentence on what is not read or kept of what strategies earned. */
  readonly warn: (text: string) => void;
}

/** Lines that say nothing to a person. */
const UNSAID: ReadonlySet<string> = new Set(['checkpoint']);
/** The file's name in the state directory. */
const KEPT = 'dashboard-money.json';

/** What the dashboard of a run shows: a bounded view of its ledger and status, read at the moment in which somebody looks. */
class BotSource implements DashboardSource {
  readonly ring = new RecordRing();
  readonly pages = ['now', 'markets', 'market', 'orders', 'record', 'commands'] as const;
  readonly kind: 'live' | 'paper';
  readonly name: string;
  readonly currency: string;
  readonly newLink: string;
  readonly commands: DashboardSource['commands'];
  readonly linkOf = undefined;
  readonly #parts: BotSourceParts;
  readonly #activity = new Activity();
  readonly #kept: KeptRun;
  readonly #curves = new MoneyCurves();
  readonly #prices = new PriceMemory();
  readonly #looks: NodeJS.Timeout;
  #endedAt: number | undefined;

  constructor(parts: BotSourceParts) {
    const { daemon, bot } = parts.status();
    this.#parts = parts;
    this.kind = parts.mode;
    this.name = bot.run;
    this.currency = parts.currency;
    this.newLink = `${ownCommand()} dashboard link --dir ${shellWord(daemon.dir)}`;
    this.commands = botCommands(parts);
    const look = () => this.#prices.look(readMarkets(parts.ledger), parts.status().bot.at);
    this.#looks = setInterval(look, LOOK_EVERY_MS).unref();
    this.#kept = keptRun(parts, { dir: daemon.dir, run: bot.run });
  }

  /** Every line of the log, also those that are left out of it. */
  line(at: number, line: LogLine): void {
    const { level, subject: about, alert, text } = line;
    if (UNSAID.has(about)) return;
    if (about === 'ended') this.#endedAt = at;
    this.#kept.line(at, line);
    this.#activity.line(at, line);
    this.ring.add({ at, level, about, alert, text });
  }

  head(): ReturnType<DashboardSource['head']> {
    const status = this.#parts.status();
    const { at, trading, phase } = status.bot;
    return {
      at,
      words: headWords(status, this.#kept.move),
      halt: trading === 'halted' ? 'halted' : 'offered',
      ended: phase === 'ended' ? endOf(status, this.#endedAt ?? at) : undefined,
    };
  }

  close(): void {
    clearInterval(this.#looks);
    this.#kept.close();
  }

  panel(ask: Ask): Panel | undefined {
    const { ledger, status } = this.#parts;
    switch (ask.page) {
      case 'now': {
        const at = status();
        const now = instant(at.bot.at);
        const [activity, kept, curves] = [this.#activity, this.#kept, this.#curves];
        return nowPanel({ status: at, ledger, now, activity, kept, curves, alerts: this.ring.alerts });
      }
      case 'markets':
        return { page: 'markets', part: marketsPart(ledger, ask, this.#kept.sums) };
      case 'market':
        return marketPanel(ledger, ask, { sums: this.#kept.sums, prices: this.#prices });
      case 'orders':
        return { page: 'orders', part: ordersPart(ledger, ask) };
      case 'record':
      case 'commands':
      case 'bots':
      case 'exchange':
        return undefined;
    }
  }
}

function keptRun(
  { ledger, warn }: BotSourceParts,
  { dir, run }: { readonly dir: string; readonly run: string },
): KeptRun {
  const nameOf = (id: string): string => {
    const facts = ledger.entryById(id)?.state.facts;
    return facts === undefined ? id : marketLabel(facts);
  };
  return new KeptRun({
    ...{ path: join(dir, KEPT), run, warn },
    marketName: nameOf,
    orderOf: (client) => {
      const order = ledger.order(client);
      if (order === undefined) return undefined;
      const { marketId: id, side, terms } = order;
      return { strategy: strategyName(ledger.names, terms.strategy), market: { id, name: nameOf(id) }, side };
    },
  });
}
