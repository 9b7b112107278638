/** Ways to break the gateway to Betfair, each as a small change of its sources, and the laws that must notice. */

import type { ListedMutant } from '../age-mutants.ts';

const DOUBLED = 'none doubled';
const FORGOTTEN = 'none forgotten';
const EXPOSURE = 'exposure known';
const LIMIT = 'no limit exceeded';
const AGREE = 'ledger and exchange agree';
const TRADES = 'it trades again';
const THROWS = 'nothing throws';
const NAMED = 'only what is named is cancelled';
const FRESH = 'prices are fresh';
const DEAF = 'a deaf bot lapses';
const ENDS = 'what is halted ends';
const END = 'it ends when it is told to';
const LOST = [EXPOSURE, FORGOTTEN, LIMIT, DOUBLED, AGREE, TRADES];

const PLACING = 'src/betfair/gateway/orders/placing.ts';
const ANSWER = 'src/betfair/gateway/orders/place-answer.ts';
const REQUESTS = 'src/betfair/gateway/orders/place-requests.ts';
const CANCELS = 'src/betfair/gateway/orders/cancel-calls.ts';
const READING = 'src/betfair/gateway/orders/order-reading.ts';
const PROOFS = 'src/betfair/client/code-verdicts.ts';
const VERDICT = 'src/betfair/client/verdict.ts';
const BOOKS = 'src/betfair/gateway/money/account-snapshots.ts';
const RESULTS = 'src/betfair/gateway/money/settlements-feed.ts';
const GATEWAY = 'src/betfair/gateway/betfair-gateway.ts';
const STREAM = 'src/betfair/stream/stream-client.ts';
const RECONCILE = 'src/engine/live/reconcile.ts';

