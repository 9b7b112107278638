/** A supervisor for engines without a bot around them: it carries out a halt, and keeps a heartbeat if it is given one. */

import { map } from 'rxjs';
import type { EngineSupervisor } from '../../../src/engine/engine.ts';
import type { Ledger } from '../../../src/engine/ledger/ledger.ts';
import type { Input } from '../../../src/engine/ledger/step.ts';
import type { Gateway } from '../../../src/exchange/gateway.ts';

export const HALT: Input = { kind: 'command', command: { kind: 'halt', by: 'command', cause: 'the test halts it' } };

export interface KeptHeartbeat {
  readonly gateway: Gateway;
  readonly timeoutMs: number;
}

export function testSupervisor(heartbeat?: KeptHeartbeat): (ledger: Ledger) => EngineSupervisor {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  return (ledger) => ({
    isTrading: true,
    beforeDecisions(input, step) {
      if (input.kind !== 'command' || input.command.kind !== 'halt') return;
      ledger.risk.moveTrading({ to: 'halted', cause: input.command.cause, by: 'command' });
      ledger.cancelAll(step);
    },
    mayLeave: () => !ledger.risk.halted,
    commit(step) {
      if (heartbeat === undefined || step.at < refreshedAt + heartbeat.timeoutMs / 3) return;
      const sentAt = step.at;
      refreshedAt = sentAt;
      const reply$ = heartbeat.gateway.heartbeat(heartbeat.timeoutMs);
      step.addRequest(reply$.pipe(map((reply) => ({ kind: 'heartbeatReply', reply, sentAt }))));
    },
  });
}
