/** All that is evaluated in a strategy's realm before its own code: what stands between it and the objects of ours. */

import { WINDOWS } from '../../../engine/windows/windows.ts';
import { StrategyShapeError } from '../../../strategy/define-strategy.ts';
import { Bridge } from './bridge.ts';
import { tame } from './tame.ts';

export const INSIDE = {
  windows: WINDOWS,
  isShapeError: StrategyShapeError.is,
  bridge: (outside: ConstructorParameters<typeof Bridge>[0]): Bridge => new Bridge(outside),
  tame,
  newModule: (): { exports: unknown } => ({ exports: {} }),
  /** A function of this realm that does nothing but call one of ours. */
  entry: (work: () => void) => (): void => work(),
};
