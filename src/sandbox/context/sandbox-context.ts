/** What the parts of the sandbox share: the one world, the one way to change it, the time, secrets and settings. */

import type { Instant, Money } from '../../core/number/units.ts';
import type { OrderErrorCode } from '../../core/order.ts';
import type { Clock } from '../../time/clock.ts';
import type { Change } from '../world/change.ts';
import type { Changed, World } from '../world/world.ts';

export interface SandboxSettings {
  /** How long a session's tokens live (profile section 1: 30 minutes and 7 days). */
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  /** What one call of the faucet gives. */
  readonly faucetAmount: Money;
}

/** The only way in: every change goes through `apply`, which also writes it to the log before anyone is answered. */
export interface SandboxContext {
  readonly world: World;
  readonly clock: Clock;
  readonly settings: SandboxSettings;
  /** The instant that a change made now bears: the clock's, never earlier than the world's. */
  now(): Instant;
  apply(change: Change): Changed;
  /** A new secret of 32 random bytes, as text that needs no escaping in an address. */
  secret(): string;
  /** The error that the control surface asked for this order, if any: used up by the asking. */
  takeOrderFault(app: number): OrderErrorCode | undefined;
}
