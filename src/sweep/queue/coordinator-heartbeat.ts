/** Says in Redis that a sweep has a coordinator, and keeps a second one away. */

import type { Redis } from 'ioredis';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { type CoordinatorRecord, type QueueKeys, SILENT_MS_MAX } from './queue-keys.ts';
import { readCoordinator } from './read-message.ts';

interface HeartbeatTerms {
  readonly client: Redis;
  readonly keys: QueueKeys;
  readonly coordinator: CoordinatorRecord;
  readonly isAlive: (coordinator: { readonly host: string; readonly pid: number }) => boolean | undefined;
  readonly say: (line: string) => void;
}

const LOOK_MS = 500;

export class CoordinatorHeartbeat {
  readonly #terms: HeartbeatTerms;
  readonly #text: string;

  constructor(terms: HeartbeatTerms) {
    this.#terms = terms;
    const { coordinator, host, pid } = terms.coordinator;
    this.#text = JSON.stringify({ coordinator, host, pid });
  }

  /** Waits for a coordinator that was killed to be forgotten. @throws OddsmithError SWEEP_BUSY */
  async begin(): Promise<void> {
    const { client, keys, say } = this.#terms;
    let seen: string | undefined;
    for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
      const taken = await client.set(keys.coordinator, this.#text, 'PX', SILENT_MS_MAX, 'NX');
      if (taken === 'OK') return;
      const there = await client.get(keys.coordinator);
      if (there === null) continue;
      const other = readCoordinator(there);
      const isAlive = other !== undefined && this.#terms.isAlive(other);
      if (other === undefined || isAlive === false) {
        await client.del(keys.coordinator);
        continue;
      }
      // One that is alive renews its heartbeat; one on another machine may have been killed.
      if (isAlive === true || waitedMs > SILENT_MS_MAX + LOOK_MS) throw busy(other);
      if (seen === undefined) say(`waiting whether ${other.host}, process ${other.pid}, still coordinates this sweep`);
      seen = there;
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_MS); // edge: whether another machine is alive shows with time alone
      });
    }
  }

  /** @throws OddsmithError SWEEP_BUSY where another process took over */
  async renew(): Promise<void> {
    const { client, keys } = this.#terms;
    const there = await client.get(keys.coordinator);
    const other = there === null || there === this.#text ? undefined : readCoordinator(there);
    if (other !== undefined) throw busy(other);
    await client.set(keys.coordinator, this.#text, 'PX', SILENT_MS_MAX);
  }

  async end(): Promise<void> {
    const { client, keys } = this.#terms;
    if ((await client.get(keys.coordinator)) === this.#text) await client.del(keys.coordinator);
  }
}

function busy({ host, pid }: CoordinatorRecord): OddsmithError {
  return new OddsmithError({
    code: 'SWEEP_BUSY',
    what: 'Another process coordinates this sweep.',
    where: `${host}, process ${pid}`,
    why: 'Two of them would give out the same units twice.',
    next: 'Wait for it, or end it.',
  });
}
