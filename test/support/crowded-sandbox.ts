/** A sandbox in this process in which a crowd trades. */

import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startCrowd } from '../../src/sandbox/traffic/crowd.ts';
import type { Traffic } from '../../src/sandbox/traffic/traffic.ts';
import type { Clock } from '../../src/time/clock.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { ControlClient } from './vendor/control-client.ts';

export interface CrowdTerms {
  readonly clock?: Clock;
  /** Orders per second of each of the crowd's markets. */
  readonly pace: number;
  /** Where its world is kept; in memory if it is absent. */
  readonly file?: string;
}

export interface CrowdedSandbox {
  readonly sandbox: Sandbox;
  readonly crowd: Traffic;
  readonly control: ControlClient;
  /** Throws where the sandbox met a bug of its own. */
  close(): Promise<void>;
}

export async function openCrowdedSandbox({ clock = wallClock, pace, ...place }: CrowdTerms): Promise<CrowdedSandbox> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const sandbox = await openSandbox({ clock, version: '0.0.0', checksAnswers: true, onBug, ...place });
  const crowd = startCrowd(sandbox.context, { seed: 7, pace, markets: 3, onBug });
  return {
    ...{ sandbox, crowd, control: new ControlClient(sandbox) },
    close: async () => {
      crowd.stop();
      await sandbox.close();
      if (bugs.length > 0) throw bugs[0];
    },
  };
}
