/** What the dashboard of several runs shows: each asked over its control socket, once a second while somebody looks. */

import { relative } from 'node:path';
import type { Tone } from '../../../pages/figure.ts';
import type { Ask, BotRow, Panel } from '../../../pages/panels.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { plural } from '../../../words/numbers.ts';
import { CliError } from '../../cli/cli-error.ts';
import { ownCommand } from '../../cli/own-command.ts';
import type { DashboardSource } from '../../web/dashboard/server/source.ts';
import { askDaemon } from '../control/control-client.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import { headWords } from '../dashboard/run-state.ts';
import { whyNoOrders } from '../dashboard/why-no-orders.ts';
import { askBot, stateDirectoriesIn } from './bot-list.ts';

const ASK_EVERY_MS = 1_000;

export class BotsSource implements DashboardSource {
  readonly kind = 'bots';
  readonly pages = ['bots'] as const;
  readonly currency = '';
  readonly ring = undefined;
  readonly commands = undefined;
  readonly name: string;
  readonly newLink: string;
  readonly #dir: string;
  readonly #now: () => number;
  #rows: readonly BotRow[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  constructor(dir: string, now: () => number) {
    this.#dir = dir;
    this.#now = now;
    this.name = dir;
    this.newLink = `${ownCommand()} dashboard ${shellWord(dir)}`;
  }

  head(): ReturnType<DashboardSource['head']> {
    const count = (tone: Tone) => this.#rows.filter((row) => row.tone === tone).length;
    const words = [
      { label: 'trading', text: String(count('good')), tone: 'good' },
      { label: 'limited', text: String(count('warn')), tone: count('warn') > 0 ? 'warn' : 'plain' },
      { label: 'stopped', text: String(count('bad')), tone: count('bad') > 0 ? 'bad' : 'plain' },
    ] as const;
    return { at: this.#now(), words };
  }

  panel({ page }: Ask): Panel | undefined {
    if (page !== 'bots') return undefined;
    void this.#askAll();
    return { page: 'bots', dir: this.#dir, rows: this.#rows };
  }

  /** Only a directory that is listed may be named. */
  async linkOf(dir: string): Promise<{ readonly url: string } | { readonly why: string }> {
    if (!this.#rows.some((row) => row.dir === dir)) return { why: 'There is no such run.' };
    try {
      const reply = await askDaemon(dir, { v: 1, command: 'dashboardLink' });
      return reply.kind === 'link' ? { url: reply.url } : { why: 'It gave no link.' };
    } catch (error) {
      if (error instanceof CliError) return { why: error.parts.what };
      throw error;
    }
  }

  /** Asks all at once; a run that does not answer keeps the others’ rows from nobody for longer than its own patience. */
  async #askAll(): Promise<void> {
    const now = this.#now();
    if (this.#isAsking || now - this.#askedAt < ASK_EVERY_MS) return;
    this.#isAsking = true;
    this.#askedAt = now;
    this.#rows = await Promise.all(stateDirectoriesIn(this.#dir).map((dir) => this.#row(dir)));
    this.#isAsking = false;
  }

  async #row(dir: string): Promise<BotRow> {
    const name = relative(this.#dir, dir) || dir;
    const answer = await askBot(dir);
    return 'status' in answer ? rowOf(name, dir, answer.status) : silentRow(name, dir, answer);
  }
}

function rowOf(name: string, dir: string, status: DaemonStatus): BotRow {
  const { bot, daemon, limit, alerts } = status;
  const [reason] = whyNoOrders(status, undefined);
  return {
    dir,
    name: `${name} · ${bot.run}`,
    kind: daemon.mode,
    words: headWords(status),
    why: reason?.text,
    tone: reason?.tone ?? 'good',
    liveOrders: bot.orders.live,
    canLose: bot.wallets.reduce((sum, { worstLoss }) => sum + worstLoss, 0),
    limit,
    alerts,
    notices: noticesOf(bot),
    today: bot.results.today,
    total: bot.results.total,
    at: bot.at,
    hasDashboard: daemon.dashboard !== undefined,
  };
}

/** What its status says that a person should look at. */
function noticesOf(bot: DaemonStatus['bot']): readonly string[] {
  const { feeds, marketsOff, ordersLeft, reconciliation, strategies, orders } = bot;
  const late = feeds.filter(({ isLate }) => isLate).map(({ feed }) => feed);
  const halted = strategies.filter(({ isHalted }) => isHalted).map(({ name }) => name);
  return [
    ...(halted.length === 0 ? [] : [`halted: ${halted.join(', ')}`]),
    ...(late.length === 0 ? [] : [`late: ${late.join(', ')}`]),
    ...(orders.unknown === 0 ? [] : [`${plural(orders.unknown, 'order')} of unknown fate`]),
    ...(ordersLeft.length === 0 ? [] : [`${plural(ordersLeft.length, 'order')} cannot be ended`]),
    ...(reconciliation.differences.length === 0
      ? []
      : [`${plural(reconciliation.differences.length, 'difference')} with the exchange`]),
    ...(marketsOff.length === 0 ? [] : [`${plural(marketsOff.length, 'market')} switched off`]),
  ];
}

function silentRow(
  name: string,
  dir: string,
  { why, isDown }: { readonly why: string; readonly isDown: boolean },
): BotRow {
  return {
    ...{ dir, name, why, tone: isDown ? 'plain' : 'bad', kind: '', words: [], notices: [], hasDashboard: false },
    ...{ liveOrders: undefined, canLose: undefined, limit: undefined, alerts: undefined },
    ...{ today: undefined, total: undefined, at: undefined },
  };
}
