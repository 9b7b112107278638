/** Control endpoints for markets: creating them and moving them through their states. */

import { type Static, type TObject, Type } from '@sinclair/typebox';
import { instantToWire } from '../../codec/instants.ts';
import { id, maybe, moment, text, words } from '../../codec/notation.ts';
import { assert, defined } from '../../core/checks/assert.ts';
import type { WinnersRange } from '../../core/market.ts';
import { instant } from '../../core/number/units.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import type { MachineCommand } from '../world/change.ts';
import type { MarketRecord } from '../world/records.ts';
import {
  type AnyControlEndpoint,
  answered,
  type ControlProblem,
  change,
  controlEndpoint,
  refused,
  refusedMove,
} from './control-endpoint.ts';
import { basis, ControlMarket, liquidityAction, range, readTimestamp } from './control-shapes.ts';
import { type Finder, findEvent, findMarket, findOutcomes, findOwner, isControlProblem } from './find-records.ts';

const SECOND_MS = 1_000;
const VOID_MAX_MS = 86_400_000;
const IN_PLAY_DELAY_MAX_S = 3_600;
/** The delay is in whole seconds, since the exchange's clients read inPlayDelay as an integer (wire-shapes, F). */
const delay = Type.Integer({ minimum: 0, maximum: IN_PLAY_DELAY_MAX_S });

const MarketBody = Type.Object({
  ownerAppId: maybe(id),
  eventId: id,
  name: text,
  marketTypeId: id,
  marketValue: maybe(text),
  marketDiscriminator: maybe(text),
  currencyId: id,
  outcomes: Type.Array(Type.Object({ title: text, participantId: maybe(id) }), { minItems: 1, maxItems: 1_000 }),
  winnersRange: maybe(range),
  crossMatchingEnabled: Type.Boolean({ default: true }),
  turnsInPlay: Type.Boolean({ default: true }),
  inPlayDelay: { ...delay, default: 0 },
  delaysTakersOnly: Type.Boolean({ default: false }),
  lockAt: moment,
  eventStartAction: { ...liquidityAction, default: 'None' },
  marketLockAction: { ...liquidityAction, default: 'None' },
  publish: Type.Boolean({ default: true }),
  open: Type.Boolean({ default: true }),
});

const createMarket = controlEndpoint({
  method: 'POST',
  path: '/markets',
  summary: 'Creates a market by the titles of its outcomes; published and open unless it says otherwise.',
  body: MarketBody,
  answer: ControlMarket,
  operate: (call) => {
    const { context, body } = call;
    const problem = makeMarket(call, body);
    if (problem !== undefined) return problem;
    const record = defined([...context.world.catalogue.markets.values()].at(-1), 'a market was made');
    const { market } = record;
    const steps: OnMarket[] = [
      ...(body.publish ? [{ kind: 'publish', market, published: true } as const] : []),
      ...(body.open ? [{ kind: 'open', market } as const] : []),
    ];
    for (const command of steps) {
      const refusal = change(context, { kind: 'command', command });
      assert(refusal === undefined, 'a market that was just made can be published and opened');
    }
    return answered(marketState(call, record));
  },
});

function makeMarket(finder: Finder, body: Static<typeof MarketBody>): ControlProblem | undefined {
  const { context } = finder;
  const owner = findOwner(finder, body.ownerAppId);
  if (isControlProblem(owner)) return owner;
  const event = findEvent(context, body.eventId);
  if (isControlProblem(event)) return event;
  const { publish, open, ownerAppId, eventId, winnersRange, crossMatchingEnabled, inPlayDelay, lockAt, ...same } = body;
  return change(context, {
    kind: 'createMarket',
    app: owner.app,
    event: event.event,
    ...same,
    winners: winnersRange ?? fewestWinners(context, body.marketTypeId),
    crossMatching: crossMatchingEnabled,
    inPlayDelayMs: inPlayDelay * SECOND_MS,
    lockAt: readTimestamp(lockAt),
  });
}

/** One winner, or the fewest that the market's type allows if that is more. */
function fewestWinners({ world }: SandboxContext, marketTypeId: string): WinnersRange {
  const winners = Math.max(1, world.catalogue.marketTypes.get(marketTypeId)?.winners.min ?? 1);
  return { min: winners, max: winners };
}

