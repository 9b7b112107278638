/** What a daemon does about each request over its control socket. */

import type { Bot } from '../../../engine/live/bot.ts';
import {
  CONTROL_VERSION,
  type ControlReply,
  type ControlRequest,
  type DaemonEnd,
  type DaemonStatus,
} from './control-protocol.ts';
import type { Answer } from './control-server.ts';
import { ownMark } from './process-mark.ts';

export interface Controlled {
  readonly bot: Pick<Bot, 'halt' | 'reduceOnly' | 'resume' | 'cancelAll'>;
  readonly status: () => DaemonStatus;
  /** What an answer has beyond that: it takes a look at all open markets. */
  readonly watched: () => Pick<DaemonStatus, 'limit' | 'alerts'>;
  /** A new link to the dashboard; undefined without one. */
  readonly dashboardLink: () => string | undefined;
  /** When the run has ended, and how. */
  readonly ended: Promise<DaemonEnd>;
  readonly stop: (orders: 'keep' | undefined) => void;
  /** Leaves at once, and cancels nothing. */
  readonly leave: (cause: string) => void;
}

const v = CONTROL_VERSION;
const BY = 'command';

export function controlAnswers(controlled: Controlled): Answer {
  const { bot, status, watched, ended, stop, leave } = controlled;
  return async (request, reply) => {
    const replyStatus = () => reply({ v, kind: 'status', status: { ...status(), ...watched() } });
    const refusal = refusalOf(request, controlled);
    if (refusal !== undefined) return reply(refusal);
    switch (request.command) {
      case 'status':
        return replyStatus();
      case 'halt':
        bot.halt(BY, request.reason ?? 'asked for');
        return replyStatus();
      case 'reduceOnly':
        bot.reduceOnly(BY, request.reason ?? 'asked for');
        return replyStatus();
      case 'resume':
        bot.resume(BY);
        return replyStatus();
      case 'cancelAll':
        bot.cancelAll(BY, request.reason ?? 'asked for');
        return replyStatus();
      case 'dashboardLink':
        return reply(linkReply(controlled));
      case 'stop':
        reply({ v, kind: 'heard' });
        if (request.now === true) leave('stopped at once by command');
        else stop(request.orders);
        reply({ v, kind: 'ended', end: await ended, process: ownMark() });
    }
  };
}

function linkReply({ dashboardLink }: Controlled): ControlReply {
  const url = dashboardLink();
  if (url !== undefined) return { v, kind: 'link', url };
  return {
    v,
    kind: 'refused',
    code: 'NO_DASHBOARD',
    what: 'The run serves no dashboard: its configuration has no dashboard: { port: … }.',
  };
}

/** The refusal of a request that would have no effect. */
function refusalOf({ command }: ControlRequest, { status }: Controlled): ControlReply | undefined {
  if (command === 'status' || command === 'stop' || command === 'dashboardLink') return undefined;
  const { bot, daemon } = status();
  if (bot.phase === 'ending' || bot.phase === 'ended')
    return { v, kind: 'refused', code: 'ENDING', what: 'The run is about to end.' };
  if (command === 'reduceOnly' && bot.trading === 'halted')
    return { v, kind: 'refused', code: 'HALTED', what: 'The run is halted, which is stricter than reduce-only.' };
  if (command === 'resume' && bot.clockDoubt !== undefined)
    return {
      v,
      kind: 'refused',
      code: 'CLOCK_WRONG',
      what: `Nothing that was counted on its clock can be trusted: ${bot.clockDoubt}. Where the machine slept or was paused, stop the run and start it again; where the system’s clock is wrong, set it right.`,
    };
  if (command === 'resume' && daemon.haltFile)
    return { v, kind: 'refused', code: 'HALT_FILE', what: 'The halt file lies in the state directory.' };
  return undefined;
}
