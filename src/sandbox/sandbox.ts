/** Opens a complete sandbox: the world and its log, and API, stream and control surface on one port. */

import { Random } from '../core/number/random.ts';
import { instant, MONEY_SCALE, money } from '../core/number/units.ts';
import type { Clock } from '../time/clock.ts';
import { InjectedFaults } from './context/injected-faults.ts';
import { LiveContext } from './context/live-context.ts';
import type { SandboxSettings } from './context/sandbox-context.ts';
import { BETDEX_CONTROL } from './control/betdex-control.ts';
import { CONTROL_ENDPOINTS, controlSurface } from './control/control-plane.ts';
import { type LocalControl, localControl } from './control/local-control.ts';
import { demoOf, giveDemoKey, refreshWorld, seedWorld } from './default-world/default-world.ts';
import { type ApiServerOptions, openApiServer } from './http/api-server.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './http/connections.ts';
import { type RateLimit, RateLimiter } from './http/rate-limit.ts';
import { hashOfSecret } from './operations/accounts/secret-hash.ts';
import { EVENT_OPERATIONS } from './operations/catalogue/events.ts';
import { MARKET_OPERATIONS } from './operations/catalogue/markets.ts';
import { ORDER_OPERATIONS, SESSION_OPERATIONS, WALLET_OPERATIONS } from './operations/operation-tables.ts';
import { listMarketOrders } from './operations/orders/orders-read.ts';
import { listMarketPositions } from './operations/orders/positions.ts';
import type { Operations } from './operations/shared/operation.ts';
import type { StreamLimits } from './stream/stream-limits.ts';
import { memoryWorldLog, type Opening, openWorldLog } from './world-log/world-log.ts';

export interface SandboxOptions {
  readonly clock: Clock;
  /** Version of the package, shown on the index page. */
  readonly version: string;
  /** File of the world; absent: in memory only. */
  readonly file?: string;
  /** Host to listen on; absent: 127.0.0.1. */
  readonly host?: string;
  /** Port; absent or 0: any free one. */
  readonly port?: number;
  /** Seed of the default world, used where the file is new. */
  readonly seed?: number;
  readonly settings?: Partial<SandboxSettings>;
  /** Limit of calls per app; absent: no limit. */
  readonly rate?: RateLimit;
  readonly connections?: Partial<ConnectionLimits>;
  readonly stream?: Partial<StreamLimits>;
  /** Validates every answer against the OpenAPI document before it is sent: for tests. */
  readonly checksAnswers?: boolean;
  /**
   * Called with a bug, or with the failure of a log that cannot be written. The sandbox makes no change after it: end
   * the process.
   */
  readonly onBug: (error: unknown) => void;
}

export interface Sandbox {
  readonly url: string;
  readonly streamUrl: string;
  /** The demo app, with a key made for this run, and its wallet. */
  readonly appId: string;
  readonly apiKey: string;
  readonly walletId: string;
  readonly controlKey: string;
  /** The control surface, for callers in this process. */
  readonly control: LocalControl;
  readonly opening: Opening;
  /** The context, for drivers of traffic and for tests. */
  readonly context: LiveContext;
  /** Answers requests that are under way, closes the stream's connections and the log. */
  close(): Promise<void>;
}

/** The settings of profile section 1. Five calls of the faucet must fill a wallet to 100 units (wire-shapes, E). */
export const SANDBOX_SETTINGS: SandboxSettings = {
  accessTokenMs: 30 * 60_000,
  refreshTokenMs: 7 * 24 * 3_600_000,
  faucetAmount: money(1_000 * MONEY_SCALE),
};

export const OPERATIONS: Operations = {
  ...SESSION_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...MARKET_OPERATIONS,
  listMarketOrders,
  listMarketPositions,
  ...ORDER_OPERATIONS,
  ...WALLET_OPERATIONS,
};

const LOOPBACK = '127.0.0.1';
const REFRESH_MS = 60_000;
/** Allows the control surface to arm heartbeats that the API would refuse as too short. */
const RULES = { heartbeatTimeoutMinMs: 1 };

/**
 * @throws WorldLogFailure where the file is no world or in use by another sandbox, and the system's error where the
 * port is taken
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, file, onBug } = options;
  const now = instant(Math.floor(clock.now()));
  const log = file === undefined ? memoryWorldLog({ rules: RULES }) : openWorldLog({ file, now, rules: RULES });
  const faults = new InjectedFaults();
  const settings = { ...SANDBOX_SETTINGS, ...options.settings };
  const context = new LiveContext({ world: log.world, clock, settings, faults, onBug });
  const known = demoOf(log.world);
  if (known !== undefined) log.together(() => refreshWorld(context));
  const random = Random.fromSeed(options.seed ?? 1);
  const { appId, walletId } = known ?? log.together(() => seedWorld(context, { random }));
  const apiKey = context.secret();
  giveDemoKey(context, hashOfSecret(apiKey));
  const controlKey = context.secret();
  const control = controlSurface({ context, faults, key: controlKey });
  const server = await openApiServer(serverOptions(options, { context, faults, control })).catch((error: unknown) => {
    context.stop();
    log.close();
    throw error;
  });
  const refreshing = context.repeat(() => log.together(() => refreshWorld(context)), REFRESH_MS);
  const close = async () => {
    refreshing.unsubscribe();
    await server.close();
    context.stop();
    log.close();
  };
  return {
    url: `http://${server.address}`,
    streamUrl: `ws://${server.address}/`,
    appId,
    apiKey,
    walletId,
    controlKey,
    control: localControl({ context, faults, stream: server.stream, names: BETDEX_CONTROL.names }, CONTROL_ENDPOINTS),
    opening: log.opening,
    context,
    close,
  };
}

function serverOptions(
  options: SandboxOptions,
  { context, faults, control }: Pick<ApiServerOptions, 'faults' | 'control'> & { readonly context: LiveContext },
): ApiServerOptions {
  const { host = LOOPBACK, port = 0, version, onBug, connections, rate, checksAnswers = false } = options;
  return {
    host,
    port,
    version,
    onBug,
    context,
    faults,
    control,
    checksAnswers,
    operations: OPERATIONS,
    rate: rate === undefined ? undefined : new RateLimiter(rate),
    connections: { ...CONNECTION_LIMITS, ...connections },
    stream: options.stream ?? {},
  };
}
