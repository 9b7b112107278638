/** The exchange of a kill stage that speaks BetDEX's API. */

import { ControlClient } from '../../vendor/control-client.ts';
import type { SandboxFacts } from '../../vendor/sandbox-process.ts';
import { readExchange } from './exchange-books.ts';
import type { KillExchange } from './kill-exchange.ts';
import { Trader } from './trader.ts';

const BALANCE = 50_000;
const MAKERS_BALANCE = 100_000_000;
const COMMISSION_PERCENT = 2;
const REFERENCE_MAX = 100;

export async function openBetdexSide(sandbox: SandboxFacts): Promise<KillExchange> {
  const control = new ControlClient(sandbox);
  const app = await control.createApp(BALANCE);
  await control.call('POST', `/apps/${app.appId}/commission-rates`, { rate: COMMISSION_PERCENT, isDefault: true });
  const maker = new Trader(sandbox.url, await control.createApp(MAKERS_BALANCE));
  const owner = new Trader(sandbox.url, app);
  return {
    ...{ control, owner, maker, balance: BALANCE, currencyId: 'USDC', reduces: false, referenceMax: REFERENCE_MAX },
    crowdTypes: ['TENNIS_WINNER', 'HORSE_RACING_WIN'],
    config: `exchange: { url: "${sandbox.url}", appId: "${app.appId}", apiKey: "\${ODDSMITH_API_KEY}" }
wallets: { main: { id: "${app.walletId}" } }
feeds:
  markets: { mode: poll, everyMs: 200 }
  prices: { mode: adaptive, everyMs: 250, urgentMs: 150 }
  orders: { mode: poll, everyMs: 100 }
  wallets: { mode: poll, everyMs: 250 }`,
    env: { ODDSMITH_API_KEY: app.apiKey },
    books: () => readExchange(owner, control),
    faultOf: (fault) => fault,
  };
}
