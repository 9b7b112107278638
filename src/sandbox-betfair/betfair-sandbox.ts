/** Opens a sandbox that speaks Betfair's API: the world and its log, and the face over HTTPS. */

import { Random } from '../core/number/random.ts';
import { instant } from '../core/number/units.ts';
import { BETFAIR_WORLD } from '../sandbox/context/betfair-world.ts';
import { InjectedFaults } from '../sandbox/context/injected-faults.ts';
import { LiveContext } from '../sandbox/context/live-context.ts';
import { demoOf, refreshWorld, seedWorld } from '../sandbox/default-world/default-world.ts';
import { SANDBOX_SETTINGS } from '../sandbox/sandbox.ts';
import { memoryWorldLog, type Opening, openWorldLog } from '../sandbox/world-log/world-log.ts';
import type { Clock } from '../time/clock.ts';
import { BetfairFace } from './face/betfair-face.ts';
import { serverCertificate } from './server/certificates.ts';
import { openHttpsServer } from './server/https-server.ts';
import { type FaceSettings, faceState } from './state/face-state.ts';

export interface BetfairSandboxOptions {
  readonly clock: Clock;
  /** File of the world; absent: in memory only. */
  readonly file?: string;
  /** Directory of the certificate authority, made where it is missing. */
  readonly authorityDirectory: string;
  /** Host to listen on; absent: 127.0.0.1. */
  readonly host?: string;
  /** Port; absent or 0: any free one. */
  readonly port?: number;
  /** Seed of the default world, used where the file is new. */
  readonly seed?: number;
  readonly settings?: Partial<FaceSettings>;
  /** Called with a bug, or with the failure of a log that cannot be written: end the process. */
  readonly onBug: (error: unknown) => void;
}

export interface BetfairSandbox {
  readonly url: string;
  /** The certificate of the authority: clients trust it, or do not verify. */
  readonly authorityFile: string;
  readonly opening: Opening;
  /** For drivers of traffic and for tests. */
  readonly context: LiveContext;
  readonly face: BetfairFace;
  close(): Promise<void>;
}

/** The currency of markets and accounts. */
const FACE_CURRENCY = 'GBP';
const LOOPBACK = '127.0.0.1';
const REFRESH_MS = 60_000;

/**
 * @throws WorldLogFailure where the file is no world or in use by another sandbox, and the system's error where the
 * port is taken
 */
export async function openBetfairSandbox(options: BetfairSandboxOptions): Promise<BetfairSandbox> {
  const { clock, file, host = LOOPBACK, port = 0, onBug } = options;
  const now = instant(Math.floor(clock.now()));
  const log = file === undefined ? memoryWorldLog(BETFAIR_WORLD) : openWorldLog({ file, now, ...BETFAIR_WORLD });
  const faults = new InjectedFaults();
  const context = new LiveContext({ world: log.world, clock, settings: SANDBOX_SETTINGS, faults, onBug });
  const refresh = () => log.together(() => refreshWorld(context));
  if (demoOf(log.world) !== undefined) refresh();
  else {
    const random = Random.fromSeed(options.seed ?? 1);
    log.together(() => seedWorld(context, { random, currencies: [FACE_CURRENCY] }));
  }
  const face = new BetfairFace(faceState(context, options.settings));
  const certificate = serverCertificate(options.authorityDirectory, now);
  const server = await openHttpsServer({ face, clock, certificate, host, port, onBug }).catch((error: unknown) => {
    context.stop();
    log.close();
    throw error;
  });
  const refreshing = context.repeat(refresh, REFRESH_MS);
  const close = async () => {
    refreshing.unsubscribe();
    await server.close();
    context.stop();
    log.close();
  };
  const { opening } = log;
  return { url: `https://${server.address}`, authorityFile: certificate.authorityFile, opening, context, face, close };
}
