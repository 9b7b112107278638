/** An instant of a market in words: its state, and how far it is from the off. */

import type { ViewMarket, ViewState } from '../../../pages/view-data.ts';
import { plural } from '../../../words/numbers.ts';

export interface StateWord {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly about: string;
}

/** The state in force; undefined before the first. */
export function stateAt(states: readonly ViewState[], at: number): ViewState | undefined {
  let found: ViewState | undefined;
  for (const state of states) {
    if (state.at > at) break;
    found = state;
  }
  return found;
}

export function stateWords(state: ViewState | undefined): readonly StateWord[] {
  if (state === undefined) return [{ text: 'not known yet', tone: 'plain', about: 'Before its first state' }];
  const words = [statusWord(state)];
  if (state.inPlay === 'InPlay' && isRunning(state))
    words.push({ text: 'in play', tone: 'warn', about: 'The event is under way' });
  if (state.inPlayDelayMs > 0 && isRunning(state) && state.inPlay === 'InPlay')
    words.push({
      text: `bet delay ${state.inPlayDelayMs / 1000} s`,
      tone: 'plain',
      about: 'The exchange holds each order so long before it may match',
    });
  const removed = state.outcomes.filter((status) => status === 'Removed').length;
  if (removed > 0)
    words.push({ text: `${plural(removed, 'outcome')} removed`, tone: 'plain', about: 'Bets on them are void' });
  return words;
}

function statusWord({ status, suspended }: ViewState): StateWord {
  switch (status) {
    case 'Settled':
      return { text: 'settled', tone: 'plain', about: 'The result is known' };
    case 'Voided':
      return { text: 'voided', tone: 'bad', about: 'All bets are void' };
    case 'Initializing':
      return { text: 'not open yet', tone: 'plain', about: 'The exchange prepares the market' };
    case 'Open':
      return suspended
        ? { text: 'suspended', tone: 'bad', about: 'Nothing can be placed or matched' }
        : { text: 'open', tone: 'good', about: 'Orders can be placed and matched' };
  }
}

function isRunning({ status }: ViewState): boolean {
  return status === 'Open';
}

/** When the market last went in play before the instant; undefined where it is not in play. */
function inPlaySince(states: readonly ViewState[], at: number): number | undefined {
  let since: number | undefined;
  for (const state of states) {
    if (state.at > at) break;
    if (state.inPlay !== 'InPlay') since = undefined;
    else since ??= state.at;
  }
  return since;
}

/** `−01:37 to the off`, `in play +03:10`. */
export function offText({ startsAt, states }: Pick<ViewMarket, 'startsAt' | 'states'>, at: number): string | undefined {
  const since = inPlaySince(states, at);
  const status = stateAt(states, at)?.status;
  if (since !== undefined && status === 'Open') return `in play +${spanText(at - since)}`;
  if (since !== undefined) return `+${spanText(at - since)} after the off`;
  if (startsAt === undefined) return undefined;
  return at <= startsAt
    ? `−${spanText(Math.ceil((startsAt - at) / 1000) * 1000)} to the off`
    : `+${spanText(at - startsAt)} after the planned off`;
}

/** 93_000 → `01:33`; with hours and days where there are any. */
function spanText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${two(hours % 24)}:${two(minutes)}:${two(seconds % 60)}`;
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(seconds % 60)}`;
}
