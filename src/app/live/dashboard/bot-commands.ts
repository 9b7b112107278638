/** The commands that a run takes from its dashboard: the same answers as over its control socket, and the state that proves each. */

import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { OwnOrder } from '../../../engine/ledger/own-order.ts';
import type { CommandOffer } from '../../../pages/panels.ts';
import { plural } from '../../../words/numbers.ts';
import type { CarriedOut, Commands, Progress } from '../../web/dashboard/server/source.ts';
import type { ControlReply, ControlRequest, DaemonStatus } from '../control/control-protocol.ts';
import type { Answer } from '../control/control-server.ts';

type Name = 'halt' | 'reduceOnly' | 'cancelAll' | 'resume';

type Told = Pick<CommandOffer, 'title' | 'effect' | 'word' | 'hasReason' | 'tone'> & { readonly name: Name };

const OFFERS: readonly Told[] = [
  {
    name: 'halt',
    title: 'Halt',
    effect:
      'No new orders, and unmatched ones are cancelled. It goes on watching, over restarts too, until it is resumed.',
    word: 'halt',
    hasReason: true,
    tone: 'bad',
  },
  {
    name: 'reduceOnly',
    title: 'Reduce only',
    effect: 'Unmatched orders are cancelled. New ones pass only if they lower what can be lost.',
    word: 'reduce',
    hasReason: true,
    tone: 'warn',
  },
  {
    name: 'cancelAll',
    title: 'Cancel all',
    effect:
      'Orders that are unmatched now are cancelled, once. Trading goes on: strategies may place new ones at once.',
    word: 'cancel',
    hasReason: true,
    tone: 'warn',
  },
  {
    name: 'resume',
    title: 'Resume',
    effect: 'Trades again, strategies that were halted too. A limit that is still reached halts again.',
    word: 'resume',
    hasReason: false,
    tone: 'good',
  },
];

export function botCommands(parts: { readonly answer: Answer; readonly ledger: Ledger }): Commands {
  const { answer, ledger } = parts;
  return {
    offers: () => OFFERS.map((offer) => ({ ...offer, group: '', of: '', about: '', off: undefined, fields: [] })),
    subjects: () => undefined,
    async carryOut({ name, reason }): Promise<CarriedOut> {
      const before = [...ledger.liveOrders()];
      const reply = await replyOf(answer, requestOf(nameOf(name), reason));
      if (reply.kind === 'refused') return { refused: `${reply.what} (${reply.code})` };
      return { progress: () => progressOf(nameOf(name), ledger, before) };
    },
  };
}

function nameOf(name: string): Name {
  const known = OFFERS.find((offer) => offer.name === name);
  if (known === undefined) throw new Error(`a command that is offered is known: ${name}`);
  return known.name;
}

function requestOf(command: Name, reason: string): ControlRequest {
  return command === 'resume' ? { v: 1, command } : { v: 1, command, reason };
}

/** The last reply counts. */
async function replyOf(answer: Answer, request: ControlRequest): Promise<ControlReply> {
  let last: ControlReply = { v: 1, kind: 'heard' };
  await answer(request, (reply) => {
    last = reply;
  });
  return last;
}

/** `before`: the orders that were live when it was heard. */
function progressOf(name: Name, ledger: Ledger, before: readonly OwnOrder[]): Progress {
  const { trading } = ledger.risk;
  const live = before.filter((order) => order.isLive).length;
  const ended =
    live === 0
      ? `all ${plural(before.length, 'order')} of before ended`
      : `${plural(live, 'order')} of before still live`;
  switch (name) {
    case 'halt': {
      const all = [...ledger.liveOrders()].length;
      const orders = all === 0 ? 'no order is live' : `${plural(all, 'order')} still live`;
      return { isDone: trading === 'halted' && all === 0, proof: `trading is ${WORDS[trading]}, ${orders}` };
    }
    case 'reduceOnly':
      return { isDone: trading !== 'running' && live === 0, proof: `trading is ${WORDS[trading]}, ${ended}` };
    case 'cancelAll':
      return { isDone: live === 0, proof: ended };
    case 'resume':
      return { isDone: trading === 'running', proof: `trading is ${WORDS[trading]}` };
  }
}

const WORDS: Readonly<Record<DaemonStatus['bot']['trading'], string>> = {
  running: 'running',
  reduceOnly: 'reduce-only',
  halted: 'halted',
};
