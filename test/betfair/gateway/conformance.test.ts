/** The gateway to Betfair before our own face passes the suite of all gateways. */

import { describeGateway } from '../../conformance/gateway-suite.ts';
import { betfairStage } from '../../support/conformance/betfair-stage.ts';

describeGateway('the gateway to Betfair, polling', betfairStage());
