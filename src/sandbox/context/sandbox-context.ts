/** What all parts of the sandbox share: the world and the way to change it, the time, secrets and settings. */

import type { Instant, Money } from '../../core/number/units.ts';
import type { OrderErrorCode } from '../../core/order.ts';
import type { Clock } from '../../time/clock.ts';
import type { Change } from '../world/change.ts';
import type { Changed, World } from '../world/world.ts';

export interface SandboxSettings {
  /** Lifetime of a session's tokens (profile section 1: 30 minutes and 7 days). */
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  /** Amount that one call of the faucet pays. */
  readonly faucetAmount: Money;
}

/** Every change of the world goes through `apply`, which writes it to the log before any caller is answered. */
export interface SandboxContext {
  readonly world: World;
  readonly clock: Clock;
  readonly settings: SandboxSettings;
  /** The time for a change made now: the clock's, but never earlier than the world's. */
  now(): Instant;
  apply(change: Change): Changed;
  /** A new secret of 32 random bytes, as text that needs no escaping in a URL. */
  secret(): string;
  /** The error that an injected fault demands for the next order of the app, if any. Each call uses up one strike. */
  takeOrderFault(app: number): OrderErrorCode | undefined;
}
