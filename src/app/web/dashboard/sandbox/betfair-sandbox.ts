/** The sandbox that speaks Betfair's API, as its dashboard shows and commands it. */

import type { BetfairSandbox } from '../../../../sandbox-betfair/betfair-sandbox.ts';
import { MESSAGES } from '../../../../sandbox-betfair/control/betfair-faults.ts';
import { REPORTED } from '../../../../sandbox-betfair/face/struck-call.ts';
import { betIdOf, marketTypeOf, runnersOf } from '../../../../sandbox-betfair/names/market-names.ts';
import { isAccount } from '../../../../sandbox-betfair/state/accounts.ts';
import { referencesIn } from '../../../../sandbox-betfair/state/bet-references.ts';
import { BETFAIR_COMMANDS } from './commands/betfair-commands.ts';
import type { FaceWords, RequestOption, ShownSandbox } from './commands/shown-sandbox.ts';
import { SandboxSource } from './sandbox-source.ts';

const REQUESTS: readonly RequestOption[] = [
  { value: 'all', label: 'all requests', operations: undefined },
  { value: 'place', label: 'placing bets', operations: ['placeOrders', 'replaceOrders'] },
  { value: 'cancel', label: 'cancelling and updating bets', operations: ['cancelOrders', 'updateOrders'] },
  { value: 'orders', label: 'reading bets', operations: ['listCurrentOrders', 'listClearedOrders'] },
  { value: 'prices', label: 'reading books', operations: ['listMarketBook', 'listRunnerBook'] },
  { value: 'markets', label: 'reading catalogues', operations: ['listMarketCatalogue', 'listEvents'] },
  { value: 'account', label: 'reading the account', operations: ['getAccountFunds', 'getAccountDetails'] },
  { value: 'sessions', label: 'logins', operations: ['certlogin', 'login'] },
  { value: 'heartbeats', label: 'heartbeats', operations: ['heartbeat'] },
];

const WORDS: FaceWords = {
  app: 'account',
  isUser: isAccount,
  walletName: () => '',
  requests: REQUESTS,
  otherRequests: [
    { value: 'changes', label: 'placing and changing bets', operations: REPORTED },
    { value: 'messages', label: 'messages of the stream', operations: MESSAGES },
  ],
  named: (market, { catalogue }) => {
    const runners = runnersOf(catalogue, market);
    const outcomes = market.outcomes.map((each, index) => ({ ...each, title: runners[index]?.name ?? each.title }));
    return { ...market, name: marketTypeOf(market).name, outcomes };
  },
  orderId: betIdOf,
  noteOf: (reference) => {
    const { order, strategy } = referencesIn(reference);
    return [strategy, order].filter((each) => each !== undefined).join(' ');
  },
};

export function betfairSource(sandbox: BetfairSandbox): SandboxSource {
  return new SandboxSource(betfairSandbox(sandbox), BETFAIR_COMMANDS);
}

function betfairSandbox({ url, streamAddress, context, control, face }: BetfairSandbox): ShownSandbox {
  return {
    ...{ url, context, control, words: WORDS },
    facts: [
      { label: 'API', text: `${url}/exchange` },
      { label: 'stream', text: streamAddress },
    ],
    sessionsOf: (app, now) => face.sessionsOf(app, now),
  };
}
