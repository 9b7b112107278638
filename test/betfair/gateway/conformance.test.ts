/** The gateway to Betfair before our own face passes the suite of all gateways, with faults of the way between them. */

import { CAPABILITIES } from '../../conformance/cases/capable.ts';
import type { WireCodes } from '../../conformance/cases/wire.ts';
import { describeGateway } from '../../conformance/gateway-suite.ts';
import { betfairStage } from '../../support/conformance/betfair-stage.ts';

const CODES: WireCodes = {
  interrupted: 'ERROR_IN_MATCHER',
  sentTwice: 'DUPLICATE_TRANSACTION',
  refusals: [
    ['INVALID_MARKET_ID', 'MARKET_NOT_FOUND'],
    ['MARKET_NOT_OPEN_FOR_BETTING', 'INVALID_MARKET_STATUS'],
    ['MARKET_SUSPENDED', 'SUSPENDED_MARKET'],
    ['INVALID_RUNNER', 'MARKET_OUTCOME_NOT_FOUND'],
    ['INSUFFICIENT_FUNDS', 'WALLET_ACCOUNT_INSUFFICIENT_CREDIT'],
    ['INVALID_BET_SIZE', 'INVALID_BET_SIZE'],
    ['INVALID_PROFIT_RATIO', 'INVALID_PROFIT_RATIO'],
    ['LOSS_LIMIT_EXCEEDED', 'LOSS_LIMIT_EXCEEDED'],
  ],
};

const OPTIONS = { isOverWire: true, codes: CODES };

describeGateway('the gateway to Betfair, polling', betfairStage('polled'), {
  ...OPTIONS,
  has: CAPABILITIES.filter((each) => each !== 'provenFreshness'),
});
describeGateway('the gateway to Betfair, streaming', betfairStage('streamed'), { ...OPTIONS, has: CAPABILITIES });
