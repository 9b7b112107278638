/** Opens a sandbox that speaks Betfair's API: the world and its log, the face over HTTPS, and the stream. */

import { instant } from '../core/number/units.ts';
import { type LiveContext, randomSecret } from '../sandbox/context/live-context.ts';
import { controlAnswers } from '../sandbox/control/control-call.ts';
import { type LocalControl, localControl } from '../sandbox/control/local-control.ts';
import type { AllTraffic, TrafficContext } from '../sandbox/traffic/traffic.ts';
import { memoryWorldLog, type Opening, openWorldLog } from '../sandbox/world-log/world-log.ts';
import type { Clock } from '../time/clock.ts';
import type { Arrival } from './arrivals/arrival.ts';
import { ArrivalRecorder } from './arrivals/arrival-recorder.ts';
import { controlSurface } from './control/control-surface.ts';
import type { BetfairFace } from './face/betfair-face.ts';
import { livingWorld } from './living-world.ts';
import { serverCertificate } from './server/certificates.ts';
import { type Arrive, ExchangeTime } from './server/exchange-time.ts';
import { openHttpsServer } from './server/https-server.ts';
import { BETFAIR_WORLD } from './state/betfair-world.ts';
import type { AccountVerdict } from './state/verdict.ts';
import type { WorldOptions } from './state/world-options.ts';
import { STREAM_LIMITS, type StreamLimits } from './stream/session/stream-limits.ts';
import { openBetfairStream, type StreamServer } from './stream/stream-server.ts';

export interface BetfairSandboxOptions extends WorldOptions {
  readonly clock: Clock;
  /** File of the world; absent: in memory only. */
  readonly file?: string;
  /** Directory of the certificate authority, made where it is missing. */
  readonly authorityDirectory: string;
  /** Host to listen on; absent: 127.0.0.1. */
  readonly host?: string;
  /** Port of the API, above which the stream has the next one; absent or 0: any free ones. */
  readonly port?: number;
  readonly limits?: Partial<StreamLimits>;
  /** Called with all that arrives, before it is done. The world must be a new one. */
  readonly onArrival?: (arrival: Arrival) => void;
  /** Called with a bug, or with the failure of a log that cannot be written: end the process. */
  readonly onBug: (error: unknown) => void;
}

export interface BetfairSandbox {
  readonly url: string;
  /** Host and port of the stream. */
  readonly streamAddress: string;
  /** The certificate of the authority: clients trust it, or do not verify. */
  readonly authorityFile: string;
  /** The bearer token of the control surface, which is at /control of `url`. */
  readonly controlKey: string;
  /** The control surface, for callers in this process. */
  readonly control: LocalControl;
  readonly opening: Opening;
  /** For drivers of traffic and for tests. */
  readonly context: LiveContext;
  readonly face: BetfairFace;
  readonly stream: StreamServer;
  /** Starts the traffic, of which the paced waits for clients that have not read what was sent to them. */
  startTraffic(start: (context: TrafficContext) => AllTraffic): AllTraffic;
  /** How far that traffic is behind where it would be if it had never waited, in ms. */
  lagMs(): number;
  /** What the exchange holds of each account at this moment. */
  verdict(): readonly AccountVerdict[];
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * @throws WorldLogFailure where the file is no world or in use by another sandbox, and the system's error where the
 * port is taken
 */
export async function openBetfairSandbox(options: BetfairSandboxOptions): Promise<BetfairSandbox> {
  const { clock: wall, file, host = LOOPBACK, port = 0, limits = {}, onBug } = options;
  const now = instant(Math.floor(wall.now()));
  const log = file === undefined ? memoryWorldLog(BETFAIR_WORLD) : openWorldLog({ file, now, ...BETFAIR_WORLD });
  const recorder = options.onArrival === undefined ? undefined : new ArrivalRecorder(options.onArrival);
  const onArrival = recorder?.note.bind(recorder);
  const time = new ExchangeTime({ wall, paceMs: limits.paceMs ?? STREAM_LIMITS.paceMs, onArrival, onBug });
  const { clock, arrive, pace } = time;
  const secret = () => {
    const made = randomSecret();
    recorder?.made(made);
    return made;
  };
  const { invents = true, seed = 1, settings = {} } = options;
  const begun = { invents, seed, settings };
  const world = arrive({ kind: 'start', ...begun }, () => livingWorld({ ...begun, log, clock, secret, onBug }));
  const { context, face } = world;
  const stop = () => {
    time.stop();
    world.stop();
    log.close();
  };
  const failed = (error: unknown) => {
    stop();
    throw error;
  };
  const certificate = serverCertificate(options.authorityDirectory, now);
  const opened = { certificate, host, arrive, onBug };
  const controlKey = context.secret();
  const { tools, endpoints } = controlSurface(world.state, context, () => stream);
  const control = controlAnswers(endpoints, tools, controlKey);
  const server = await openHttpsServer({ ...opened, face, control, clock: wall, port }).catch(failed);
  const streaming = { ...opened, face: world.state, limits, pace, port: port === 0 ? 0 : port + 1 };
  const stream = await openBetfairStream(streaming).catch(async (error: unknown) => {
    await server.close();
    return failed(error);
  });
  const close = async () => {
    await stream.close();
    await server.close();
    stop();
  };
  return {
    url: `https://${server.address}`,
    streamAddress: `${server.address.slice(0, server.address.lastIndexOf(':'))}:${stream.port}`,
    authorityFile: certificate.authorityFile,
    controlKey,
    control: arriving(localControl(tools, endpoints), arrive, controlKey),
    ...{ opening: log.opening, context, face, stream },
    startTraffic: (start) => time.startTraffic(() => start(context)),
    lagMs: () => time.lagMs(),
    verdict: () => arrive({ kind: 'verdict' }, () => face.verdict()),
    close,
  };
}

/** What is asked in this process comes from outside of the exchange's time as well. */
function arriving(control: LocalControl, arrive: Arrive, key: string): LocalControl {
  const ask: LocalControl['ask'] = (request) => {
    const { method, path, parameters = {}, body } = request;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
    const text = body === undefined ? '' : JSON.stringify(body);
    const what = {
      kind: 'control',
      method,
      path: `/control${filled}`,
      body: text,
      authorization: `Bearer ${key}`,
    } as const;
    return arrive(what, () => control.ask(request));
  };
  return { ...control, ask };
}
