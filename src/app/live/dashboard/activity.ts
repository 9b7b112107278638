/** What a run did in the last five minutes, counted from the lines of its log. */

import { REFUSALS, type RefusalCode } from '../../../core/refusal.ts';
import type { RefusalCount } from '../../../pages/panels.ts';
import type { LogLine } from '../log/log-line.ts';

const MINUTE_MS = 60_000;
export const MINUTES = 5;

interface Minute {
  readonly minute: number;
  decided: number;
  sent: number;
  readonly refused: Map<string, number>;
}

export class Activity {
  readonly #minutes: Minute[] = [];
  #decidedAt: number | undefined;
  #sentAt: number | undefined;

  /** When a strategy last wanted something, and when an order was last sent. */
  get decidedAt(): number | undefined {
    return this.#decidedAt;
  }
  get sentAt(): number | undefined {
    return this.#sentAt;
  }

  line(at: number, { subject, fields }: LogLine): void {
    if (subject === 'decided') {
      this.#decidedAt = at;
      this.#minute(at).decided += 1;
    } else if (subject === 'sent') {
      this.#sentAt = at;
      this.#minute(at).sent += 1;
    } else if (subject === 'refused') {
      const { refused } = this.#minute(at);
      const code = String(fields?.['code']);
      refused.set(code, (refused.get(code) ?? 0) + Number(fields?.['times'] ?? 1));
    }
  }

  /** Over the last minutes up to now; refusals by code, the most frequent first. */
  counts(now: number): { readonly decided: number; readonly sent: number; readonly refusals: readonly RefusalCount[] } {
    this.#forget(now);
    const refused = new Map<string, number>();
    for (const minute of this.#minutes)
      for (const [code, times] of minute.refused) refused.set(code, (refused.get(code) ?? 0) + times);
    const refusals = [...refused].map(([code, times]) => ({ code, times, means: meaningOf(code) }));
    const sum = (of: (minute: Minute) => number) => this.#minutes.reduce((total, minute) => total + of(minute), 0);
    return {
      decided: sum(({ decided }) => decided),
      sent: sum(({ sent }) => sent),
      refusals: refusals.sort((a, b) => b.times - a.times),
    };
  }

  #minute(at: number): Minute {
    const minute = Math.floor(at / MINUTE_MS);
    const last = this.#minutes.at(-1);
    // A clock that was set back goes on in the newest minute.
    if (last !== undefined && last.minute >= minute) return last;
    const begun: Minute = { minute, decided: 0, sent: 0, refused: new Map() };
    this.#minutes.push(begun);
    this.#forget(at);
    return begun;
  }

  #forget(now: number): void {
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES;
    while (this.#minutes[0] !== undefined && this.#minutes[0].minute <= oldest) this.#minutes.shift();
  }
}

function meaningOf(code: string): string {
  return isRefusalCode(code) ? REFUSALS[code].means : '';
}

function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSALS, code);
}
