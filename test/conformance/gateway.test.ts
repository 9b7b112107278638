/** Runs every gateway through the conformance suite. */

import { afterAll } from 'vitest';
import { closeSandbox, sandboxStage } from '../support/conformance/sandbox-stage.ts';
import { simulatorStage } from '../support/conformance/simulator-stage.ts';
import { describeGateway } from './gateway-suite.ts';

describeGateway('the in-process exchange', simulatorStage());
describeGateway('the in-process exchange, polled', simulatorStage({ pollEveryMs: 200 }));
describeGateway('an in-process exchange whose lapse blocks nothing', simulatorStage({ lapseBlocks: false }));
describeGateway('the live gateway, polling', sandboxStage('polled'), { isOverWire: true });
describeGateway('the live gateway, streaming', sandboxStage('streamed'), { isOverWire: true });

afterAll(closeSandbox);
