/** Several bots as one table for people. */

import { amount, count, signed } from '../../../words/numbers.ts';
import { printable } from '../../../words/printable.ts';
import type { Paint } from '../../cli/terminal.ts';
import { span } from '../control/status-text.ts';
import type { ListedBot } from './bot-list.ts';

const HEADS = [
  'bot',
  'mode',
  'state',
  'today',
  'in all',
  'can lose',
  'live',
  'feeds',
  'why it does not trade',
] as const;
/** Figures stand to the right. */
const RIGHT: ReadonlySet<string> = new Set(['today', 'in all', 'can lose', 'live']);

export function botListText(bots: readonly ListedBot[], paint: Paint): string {
  const rows = bots.map(cellsOf);
  const widths = HEADS.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], colours: (text: string, column: number) => string): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const wide = RIGHT.has(HEADS[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
        return colours(wide, column);
      })
      .join('  ')
      .trimEnd();
  const body = rows.map((row, at) => line(row, (text, column) => coloured(text, { column, bot: bots[at], paint })));
  return `${[line(HEADS, (text) => paint.dim(text)), ...body].join('\n')}\n`;
}

function cellsOf({ name, status, whyNot = '' }: ListedBot): readonly string[] {
  if (status === undefined) return [name, '', 'not running', '', '', '', '', '', whyNot].map(printable);
  const { daemon, bot } = status;
  const { today, total } = bot.results;
  const canLose = bot.wallets.reduce((sum, { worstLoss }) => sum + worstLoss, 0);
  const state = bot.trading === 'running' ? bot.phase : bot.trading;
  const figures = [signed(today), signed(total), amount(canLose), count(bot.orders.live)];
  return [name, daemon.mode, state, ...figures, feedWords(status.bot), whyNot].map(printable);
}

/** The oldest reading tells how old everything is at most. */
function feedWords({ feeds, at }: NonNullable<ListedBot['status']>['bot']): string {
  const late = feeds.filter(({ isLate }) => isLate);
  if (late.length > 0) return `${late.map(({ feed }) => feed).join(', ')} late`;
  const oldest = Math.max(0, ...feeds.map(({ readAt }) => (readAt === undefined ? 0 : at - readAt)));
  return `in time, ${span(oldest)}`;
}

function coloured(
  text: string,
  { column, bot, paint }: { readonly column: number; readonly bot: ListedBot | undefined; readonly paint: Paint },
): string {
  if (HEADS[column] !== 'state') return text;
  if (bot?.status === undefined) return paint.red(text);
  return bot.whyNot === undefined ? paint.green(text) : paint.yellow(text);
}
