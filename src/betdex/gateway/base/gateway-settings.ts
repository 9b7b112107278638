/** The settings of the gateway for this exchange: the app, and the settings that every exchange has. */

import { assert } from '../../../core/checks/assert.ts';
import { checkTradingSettings, type TradingSettings } from '../../../exchange-live/settings.ts';

/** The settings of the live gateway for one run. */
export interface GatewaySettings extends TradingSettings {
  /** Id of the app whose heartbeat is armed. */
  readonly appId: string;
  /** The commission rate of new orders; the app's default if absent. */
  readonly commissionRateId?: string;
}

/** A reference is part of a URL path, where the exchange refuses `/` and `\` (profile section 2). */
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Throws an AssertionFailure if the settings make no sense. Code that takes settings from a user validates them before. */
export function checkSettings(settings: GatewaySettings): void {
  const { appId, referencePrefix } = settings;
  assert(appId !== '', 'a gateway has an app');
  assert(PREFIX.test(referencePrefix), `no reference prefix: ${referencePrefix}`);
  checkTradingSettings(settings);
}
