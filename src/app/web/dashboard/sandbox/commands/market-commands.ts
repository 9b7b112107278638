/** Commands for one market of a sandbox: the moves of its life, as far as its state allows them. */

import type { MarketView } from '../../../../../matching/state/views.ts';
import type { Tone } from '../../../../../pages/figure.ts';
import type { CommandField, CommandOffer, CommandOption } from '../../../../../pages/panels.ts';
import type { ControlAsk } from '../../../../../sandbox/control/local-control.ts';
import type { MarketRecord } from '../../../../../sandbox/world/records.ts';
import { chosenValues } from '../../server/command-values.ts';
import type { CommandValues, Progress } from '../../server/source.ts';
import { stateWords } from '../../shown/shown-rows.ts';
import { marketOffer, nameOfMarket, type Place, type SandboxCommand } from './sandbox-command.ts';
import type { ShownSandbox } from './shown-sandbox.ts';

interface Move {
  readonly name: string;
  readonly title: string;
  readonly effect: string;
  readonly tone: Tone;
  /** Typed for what cannot be undone. */
  readonly word?: string;
  readonly path: string;
  /** The exchange allows it of a Locked market alone. */
  readonly locksFirst?: boolean;
  /** Why its state does not allow it. */
  readonly off: (market: MarketView) => string | undefined;
  readonly fields?: (
    market: MarketView,
    outcomes: readonly ShownOutcome[],
    record: MarketRecord,
  ) => readonly CommandField[];
  readonly body?: (values: CommandValues) => object;
  readonly isDone: (market: MarketView, values: CommandValues, outcomes: readonly ShownOutcome[]) => boolean;
}

/** An outcome by the id of the face. */
type ShownOutcome = CommandOption;

const OVER = ['Settled', 'Voided', 'Closed'];
const isOver = ({ status }: MarketView): boolean => OVER.includes(status);
const overOff = (market: MarketView): string | undefined => (isOver(market) ? `It is ${market.status}.` : undefined);

/** Those that were not taken out. */
const leftOf = ({ removed }: MarketView, outcomes: readonly ShownOutcome[]) =>
  outcomes.filter((_, index) => !removed.includes(index));

const winnerField = (
  market: MarketView,
  outcomes: readonly ShownOutcome[],
  { winners }: MarketRecord,
): CommandField => ({
  kind: 'choice',
  name: 'winner',
  label: winners.max === 1 ? 'winner' : 'winners',
  options: leftOf(market, outcomes),
  least: Math.max(1, winners.min),
  most: Math.max(1, winners.max),
});
const winnersBody = ({ winner = '' }: CommandValues): object => ({ winners: chosenValues(winner) });
const hasWinners: Move['isDone'] = ({ status, winners }, { winner = '' }, outcomes) => {
  const asked = chosenValues(winner).map((id) => outcomes.findIndex(({ value }) => value === id));
  return status === 'Settled' && asked.length === winners.length && asked.every((each) => winners.includes(each));
};

