/** Opens a sandbox that speaks Betfair's API: the world and its log, the face over HTTPS, and the stream. */

import { Random } from '../core/number/random.ts';
import { instant } from '../core/number/units.ts';
import { InjectedFaults } from '../sandbox/context/injected-faults.ts';
import { LiveContext } from '../sandbox/context/live-context.ts';
import { demoOf, refreshWorld, seedWorld } from '../sandbox/default-world/default-world.ts';
import { SANDBOX_SETTINGS } from '../sandbox/sandbox.ts';
import { applyChange } from '../sandbox/traffic/market-maker.ts';
import { memoryWorldLog, type Opening, openWorldLog } from '../sandbox/world-log/world-log.ts';
import type { Clock } from '../time/clock.ts';
import { BetfairFace } from './face/betfair-face.ts';
import { POUND } from './names/currencies.ts';
import { serverCertificate } from './server/certificates.ts';
import { openHttpsServer } from './server/https-server.ts';
import { BETFAIR_WORLD } from './state/betfair-world.ts';
import { type FaceSettings, faceState } from './state/face-state.ts';
import { openBetfairStream, type StreamServer } from './stream/stream-server.ts';

export interface BetfairSandboxOptions {
  readonly clock: Clock;
  /** File of the world; absent: in memory only. */
  readonly file?: string;
  /** Directory of the certificate authority, made where it is missing. */
  readonly authorityDirectory: string;
  /** Host to listen on; absent: 127.0.0.1. */
  readonly host?: string;
  /** Port of the API, above which the stream has the next one; absent or 0: any free ones. */
  readonly port?: number;
  /**
   * Whether a world without markets of its own is filled with invented ones; absent: it is. Where a tape is played, a bot
   * should find the tape's alone.
   */
  readonly invents?: boolean;
  /** Seed of the default world. */
  readonly seed?: number;
  readonly settings?: Partial<FaceSettings>;
  /** Called with a bug, or with the failure of a log that cannot be written: end the process. */
  readonly onBug: (error: unknown) => void;
}

export interface BetfairSandbox {
  readonly url: string;
  /** Host and port of the stream. */
  readonly streamAddress: string;
  /** The certificate of the authority: clients trust it, or do not verify. */
  readonly authorityFile: string;
  readonly opening: Opening;
  /** For drivers of traffic and for tests. */
  readonly context: LiveContext;
  readonly face: BetfairFace;
  readonly stream: StreamServer;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** Bots count the seconds to the off: a market of the default world turns in play, or closes, within one of its time. */
const REFRESH_MS = 1_000;

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
  else log.together(() => begin(context, options));
  const state = faceState(context, options.settings);
  const face = new BetfairFace(state);
  const certificate = serverCertificate(options.authorityDirectory, now);
  const opened = { certificate, host, onBug };
  const failed = (error: unknown) => {
    context.stop();
    log.close();
    throw error;
  };
  const server = await openHttpsServer({ ...opened, face, clock, port }).catch(failed);
  const streamPort = port === 0 ? 0 : port + 1;
  const stream = await openBetfairStream({ ...opened, face: state, port: streamPort }).catch(async (error: unknown) => {
    await server.close();
    return failed(error);
  });
  const refreshing = context.repeat(refresh, REFRESH_MS);
  const close = async () => {
    refreshing.unsubscribe();
    await stream.close();
    await server.close();
    context.stop();
    log.close();
  };
  const { opening } = log;
  const streamAddress = `${server.address.slice(0, server.address.lastIndexOf(':'))}:${stream.port}`;
  return {
    url: `https://${server.address}`,
    streamAddress,
    authorityFile: certificate.authorityFile,
    opening,
    context,
    face,
    stream,
    close,
  };
}

/** A world begins with the currency of its markets. One that was begun for a tape may be filled later. */
function begin(context: LiveContext, { invents = true, seed = 1 }: BetfairSandboxOptions): void {
  const currencies = context.world.catalogue.currencies.size === 0 ? [POUND] : [];
  if (invents) seedWorld(context, { random: Random.fromSeed(seed), currencies });
  else for (const id of currencies) applyChange(context, { kind: 'createCurrency', id });
}
