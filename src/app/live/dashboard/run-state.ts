/** How a run is, in one or two words and with who wanted it so: as its own page and the list of runs say it. */

import type { Tone } from '../../../pages/figure.ts';
import type { Ended, Word } from '../../../pages/panels.ts';
import { plural, signed, utc } from '../../../words/numbers.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import type { TradingMove } from './money/kept-run.ts';

/** Halt and reduce-only as somebody or something ordered them; undefined where it is not known. */
export type OrderedBy = Pick<TradingMove, 'by' | 'at'> | undefined;

const PEOPLE: Readonly<Record<string, string>> = {
  command: 'by a person',
  file: 'by the halt file',
  signal: 'by a signal',
};

/** Whether a person wanted it so: then it is no fault. */
export function isWanted(ordered: OrderedBy): boolean {
  return ordered !== undefined && Object.hasOwn(PEOPLE, ordered.by);
}

/** `by a person at 14:05`, `by drawdown at 14:05`; empty where it is not known. */
export function orderedText(ordered: OrderedBy): string {
  if (ordered === undefined || ordered.by === 'recovery') return '';
  return ` ${PEOPLE[ordered.by] ?? `by ${ordered.by}`} at ${minuteText(ordered.at)}`;
}

/** State, heartbeat and session, as every page shows them. */
export function headWords(status: DaemonStatus, ordered?: OrderedBy): readonly Word[] {
  const { heartbeat, phase } = status.bot;
  const isOver = phase === 'ending' || phase === 'ended';
  return [
    { label: 'state', ...stateOf(status, ordered) },
    {
      label: 'heartbeat',
      text: HEARTBEATS[heartbeat],
      tone: heartbeat === 'active' ? 'good' : heartbeat === 'unarmed' || isOver ? 'plain' : 'warn',
    },
    ...(status.daemon.awaySince === undefined ? [] : [{ label: 'exchange', text: 'no session', tone: 'bad' } as const]),
  ];
}

const HEARTBEATS: Readonly<Record<DaemonStatus['bot']['heartbeat'], string>> = {
  active: 'active',
  unarmed: 'not used',
  late: 'late',
  lapsed: 'lapsed',
  cleared: 'taken away',
};

function stateOf({ bot }: DaemonStatus, ordered: OrderedBy): { readonly text: string; readonly tone: Tone } {
  const { phase, trading } = bot;
  if (phase === 'ended') return { text: 'stopped', tone: 'plain' };
  if (phase === 'ending') return { text: 'stopping', tone: 'warn' };
  if (trading === 'halted') return { text: `halted${orderedText(ordered)}`, tone: isWanted(ordered) ? 'warn' : 'bad' };
  if (phase !== 'trading') return { text: 'starting', tone: 'warn' };
  return trading === 'reduceOnly'
    ? { text: `reduces only${orderedText(ordered)}`, tone: 'warn' }
    : { text: 'trading', tone: 'good' };
}

/** The last word of a run that has ended in order. */
export function endOf({ bot }: DaemonStatus, at: number): Ended {
  const { live } = bot.orders;
  const { total, today } = bot.results;
  const orders = `${plural(live, 'order')} live`;
  return {
    text: `Stopped at ${minuteText(at)}, ${orders}, ${signed(total)} settled in all, ${signed(today)} today.`,
    tone: live === 0 ? 'plain' : 'warn',
  };
}

/** `02:13` UTC. */
function minuteText(at: number): string {
  return utc(at).slice(11, 16);
}
