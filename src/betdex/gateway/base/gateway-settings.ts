/** What the gateway is told about its run on this exchange: its app, and what every exchange is told. */

import { assert } from '../../../core/checks/assert.ts';
import { checkTradingSettings, type TradingSettings } from '../../../exchange-live/settings.ts';

export interface GatewaySettings extends TradingSettings {
  readonly appId: string;
  /** The app's default where absent. */
  readonly commissionRateId?: string;
}

/** A reference stands in a path, and `/` and `\` are refused there (profile section 2). */
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Throws an AssertionFailure: whoever reads settings from a user checks them before. */
export function checkSettings(settings: GatewaySettings): void {
  const { appId, referencePrefix } = settings;
  assert(appId !== '', 'a gateway has an app');
  assert(PREFIX.test(referencePrefix), `no reference prefix: ${referencePrefix}`);
  checkTradingSettings(settings);
}
