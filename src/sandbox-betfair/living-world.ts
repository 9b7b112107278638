/** A world of Betfair's rules with its face, which lives by any clock. */

import { Random } from '../core/number/random.ts';
import { InjectedFaults } from '../sandbox/context/injected-faults.ts';
import { LiveContext } from '../sandbox/context/live-context.ts';
import { demoOf, refreshWorld, seedWorld } from '../sandbox/default-world/default-world.ts';
import { SANDBOX_SETTINGS } from '../sandbox/sandbox.ts';
import { applyChange } from '../sandbox/traffic/market-maker.ts';
import type { WorldLog } from '../sandbox/world-log/world-log.ts';
import type { Clock } from '../time/clock.ts';
import { BetfairFace } from './face/betfair-face.ts';
import { POUND } from './names/currencies.ts';
import { type FaceState, faceState } from './state/face-state.ts';
import type { WorldOptions } from './state/world-options.ts';

interface LivingWorldParts extends WorldOptions {
  readonly log: WorldLog;
  readonly clock: Clock;
  /** Gives the tokens of sessions; absent: random ones. */
  readonly secret?: () => string;
  /** Called with an error thrown in a timer, which no caller could catch. */
  readonly onBug: (error: unknown) => void;
}

export interface LivingWorld {
  readonly context: LiveContext;
  readonly state: FaceState;
  readonly face: BetfairFace;
  stop(): void;
}

/** Bots count the seconds to the off: a market of the default world turns in play, or closes, within one of its time. */
const REFRESH_MS = 1_000;

export function livingWorld(parts: LivingWorldParts): LivingWorld {
  const { log, clock, settings, secret, onBug } = parts;
  const faults = new InjectedFaults();
  const context = new LiveContext({
    ...{ world: log.world, clock, settings: SANDBOX_SETTINGS, faults, onBug },
    ...(secret === undefined ? {} : { secret }),
  });
  const refresh = () => log.together(() => refreshWorld(context));
  if (demoOf(log.world) !== undefined) refresh();
  else log.together(() => begin(context, parts));
  const state = faceState(context, settings, faults);
  const refreshing = context.repeat(refresh, REFRESH_MS);
  const stop = () => {
    refreshing.unsubscribe();
    state.late.unsubscribe();
    context.stop();
  };
  return { context, state, face: new BetfairFace(state), stop };
}

/** A world begins with the currency of its markets. One that was begun for a tape may be filled later. */
function begin(context: LiveContext, { invents = true, seed = 1 }: WorldOptions): void {
  const currencies = context.world.catalogue.currencies.size === 0 ? [POUND] : [];
  if (invents) seedWorld(context, { random: Random.fromSeed(seed), currencies });
  else for (const id of currencies) applyChange(context, { kind: 'createCurrency', id });
}