const MOVES: readonly Move[] = [
  {
    ...{ name: 'suspend', title: 'Suspend', tone: 'warn', path: 'suspend' },
    effect: 'It takes no orders, and nothing matches, until it is reopened.',
    off: (market) => overOff(market) ?? (market.suspended ? 'It is suspended.' : undefined),
    isDone: ({ suspended }) => suspended,
  },
  {
    ...{ name: 'unsuspend', title: 'Reopen', tone: 'good', path: 'unsuspend' },
    effect: 'Lifts the suspension: it takes orders again.',
    off: (market) => overOff(market) ?? (market.suspended ? undefined : 'It is not suspended.'),
    isDone: ({ suspended }) => !suspended,
  },
  {
    ...{ name: 'inPlay', title: 'Go in play', tone: 'warn', path: 'in-play', word: 'in play' },
    effect: 'Unmatched orders are cancelled where the market says so; new ones wait out its delay.',
    off: (market) =>
      overOff(market) ?? (market.inPlayStatus === 'PrePlay' ? undefined : IN_PLAY_OFF[market.inPlayStatus]),
    isDone: ({ inPlayStatus }) => inPlayStatus === 'InPlay',
  },
  {
    ...{ name: 'prePlay', title: 'Back to before play', tone: 'plain', path: 'pre-play' },
    effect: 'As recordings do it, where an off was false.',
    off: (market) => overOff(market) ?? (market.inPlayStatus === 'InPlay' ? undefined : 'It is not in play.'),
    isDone: ({ inPlayStatus }) => inPlayStatus === 'PrePlay',
  },
  {
    ...{ name: 'delay', title: 'Bet delay', tone: 'plain', path: 'delay' },
    effect: 'How long new orders wait while it is in play.',
    off: overOff,
    fields: ({ inPlayDelayMs }) => [
      {
        ...{ kind: 'number', name: 'delay', label: 'seconds', least: 0, most: 3_600, decimals: 0 },
        first: String(inPlayDelayMs / 1_000),
      },
    ],
    body: ({ delay }) => ({ inPlayDelay: Number(delay) }),
    isDone: ({ inPlayDelayMs }, { delay }) => inPlayDelayMs === Number(delay) * 1_000,
  },
  {
    ...{ name: 'lock', title: 'Lock', tone: 'warn', path: 'lock', word: 'lock' },
    effect: 'Its betting ends. Unmatched orders are cancelled where the market says so.',
    off: ({ status }) => (status === 'Open' ? undefined : `It is ${status}.`),
    body: () => ({}),
    isDone: ({ status }) => status === 'Locked',
  },
  {
    ...{ name: 'open', title: 'Open', tone: 'good', path: 'open' },
    effect: 'From Initializing or Locked.',
    off: ({ status }) => (['Initializing', 'Locked'].includes(status) ? undefined : `It is ${status}.`),
    isDone: ({ status }) => status === 'Open',
  },
  {
    ...{ name: 'removeOutcome', title: 'Non-runner', tone: 'warn', path: 'remove-outcome', word: 'remove' },
    effect: 'Takes an outcome out: orders on it are void, bets on the others are repriced by the factor.',
    off: overOff,
    fields: (market, outcomes) => [
      {
        ...{ kind: 'choice', name: 'outcome', label: 'outcome', least: 1, most: 1 },
        options: leftOf(market, outcomes),
      },
      { kind: 'number', name: 'factor', label: 'factor, %', least: 0, most: 100, decimals: 2, first: '10' },
    ],
    body: ({ outcome, factor }) => ({ outcomeId: outcome, factor: Number(factor) }),
    isDone: ({ removed }, { outcome }, outcomes) =>
      removed.includes(outcomes.findIndex(({ value }) => value === outcome)),
  },
  {
    ...{ name: 'voidTrades', title: 'Void trades', tone: 'bad', path: 'void-trades', word: 'void' },
    effect: 'What was matched in these last seconds is void for both sides. A balance may fall below zero.',
    off: overOff,
    fields: () => [
      { kind: 'number', name: 'seconds', label: 'seconds', least: 1, most: 3_600, decimals: 0, first: '60' },
    ],
    body: ({ seconds }) => ({ lastMs: Number(seconds) * 1_000 }),
    isDone: () => true,
  },
  {
    ...{ name: 'settle', title: 'Settle', tone: 'bad', path: 'settle', word: 'settle' },
    effect:
      'Ends the market with this result: bets are paid out, unmatched orders are cancelled. An open one is locked first.',
    locksFirst: true,
    off: overOff,
    fields: (market, outcomes, record) => [winnerField(market, outcomes, record)],
    body: winnersBody,
    isDone: hasWinners,
  },
  {
    ...{ name: 'void', title: 'Void', tone: 'bad', path: 'void', word: 'void' },
    effect: 'Ends the market without a result: every bet is off, stakes go back.',
    off: overOff,
    body: () => ({}),
    isDone: ({ status }) => status === 'Voided',
  },
  {
    ...{ name: 'resettle', title: 'Settle anew', tone: 'bad', path: 'resettle', word: 'resettle' },
    effect: 'Takes back what was paid and pays by another result. A balance may fall below zero.',
    off: ({ status }) => (['Settled', 'Voided'].includes(status) ? undefined : 'It is not settled.'),
    fields: (market, outcomes, record) => [winnerField(market, outcomes, record)],
    body: winnersBody,
    isDone: hasWinners,
  },
  {
    ...{ name: 'close', title: 'Close', tone: 'plain', path: 'close', word: 'close' },
    effect: 'The end of its life: nothing changes it any more.',
    off: ({ status }) => (['Settled', 'Voided'].includes(status) ? undefined : `It is ${status}.`),
    isDone: ({ status }) => status === 'Closed',
  },
];

const IN_PLAY_OFF = { InPlay: 'It is in play.', NotApplicable: 'It never goes in play.', PrePlay: undefined };

export const MARKET_COMMANDS: readonly SandboxCommand[] = MOVES.map((move) => ({
  name: move.name,
  offer: (place) => offerOfMove(move, place),
  before: (place) =>
    move.locksFirst === true && statusIn(place) === 'Open' ? moveRequest(place, 'lock', {}) : undefined,
  request: (place, values) => moveRequest(place, move.path, move.body?.(values) ?? {}),
  progress: (place, values) => progressOf(move, place, values),
}));

/** The outcomes of a market by the ids of the face. */
function outcomesOf({ context, control, words }: ShownSandbox, record: MarketRecord): readonly ShownOutcome[] {
  return words.named(record, context.world).outcomes.map(({ title }, index) => ({
    value: control.names.outcomeId(record, index, context.world),
    label: title,
  }));
}

function moveRequest({ market, sandbox }: Place, path: string, body: object): ControlAsk {
  const id = market === undefined ? '' : sandbox.control.names.marketId(market);
  return { method: 'POST', path: `/markets/{id}/${path}`, parameters: { id }, body };
}

function statusIn({ market, sandbox }: Place) {
  return market && sandbox.context.world.exchange.market(market.market)?.status;
}

function offerOfMove(move: Move, place: Place): CommandOffer | undefined {
  const { market: record, sandbox } = place;
  const market = record && sandbox.context.world.exchange.market(record.market);
  if (record === undefined || market === undefined) return undefined;
  const { name, title, effect, tone, word = '', off, fields } = move;
  const shown = { name, title, effect, tone, word, group: 'Market' };
  return marketOffer(place, record, {
    ...shown,
    off: off(market),
    fields: fields?.(market, outcomesOf(sandbox, record), record) ?? [],
  });
}

function progressOf({ isDone }: Move, { market: record, sandbox }: Place, values: CommandValues): Progress {
  const market = record && sandbox.context.world.exchange.market(record.market);
  if (record === undefined || market === undefined) return { isDone: false, proof: 'the market is forgotten' };
  const outcomes = outcomesOf(sandbox, record);
  const winners = market.winners.map((index) => outcomes[index]?.label ?? '');
  const { state } = stateWords(market);
  const result = winners.length === 0 ? '' : `, ${winners.join(' and ')} won`;
  const proof = `${nameOfMarket(sandbox, record)} is ${state}${result}`;
  return { isDone: isDone(market, values, outcomes), proof };
}
