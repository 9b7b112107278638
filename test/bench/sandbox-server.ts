/** A sandbox in memory as a process of its own: the server of the sandbox benches. */

import { MONEY_SCALE, money } from '../../src/core/number/units.ts';
import { demoOf } from '../../src/sandbox/default-world/default-world.ts';
import { applyCommand } from '../../src/sandbox/default-world/liquidity-provider.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { claim } from './figure.ts';
import { answerTimes, type SandboxAccess } from './server-message.ts';

/** Enough for every order of a bench. */
const FUNDS = money(500_000_000 * MONEY_SCALE);

const sandbox = await openSandbox({
  clock: wallClock,
  version: 'bench',
  onBug: (error) => {
    console.error(error);
    process.exit(1);
  },
});
const { context, url, appId, apiKey, walletId } = sandbox;
const demo = demoOf(context.world);
const [currency] = context.world.catalogue.currencies.values();
claim(demo !== undefined && currency !== undefined, 'the default world has a demo wallet and a currency');
applyCommand(context, { kind: 'deposit', wallet: demo.wallet, currency: currency.currency, amount: FUNDS });
answerTimes(() => sandbox.close());
process.send?.({ url, appId, apiKey, walletId } satisfies SandboxAccess);