type OnMarket = Extract<MachineCommand, { readonly market: number }>;
const NO_BODY = Type.Object({});

/** Declares an endpoint that is one command on one market and answers with the market's new state. */
function move<B extends TObject>(
  name: string,
  summary: string,
  body: B,
  commandOf: (finder: Finder, market: MarketRecord, body: Static<B>) => OnMarket | ControlProblem,
): AnyControlEndpoint {
  return controlEndpoint({
    method: 'POST',
    path: `/markets/{id}/${name}`,
    summary,
    body,
    answer: ControlMarket,
    operate: (call) => {
      const market = findMarket(call, call.path.id);
      if (isControlProblem(market)) return market;
      const command = commandOf(call, market, call.body);
      if (isControlProblem(command)) return command;
      const problem = change(call.context, { kind: 'command', command });
      return problem ?? answered(marketState(call, market));
    },
  });
}

/** Absent: the whole move. `begin` stops at Locking, Settling or Voiding; `finish` continues from there. */
const step = maybe(words('MoveStep', ['begin', 'finish']));
const stepBody = Type.Object({ step });

const resettlement = Type.Object({
  winners: Type.Array(id, { minItems: 1 }),
  /** Number of places paid, fewer than the winners in a dead heat. */
  places: maybe(Type.Integer({ minimum: 1 })),
});
const settlement = Type.Object({ ...resettlement.properties, step });

function result(finder: Finder, record: MarketRecord, { winners: ids, places }: Static<typeof resettlement>) {
  const winners = findOutcomes(finder, record, ids);
  if (isControlProblem(winners)) return winners;
  return { market: record.market, winners, ...(places === undefined ? {} : { places }) };
}

function stepOf(body: Static<typeof stepBody>) {
  return body.step === undefined ? {} : { step: body.step };
}

/** Declares a move that a Closed market refuses: Closed is the end of a market's life (profile section 6). */
function setting<B extends TObject>(
  name: string,
  summary: string,
  body: B,
  commandOf: (market: number, body: Static<B>) => OnMarket,
): AnyControlEndpoint {
  return move(name, summary, body, ({ context: { world } }, { market }, given) =>
    // Checked here and not in the exchange machine, so that existing logs of changes can still be replayed.
    world.exchange.market(market)?.status === 'Closed' ? refusedMove() : commandOf(market, given),
  );
}

const MOVES = [
  move('publish', 'Shows it to everyone.', NO_BODY, (_, { market }) => ({ kind: 'publish', market, published: true })),
  move('unpublish', 'Hides it from all but its owner.', NO_BODY, (_, { market }) => ({
    kind: 'publish',
    market,
    published: false,
  })),
  move('open', 'Initializing or Locked to Open.', NO_BODY, (_, { market }) => ({ kind: 'open', market, reopen: true })),
  move('unopen', 'Open to Initializing.', NO_BODY, (_, { market }) => ({ kind: 'unopen', market })),
  setting('suspend', 'Takes no orders for now.', NO_BODY, (market) => ({ kind: 'suspend', market, suspended: true })),
  setting('unsuspend', 'Takes orders again.', NO_BODY, (market) => ({ kind: 'suspend', market, suspended: false })),
  setting('in-play', 'PrePlay to InPlay, which runs its eventStartAction.', NO_BODY, (market) => ({
    kind: 'setInPlay',
    market,
    inPlay: true,
  })),
  setting('pre-play', 'Back to PrePlay.', NO_BODY, (market) => ({ kind: 'setInPlay', market, inPlay: false })),
  setting(
    'delay',
    'Sets the in-play delay, in whole seconds, and whether only orders that would match wait (else as before).',
    Type.Object({ inPlayDelay: delay, delaysTakersOnly: maybe(Type.Boolean()) }),
    (market, { inPlayDelay, delaysTakersOnly }) => ({
      kind: 'setInPlayDelay',
      market,
      delayMs: inPlayDelay * SECOND_MS,
      ...(delaysTakersOnly === undefined ? {} : { delaysTakersOnly }),
    }),
  ),
  setting('lock-at', 'Sets when it stops taking orders.', Type.Object({ lockAt: moment }), (market, { lockAt }) => ({
    kind: 'setLockAt',
    market,
    lockAt: readTimestamp(lockAt),
  })),
  move('lock', 'Open to Locked.', stepBody, (_, { market }, body) => ({ kind: 'lock', market, ...stepOf(body) })),
  move('settle', 'Settles it for the winners named by outcome id.', settlement, (finder, record, body) => {
    const found = result(finder, record, body);
    return isControlProblem(found) ? found : { kind: 'settle', ...found, ...stepOf(body) };
  }),
  move(
    'resettle',
    'Undoes a settlement and settles anew; may charge below zero.',
    resettlement,
    (finder, record, body) => {
      const found = result(finder, record, body);
      return isControlProblem(found) ? found : { kind: 'resettle', ...found };
    },
  ),
  move('void', 'Voids it: every bet is off.', stepBody, (_, { market }, body) => ({
    kind: 'void',
    market,
    ...stepOf(body),
  })),
  move('close', 'Settled or Voided to Closed.', NO_BODY, (_, { market }) => ({ kind: 'close', market })),
];

