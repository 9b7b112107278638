/** Ways to break the bot that cost money, each as a small change of its sources, and the laws that must notice. */

import { AGE_MUTANTS, type ListedMutant } from './age-mutants.ts';
import { FACE_MUTANTS } from './betfair/face-mutants.ts';

const BEFORE_BYTES = 'journal before bytes';
const DOUBLED = 'none doubled';
const FORGOTTEN = 'none forgotten';
const EXPOSURE = 'exposure known';
const LIMIT = 'no limit exceeded';
const NOT_READY = 'no order while not ready';
const NO_BEAT = 'no order without heartbeat';
const DEAF = 'a deaf bot lapses';
const AGREE = 'ledger and exchange agree';
const TRADES = 'it trades again';
const HALT = 'a halt outlives the process';
const THROWS = 'nothing throws';
const ENDS = 'what is halted ends';
const CLOCK = 'no order by a wrong clock';
const JOURNAL = 'the journal forgets nothing';

export const MUTANTS: readonly ListedMutant[] = [
  {
    name: 'drops the journal write of a sent order',
    edits: [
      {
        file: 'src/engine/log/journal-log.ts',
        before: `return this.noted(at, { kind: 'sent', eventName, ...keptTerms(order.terms, this.#parts.names) });`,
        after: 'if (eventName === undefined) keptTerms(order.terms, this.#parts.names); return;',
      },
    ],
    laws: [BEFORE_BYTES],
    quick: { from: 1, seeds: 20 },
  },
  {
    name: 'commits the journal after sending',
    edits: [
      {
        file: 'src/engine/live/supervisor.ts',
        before: `clients });
      }
    }
    journal.commit();`,
        after: `clients });
      }
    }`,
      },
    ],
    laws: [BEFORE_BYTES],
    quick: { from: 1, seeds: 20 },
  },
  {
    name: 'refreshes the heartbeat whatever was polled',
    edits: [
      {
        file: 'src/engine/live/heartbeat.ts',
        before: 'if (now - situation.polledAt > pollBudgetMs) return undefined;',
        after: 'if (pollBudgetMs < 0) return undefined;',
      },
    ],
    laws: [DEAF],
  },
  {
    name: 'forgets the exposure of orders on their way',
    edits: [
      {
        file: 'src/risk/judge.ts',
        before: 'context.exposure.reserve(order, order.stake);',
        after: '',
      },
      {
        file: 'src/engine/ledger/own-order.ts',
        before: 'stakes.stakeUnmatched = this.unmatchedMoney;',
        after: 'stakes.stakeUnmatched = this.#status === undefined ? ZERO : this.unmatchedMoney;',
      },
    ],
    laws: [EXPOSURE, LIMIT],
    quick: { from: 1, seeds: 40 },
  },
  {
    name: 'resends new orders on timeout',
    edits: [
      {
        file: 'src/betdex/client/operation-facts.ts',
        before: `  'createOrders',
  'requestOrder',`,
        after: `  'requestOrder',`,
      },
    ],
    laws: [DOUBLED, NO_BEAT, NOT_READY],
    quick: { from: 5, seeds: 60 },
  },
  {
    name: 'takes an unknown order for a refused one',
    edits: [
      {
        file: 'src/engine/fold.ts',
        before: `    } else if (item?.kind === 'unknown') {
      order.becomeUnknown();
      log.logEvent({ kind: 'unknown', at: step.at, order, code: item.code });`,
        after: `    } else if (item?.kind === 'unknown') {
      log.logEvent({ kind: 'rejected', at: step.at, order, code: item.code });
      ledger.rejected(order, step);`,
      },
    ],
    laws: [EXPOSURE, FORGOTTEN, LIMIT, AGREE],
  },
  {
    name: 'ignores a fill that was first heard of in the answer to a cancel',
    edits: [
      {
        file: 'src/engine/fold.ts',
        before: 'for (const report of input.reply.reports) {',
        after: 'for (const report of input.reply.reports.filter(({ stakeMatched }) => stakeMatched === 0)) {',
      },
    ],
    laws: [AGREE, EXPOSURE, TRADES],
  },
  {
    name: 'forgets orders of unknown fate at a restart',
    edits: [
      {
        file: 'src/engine/ledger/ledger.ts',
        before: 'new RestoredOrders(parts.restored?.orders ?? [])',
        after: `new RestoredOrders((parts.restored?.orders ?? []).filter(({ fate }) => fate === 'known'))`,
      },
    ],
    laws: [EXPOSURE, FORGOTTEN, AGREE, TRADES],
  },
  {
    name: 'counts orders from one again after a restart',
    edits: [
      {
        file: 'src/engine/ledger/ledger.ts',
        before: 'this.#lastClient = parts.restored?.lastClient ?? 0;',
        after: 'this.#lastClient = 0;',
      },
    ],
    laws: [DOUBLED, THROWS, AGREE],
  },
  {
    name: 'trades before the books were compared',
    edits: [
      {
        file: 'src/engine/live/missing-for-trading.ts',
        before: `if (provenSince < resyncRequiredAt) return 'a comparison of ledger and exchange';`,
        after: '',
      },
    ],
    laws: [NOT_READY],
  },
  {
    name: 'takes a heartbeat that is late for an active one',
    edits: [
      {
        file: 'src/engine/live/supervisor.ts',
        before: `risk.setHeartbeat(heartbeat.state === 'active', until);`,
        after: `risk.setHeartbeat(heartbeat.state !== 'unarmed', until);`,
      },
    ],
    laws: [NO_BEAT],
  },
  {
    name: 'takes a lapsed heartbeat for an active one',
    edits: [
      {
        file: 'src/engine/live/heartbeat.ts',
        before: `if (!reply.active) return this.onLapse('the exchange says that it lapsed');`,
        after: '',
      },
      {
        file: 'src/engine/live/heartbeat.ts',
        before: `return this.#move('lapsed', cause);`,
        after: 'return cause === undefined ? this.#move(this.#state, cause) : undefined;',
      },
    ],
    laws: [TRADES, AGREE, NOT_READY],
  },
  {
    name: 'never asks again after an unanswered cancel',
    edits: [
      {
        file: 'src/engine/fold.ts',
        before: 'order.cancelWanted = order.isLive;',
        after: '',
      },
    ],
    laws: [AGREE],
  },
  {
    name: 'never adopts orders of others',
    edits: [
      {
        file: 'src/engine/live/reconciler.ts',
        before: 'isLeft ? 0 : this.#adoptForeignOrders(foreignOrders, step)',
        after: '0',
      },
    ],
    laws: [AGREE, TRADES],
  },
  {
    name: 'forgets its losses at a restart',
    edits: [{ file: 'src/engine/live/bot.ts', before: 'risk.restore(restored.riskMemory);', after: '' }],
    laws: [AGREE],
  },
  {
    name: 'runs again after a restart although it was halted',
    edits: [
      {
        file: 'src/engine/live/bot.ts',
        before: "if (restored !== undefined && restored.trading !== 'running')",
        after: "if (restored !== undefined && restored.run === '')",
      },
    ],
    laws: [HALT],
  },
  {
    name: 'counts a settlement again after a restart',
    edits: [{ file: 'src/betdex/gateway/rest-gateway.ts', before: 'parts.resume?.results ?? []', after: '[]' }],
    laws: [AGREE],
  },
  {
    name: 'lets orders that waited leave whatever happened meanwhile',
    edits: [
      {
        file: 'src/engine/engine.ts',
        before: 'const mayLeave = this.#engineSupervisor?.mayLeave(orders) ?? !this.ledger.risk.halted;',
        after: 'const mayLeave = orders.length > 0;',
      },
    ],
    laws: [NO_BEAT, NOT_READY, 'no order while halted'],
  },
  {
    name: 'takes an order for absent before it can be known',
    edits: [
      {
        file: 'src/exchange-live/orders/unknown-orders.ts',
        before: 'const provableAt = sought.deadline + this.delayMs(sought.marketId) + settings.timeouts.absenceMs;',
        after: 'const provableAt = sought.deadline - 2 * settings.timeouts.placeTimeoutMs;',
      },
    ],
    laws: [EXPOSURE, FORGOTTEN, LIMIT],
  },
  {
    name: 'accepts any 4xx as the word of the exchange',
    edits: [
      {
        file: 'src/betdex/client/verdict.ts',
        before: 'const isOwn = isOwnRefusal(operation, { status, contentType, value });',
        after:
          'const isOwn = isOwnRefusal(operation, { status, contentType, value }) || (status < 500 && status !== 408);',
      },
    ],
    laws: [EXPOSURE, FORGOTTEN, LIMIT, DOUBLED],
    quick: { from: 86, seeds: 750 },
  },
  {
    name: 'asks once for the end of what is halted',
    edits: [
      {
        file: 'src/engine/withdrawal.ts',
        before: `if (order.inFlight === 'cancel' || order.isCancelAccepted || at < asking.nextAt) return;`,
        after: `if (order.inFlight === 'cancel' || order.isCancelAccepted || at < asking.nextAt || asking.asked > 0) return;`,
      },
    ],
    laws: [ENDS],
    quick: { from: 275, seeds: 1_400 },
  },
  {
    name: 'believes a false final state',
    edits: [
      {
        file: 'src/exchange-live/orders/known-orders.ts',
        before: 'if (!isFinal && this.#isDoubtful(received, before)) {',
        after: 'if (isFinal && this.#isDoubtful(received, before)) {',
      },
    ],
    laws: [EXPOSURE, FORGOTTEN, LIMIT],
  },
  {
    name: 'believes an end that is the first word of an order',
    edits: [
      {
        file: 'src/exchange-live/orders/known-orders.ts',
        before: 'if (before !== undefined && !isLive(before.status)) return false;',
        after: 'if (before === undefined || !isLive(before.status)) return false;',
      },
    ],
    laws: [EXPOSURE, FORGOTTEN, LIMIT],
  },
  {
    name: 'lets the heartbeat vouch for a dead sister',
    edits: [
      {
        file: 'src/betdex/gateway/base/heartbeat-owner.ts',
        before: "if (run.before !== 'active' && run.before !== 'late') return watched$;",
        after: "if (run.before !== 'cleared') return of({ kind: 'free' });",
      },
    ],
    laws: [DEAF],
    quick: { from: 762, seeds: 1_400 },
  },
  {
    name: 'takes a dead sister’s heartbeat for its own',
    edits: [
      {
        file: 'src/betdex/gateway/base/heartbeat-owner.ts',
        before: 'lives === false ? of(',
        after: 'lives !== undefined ? of(',
      },
    ],
    laws: [DEAF],
  },
  {
    name: 'resumes after a pause with a stale clock',
    edits: [
      {
        file: 'src/engine/live/missing-for-trading.ts',
        before: 'if (clockDoubt !== undefined) return `a clock',
        after: "if (clockDoubt === '') return `a clock",
      },
      {
        file: 'src/engine/live/supervisor.ts',
        before: `if (command.kind === 'resume' && this.clockDoubt !== undefined) return;`,
        after: '',
      },
    ],
    laws: [CLOCK],
  },
  {
    name: 'looks at its clocks by a timer alone, not before what comes in',
    edits: [
      {
        file: 'src/engine/pipeline.ts',
        before: 'inputs$.pipe(tap(beforeInput))',
        after: 'inputs$',
      },
    ],
    laws: [],
    test: 'test/engine/paused-clock.test.ts',
  },
  {
    name: 'leaves results out of checkpoints',
    edits: [
      {
        file: 'src/journal/history/run-draft.ts',
        before: 'results: [...draft.results.values()].flatMap((byWallet) => [...byWallet.values()]),',
        after: 'results: [],',
      },
    ],
    laws: [AGREE, JOURNAL],
    quick: { from: 177, seeds: 300 },
  },
  {
    name: 'makes checkpoints of the state that it began with',
    edits: [
      {
        file: 'src/journal/run-journal.ts',
        before: "{ kind: 'checkpoint', state: stateOf(this.#draft) }",
        after: "{ kind: 'checkpoint', state: this.restored ?? stateOf(this.#draft) }",
      },
    ],
    laws: [JOURNAL],
    quick: { from: 35, seeds: 60 },
  },
  ...AGE_MUTANTS,
  ...FACE_MUTANTS,
];