/** One change of one file. */
interface FaceMutant extends Pick<ListedMutant, 'name' | 'laws' | 'quick' | 'test'> {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const MUTANTS: readonly FaceMutant[] = [
  {
    name: 'takes a TIMEOUT for a refusal',
    file: ANSWER,
    before: "if (answer.status === 'TIMEOUT') return { kind: 'unknown'",
    after: "if (answer.status === 'TIMEOUT') return { kind: 'refused'",
    laws: LOST,
    quick: { from: 10, seeds: 100 },
  },
  {
    name: 'takes a TIMEOUT for placed',
    file: ANSWER,
    before: "if (answer.status === 'TIMEOUT') return { kind: 'unknown', code: answer.errorCode ?? 'TIMEOUT' };",
    after:
      "if (answer.status === 'TIMEOUT') return { kind: 'placed', facts: factsOf(order, { betId: String(300_000_900_000 + order.terms.client), sizeMatched: 0 } as Report, now)! };",
    laws: [...LOST, THROWS, END],
  },
  {
    name: 'takes ERROR_IN_MATCHER for a refusal',
    file: PROOFS,
    before: "ERROR_IN_MATCHER: 'unknown',\n  INVALID_BACK_LAY_COMBINATION",
    after: "ERROR_IN_MATCHER: 'refused',\n  INVALID_BACK_LAY_COMBINATION",
    laws: LOST,
  },
  {
    name: 'takes BET_IN_PROGRESS for a refusal',
    file: PROOFS,
    before: "BET_IN_PROGRESS: 'unknown',",
    after: "BET_IN_PROGRESS: 'refused',",
    laws: LOST,
  },
  {
    name: 'takes TIMEOUT_ERROR for a refusal',
    file: PROOFS,
    before: "TIMEOUT_ERROR: 'passing',",
    after: "TIMEOUT_ERROR: 'refused',",
    laws: LOST,
  },
  {
    name: 'takes SERVICE_BUSY for a refusal',
    file: PROOFS,
    before: "SERVICE_BUSY: 'passing',",
    after: "SERVICE_BUSY: 'refused',",
    laws: LOST,
  },
  {
    name: 'takes a status 503 for a refusal',
    file: VERDICT,
    before: "isOwn: false, mayHaveActed: effect !== 'reads' };",
    after: 'isOwn: false, mayHaveActed: false };',
    laws: LOST,
  },
  {
    name: 'takes a repeated request for a refused one',
    file: PROOFS,
    before: "DUPLICATE_TRANSACTION: 'unknown',",
    after: "DUPLICATE_TRANSACTION: 'refused',",
    laws: LOST,
  },
  {
    name: 'loses orders whose answer is lost',
    file: PLACING,
    before: 'for (const order of lost) this.#parts.unknown.add(...order);',
    after: 'for (const order of lost.slice(0, 0)) this.#parts.unknown.add(...order);',
    laws: LOST,
  },
  {
    name: 'sends new orders again when no answer comes',
    file: 'src/betfair/client/call.ts',
    before: "placeOrders: 'once',\n  replaceOrders",
    after: "placeOrders: 'repeatable',\n  replaceOrders",
    laws: [DOUBLED, ...LOST],
  },
  {
    name: 'sends new orders without a reference of the request',
    file: PLACING,
    before: "customerRef: defined(sent[0], 'a request has orders').terms.reference,",
    after: '',
    laws: [DOUBLED],
  },
  {
    name: 'reads the orders of an answer by their places alone',
    file: ANSWER,
    before: 'if (named.length > 0) return named.length === 1 ? named[0] : undefined;',
    after: 'if (named.length > 1) return named[0];',
    laws: [...LOST, THROWS],
  },
  {
    name: 'cancels with an empty list',
    file: CANCELS,
    before: ".call('cancelOrders', { marketId, instructions },",
    after: ".call('cancelOrders', { marketId, instructions: instructions.slice(0, 0) },",
    laws: [NAMED],
    quick: { from: 1, seeds: 60 },
  },
  {
    name: 'cancels with an empty list when there is one order alone',
    file: CANCELS,
    before: ".call('cancelOrders', { marketId, instructions },",
    after: ".call('cancelOrders', { marketId, instructions: instructions.length > 1 ? instructions : [] },",
    laws: [NAMED],
  },
  {
    name: 'cancels without naming a market',
    file: CANCELS,
    before: ".call('cancelOrders', { marketId, instructions },",
    after: ".call('cancelOrders', { instructions },",
    laws: [AGREE, ENDS, END, TRADES, DEAF],
  },
  {
    name: 'reads orders that are current alone',
    file: READING,
    before: '(names !== undefined && isAllOf(names, named, current))',
    after: '(names !== undefined || isAllOf(names ?? [], named, current))',
    laws: LOST,
  },
  {
    name: 'reads the first page of a list alone',
    file: 'src/betfair/gateway/base/paged-lists.ts',
    before: "page.kind === 'read' && page.moreAvailable && page.rows.length > 0",
    after: "page.kind === 'read' && page.moreAvailable && page.rows.length < 0",
    laws: [],
    test: 'test/betfair/gateway/paged-lists.test.ts',
  },
  {
    name: 'forgets commission',
    file: RESULTS,
    before: 'const [gross, commission] = [amountOf(profit), amountOf(charged)];',
    after: 'const [gross, commission] = [amountOf(profit), amountOf(0 * charged)];',
    laws: [AGREE],
  },
  {
    name: 'tells a later result whole, and not what it changes',
    file: RESULTS,
    before: 'const profit = money(sum.net - (before?.net ?? ZERO));',
    after: 'const profit = money(sum.net);',
    laws: [AGREE],
  },
  {
    name: 'reads the result of a market once',
    file: RESULTS,
    before: 'if (!hasBets || market.isClosing || age >= CORRECTED_MS) this.#close(market);',
    after: 'if (hasBets || age >= 0) this.#close(market);',
    laws: [AGREE],
  },
  {
    name: 'counts a result again after a restart',
    file: GATEWAY,
    before: 'parts.resume?.results ?? []',
    after: '[]',
    laws: [AGREE],
  },
  {
    name: 'believes no void of what was matched',
    file: GATEWAY,
    before: 'const TRUST = { endsAreCertain: true, voidsMatched: true } as const;',
    after: 'const TRUST = { endsAreCertain: true } as const;',
    laws: [AGREE, TRADES, EXPOSURE],
  },
  {
    name: 'compares positions more exactly than they are told',
    file: RECONCILE,
    before: 'const rounding = Math.max(ROUNDING_PER_ORDER, minimumStake?.step ?? 0);',
    after: 'const rounding = Math.max(ROUNDING_PER_ORDER, 0 * (minimumStake?.step ?? 0));',
    laws: [],
    test: 'test/engine/bot.test.ts',
  },
  {
    name: 'compares positions on withdrawn runners',
    file: RECONCILE,
    before: "if (entry.state.outcomeStatus(outcome) === 'Removed') continue;",
    after: '',
    laws: [AGREE],
  },
  {
    name: 'takes the profit of one place for that of the market',
    file: BOOKS,
    before: 'amountOf(ifWin + allLose - ifLose)',
    after: 'amountOf(ifWin + (allLose - allLose) * ifLose)',
    laws: [AGREE],
  },
  {
    name: 'takes the exposure of the account for money',
    file: 'src/betfair/gateway/money/funds.ts',
    before: 'money(available + Math.abs(exposure))',
    after: 'money(available + exposure)',
    laws: [AGREE, THROWS],
  },
  {
    name: 'lays what is to be backed',
    file: REQUESTS,
    before: "side: side === 'For' ? 'BACK' : 'LAY',",
    after: "side: side === 'For' ? 'LAY' : 'BACK',",
    laws: [DOUBLED, ...LOST],
  },
  {
    name: 'takes a session that has ended for a good one',
    file: VERDICT,
    before: "isUnauthorised: proof === 'session',",
    after: 'isUnauthorised: false,',
    laws: [TRADES, AGREE, ENDS, DEAF],
  },
  {
    name: 'takes what a slow stream tells for fresh',
    file: STREAM,
    before: 'at: instant(Math.floor(Math.min(ours, receivedAt)))',
    after: 'at: instant(Math.floor(Math.max(ours, receivedAt)))',
    laws: [],
    test: 'test/betfair/stream/whole-changes.test.ts',
  },
  {
    name: 'takes what a late exchange tells for fresh',
    file: STREAM,
    before: 'status 503`);\n      return;',
    after: 'status 503`);',
    laws: [FRESH],
  },
  {
    name: 'counts bets of others among those that it leaves',
    file: 'src/engine/live/reconciler.ts',
    before: 'isLive(order.status) && !this.#leftAlone.includes(order)',
    after: 'isLive(order.status)',
    laws: [],
    test: 'test/betfair/gateway/strangers.test.ts',
  },
  {
    name: 'reads no orders after a gap of the stream',
    file: 'src/betfair/gateway/orders/order-stream.ts',
    before: 'resync$: told$.pipe(filter((facts) => facts === undefined)),',
    after: 'resync$: told$.pipe(filter((facts) => facts === undefined && told$ === undefined)),',
    laws: [],
    test: 'test/betfair/gateway/streamed.test.ts',
  },
];

function listed({ name, file, before, after, ...found }: FaceMutant): ListedMutant {
  return { name: `Betfair: ${name}`, exchange: 'betfair', edits: [{ file, before, after }], ...found };
}

const BOOKS_OF_STREAM = 'src/betfair/gateway/markets/streamed-books.ts';

export const FACE_MUTANTS: readonly ListedMutant[] = [
  ...MUTANTS.map(listed),
  {
    name: 'Betfair: takes the stream for fresh though it was cut',
    exchange: 'betfair',
    edits: [
      {
        file: BOOKS_OF_STREAM,
        before: "import { auditTime, EMPTY, filter, ignoreElements, merge, type Observable, tap } from 'rxjs';",
        after:
          "import { auditTime, EMPTY, filter, ignoreElements, interval, map, merge, type Observable, tap } from 'rxjs';",
      },
      {
        file: BOOKS_OF_STREAM,
        before: 'const proofs$ = stream.proven$.pipe(',
        after: `const beats$ = interval(500, context.clock).pipe(
      map(() => ({ feed: 'markets', at: Math.floor(context.clock.now()) as Instant }) as StreamProof),
    );
    const proofs$ = merge(stream.proven$, beats$).pipe(`,
      },
    ],
    laws: [FRESH, DEAF],
  },
];