const removeOutcome = move(
  'remove-outcome',
  'Takes out a non-runner: orders on it are void, bets on the others repriced by the factor (in percent).',
  Type.Object({
    outcomeId: id,
    factor: Type.Number({ minimum: 0, maximum: 100 }),
    basis: { ...basis, default: 'win' as const },
  }),
  (finder, record, body) => {
    const outcomes = findOutcomes(finder, record, [body.outcomeId]);
    if (isControlProblem(outcomes)) return outcomes;
    const factorPpm = Math.round(body.factor * 10_000);
    if (factorPpm / 10_000 !== body.factor) return refused(400, 'factor: at most four decimals');
    const outcome = defined(outcomes[0], 'one outcome was named');
    return { kind: 'removeOutcome', market: record.market, outcome, factorPpm, basis: body.basis };
  },
);

const voidTrades = move(
  'void-trades',
  'Makes the trades of a time void, both sides of each; without `from` those of the last `lastMs` before `to`, or now.',
  Type.Object({
    from: maybe(moment),
    to: maybe(moment),
    lastMs: Type.Integer({ minimum: 0, maximum: VOID_MAX_MS, default: 60_000 }),
  }),
  ({ context }, { market }, { from, to, lastMs }) => {
    const end = to === undefined ? context.now() : readTimestamp(to);
    return {
      ...{ kind: 'voidTrades', market, to: end },
      from: from === undefined ? instant(Math.max(0, end - lastMs)) : readTimestamp(from),
    };
  },
);

const getMarket = controlEndpoint({
  method: 'GET',
  path: '/markets/{id}',
  summary: 'What it is now.',
  answer: ControlMarket,
  operate: (call) => {
    const market = findMarket(call, call.path.id);
    return isControlProblem(market) ? market : answered(marketState(call, market));
  },
});

function marketState({ context: { world }, names }: Finder, record: MarketRecord) {
  const { market, event, outcomes } = record;
  const view = defined(world.exchange.market(market), 'a market of the catalogue is the machine’s');
  const { status, inPlayStatus, published, suspended, lockAt, settledAt } = view;
  return {
    id: names.marketId(record),
    eventId: defined(world.catalogue.events.get(event), 'a market has an event').id,
    escrowWalletId: world.registry.wallet(view.escrowWallet).id,
    status,
    inPlayStatus,
    published,
    suspended,
    inPlayDelay: view.inPlayDelayMs / SECOND_MS,
    delaysTakersOnly: view.delaysTakersOnly,
    ...(lockAt === undefined ? {} : { lockAt: instantToWire(lockAt) }),
    ...(settledAt === undefined ? {} : { settledAt: instantToWire(settledAt) }),
    outcomes: outcomes.map(({ title }, index) => ({
      id: names.outcomeId(record, index, world),
      title,
      removed: view.removed.includes(index),
      winner: view.winners.includes(index),
    })),
  };
}

export const MARKET_CONTROL = [createMarket, getMarket, ...MOVES, removeOutcome, voidTrades];
