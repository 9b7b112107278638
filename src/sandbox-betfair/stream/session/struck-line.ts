/** The line of one subscription as injected faults leave it: silent, late, marked as late by a status, or cut. */

import { Subscription as Timer } from 'rxjs';
import type { FaultTarget, InjectedFaults } from '../../../sandbox/context/injected-faults.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Peer } from './stream-connection.ts';
import type { Line } from './subscription.ts';

export interface StruckLineParts {
  readonly peer: Peer;
  readonly clock: Clock;
  readonly faults: InjectedFaults;
  /** The exchange machine's number of the account. */
  readonly app: number;
  readonly op: 'mcm' | 'ocm';
}

export class StruckLine implements Line {
  readonly #parts: StruckLineParts;
  readonly #target: FaultTarget;
  /** Lines that a fault made late, in their order; later ones wait behind them. */
  readonly #late: { readonly text: string; readonly dueAt: number }[] = [];
  #timer = new Timer();

  constructor(parts: StruckLineParts) {
    this.#parts = parts;
    this.#target = { operation: parts.op, url: '', app: parts.app, isNamedOnly: true };
  }

  get isBehind(): boolean {
    return this.#parts.peer.isBehind;
  }

  get isSilent(): boolean {
    const { faults, clock } = this.#parts;
    return faults.isSilent(this.#target, clock.now());
  }

  send(text: string): void {
    const { peer, faults, clock } = this.#parts;
    if (faults.isQuiet && this.#late.length === 0) return peer.send(text);
    const now = clock.now();
    const strike = faults.strike(this.#target, now);
    if (strike?.drop !== undefined) return peer.cut();
    const status = strike?.status?.status;
    const told = status === undefined ? text : `${text.slice(0, -1)},"status":${status}}`;
    const dueAt = Math.max(now + (strike?.delayMs ?? 0), this.#late.at(-1)?.dueAt ?? 0);
    if (dueAt <= now) return peer.send(told);
    this.#late.push({ text: told, dueAt });
    if (this.#late.length === 1) this.#wait(dueAt - now);
  }

  /** What is late is not sent any more. */
  close(): void {
    this.#timer.unsubscribe();
    this.#late.length = 0;
  }

  #wait(ms: number): void {
    this.#timer = this.#parts.clock.schedule(() => this.#sendDue(), ms);
  }

  #sendDue(): void {
    const { peer, clock } = this.#parts;
    const now = clock.now();
    while (this.#late[0] !== undefined && this.#late[0].dueAt <= now) peer.send(this.#late.shift()?.text ?? '');
    const [next] = this.#late;
    if (next !== undefined) this.#wait(next.dueAt - now);
  }
}
