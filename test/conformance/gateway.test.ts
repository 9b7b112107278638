/** Runs every gateway through the conformance suite. */

import { afterAll } from 'vitest';
import { closeSandbox, sandboxStage } from '../support/conformance/sandbox-stage.ts';
import { simulatorStage } from '../support/conformance/simulator-stage.ts';
import type { Capability } from './cases/capable.ts';
import { describeGateway } from './gateway-suite.ts';

/** BetDEX doubts ends, has no proof of freshness, and cancels in any markets with one call. */
const OURS: readonly Capability[] = ['resettlement', 'references'];

describeGateway('the in-process exchange', simulatorStage());
describeGateway('the in-process exchange, polled', simulatorStage({ pollEveryMs: 200 }));
describeGateway('an in-process exchange whose lapse blocks nothing', simulatorStage({ lapseBlocks: false }));
describeGateway('the live gateway, polling', sandboxStage('polled'), { isOverWire: true, has: OURS });
describeGateway('the live gateway, streaming', sandboxStage('streamed'), { isOverWire: true, has: OURS });

afterAll(closeSandbox);
