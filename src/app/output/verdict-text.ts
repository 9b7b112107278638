/** What `oddsmith sandbox --betfair` prints at its end: what the exchange holds of each account. */

import type { AccountVerdict, MarketVerdict } from '../../sandbox-betfair/state/verdict.ts';
import { amount, count, plural, signed } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';

export function verdictJson(accounts: readonly AccountVerdict[], lag?: { readonly lagMs: number }): string {
  const waited = lag === undefined ? {} : { lagMs: lag.lagMs };
  return `${JSON.stringify({ command: 'sandbox', face: 'betfair', ...waited, accounts })}\n`;
}

export function verdictText(accounts: readonly AccountVerdict[]): string {
  if (accounts.length === 0) return 'No client logged in.\n';
  return `${accounts.map((account) => accountLines(account).join('\n')).join('\n\n')}\n`;
}

function accountLines(account: AccountVerdict): readonly string[] {
  const { username, currency, profit, commission, availableToBetBalance, exposure, bets, markets } = account;
  const net = `${signed(profit - commission)} ${currency} after ${amount(commission)} commission`;
  const parts = [
    `${amount(bets.sizeMatched)} matched`,
    `${amount(bets.sizeRemaining)} remaining`,
    `${amount(bets.sizeLapsed)} lapsed`,
    `${amount(bets.sizeCancelled)} cancelled`,
    `${amount(bets.sizeVoided)} voided`,
  ];
  return [
    `${printable(username)}: ${net}`,
    `  balance       ${amount(availableToBetBalance)} to bet with, ${amount(exposure)} at risk`,
    `  bets          ${plural(bets.betCount, 'bet')} of ${amount(bets.size)}: ${parts.join(', ')}`,
    `  transactions  ${transactionsText(account)}`,
    ...(markets.length === 0 ? [] : ['', ...marketLines(markets)]),
  ];
}

export function transactionsText({
  transactions: { placed, failed, mostInAnHour, charge },
  currency,
}: AccountVerdict): string {
  const charged = charge === 0 ? 'free of charge at Betfair' : `Betfair would charge ${amount(charge)} ${currency}`;
  return `${count(placed)} placed, ${count(failed)} failed, at most ${count(mostInAnHour)} in an hour: ${charged}`;
}

const HEAD = ['market', 'status', 'bets', 'matched', 'profit', 'commission', 'name'];
const WIDTHS = [14, 11, 6, 12, 12, 12];

function marketLines(markets: readonly MarketVerdict[]): readonly string[] {
  const rows = markets.map(({ marketId, status, bets, profit, commission, eventName, marketName }) => [
    marketId,
    status,
    count(bets.betCount),
    amount(bets.sizeMatched),
    profit === undefined ? '–' : signed(profit),
    commission === undefined ? '–' : amount(commission),
    printable(`${eventName}, ${marketName}`),
  ]);
  return [HEAD, ...rows].map(
    (cells) =>
      `  ${cells
        .map((cell, at) => {
          const width = WIDTHS[at];
          if (width === undefined) return `  ${cell}`;
          return at < 2 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('')}`,
  );
}
