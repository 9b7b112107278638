/** What the pages of the dashboard show, as plain data from the server to the page. Amounts are decimals, times ms UTC. */

import type { ExchangePanel } from './exchange-panel.ts';
import type { Figure, Tone } from './figure.ts';
import type { MarketRow } from './market-row.ts';
import type { MarketPaid, MoneyPart } from './money-panel.ts';

/** Who serves the dashboard: a run, a sandbox, or the list of the runs below a directory. */
export type SourceKind = 'live' | 'paper' | 'sandbox' | 'bots';

export const PAGES = ['now', 'exchange', 'markets', 'market', 'orders', 'record', 'commands', 'bots'] as const;
export type PageName = (typeof PAGES)[number];

/** Which page is looked at, and which part of it. */
export interface Ask {
  readonly page: PageName;
  /** The id of a `market`, and the outcome whose ladder is shown; without one, the favourite's. */
  readonly id: string;
  readonly outcome: string;
  /** The first row of `markets` and `orders`, the text that every row must hold, and which rows. */
  readonly from: number;
  readonly find: string;
  readonly which: 'all' | 'own' | 'live';
}

/** What the page is told when it opens. */
export interface Welcome {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  readonly pages: readonly PageName[];
  readonly currency: string;
  /** Every POST of this session carries it in the header `x-oddsmith-token`. */
  readonly token: string;
  /** How a new link is made. */
  readonly newLink: string;
}

/** The line above every page; sent several times a second, whatever page is shown. */
export interface Head {
  readonly at: number;
  readonly words: readonly Word[];
  /** Commands that were heard and are not done. */
  readonly pending: number;
  /** Whether trading can be halted: by a button in the head of every page. Absent where nobody trades. */
  readonly halt?: 'offered' | 'halted' | undefined;
  /** The last word of a run that has ended in order; nothing follows it. */
  readonly ended?: Ended | undefined;
  /** Share of one core that the dashboard took lately; undefined until that can be said. */
  readonly load: number | undefined;
}

export interface Ended {
  readonly text: string;
  readonly tone: Tone;
}

export interface Word {
  readonly label: string;
  readonly text: string;
  readonly tone: Tone;
}

export type Panel =
  | NowPanel
  | ExchangePanel
  | MarketsPanel
  | MarketPanel
  | OrdersPanel
  | RecordPanel
  | CommandsPanel
  | BotsPanel;

export interface NowPanel {
  readonly page: 'now';
  /** Why nothing is traded, the weightiest first; empty where orders may be placed. */
  readonly reasons: readonly Reason[];
  readonly money: MoneyPart;
  readonly figures: readonly Figure[];
  /** What was done lately. */
  readonly activity: readonly Figure[];
  readonly refusals: readonly RefusalCount[];
  readonly bars: readonly Bar[];
  readonly feeds: readonly FeedRow[];
  readonly facts: readonly Figure[];
  readonly alerts: readonly RecordLine[];
}

export interface Reason {
  readonly text: string;
  /** What to do about it. */
  readonly next: string;
  readonly tone: Tone;
}

export interface RefusalCount {
  readonly code: string;
  readonly means: string;
  readonly times: number;
}

/** How much of a limit is used. */
export interface Bar {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly unit: 'amount' | 'count';
  /** The market or the strategy that the panel shows. */
  readonly of: string;
}

/** The part of a limit that is used, 0 to 1: a limit of nothing is used up. */
export function usedShare({ used, limit }: Pick<Bar, 'used' | 'limit'>): number {
  return limit > 0 ? Math.min(1, used / limit) : 1;
}

export interface FeedRow {
  readonly feed: string;
  readonly readAt: number | undefined;
  readonly budgetMs: number;
  readonly isLate: boolean;
}

/** A part of a list: rows from `from` on, of `total` that fit what was asked. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly from: number;
  readonly total: number;
}

export interface MarketsPanel {
  readonly page: 'markets';
  readonly part: Part<MarketRow>;
}

export interface MarketPanel {
  readonly page: 'market';
  readonly id: string;
  /** What its result brought; also of a market that is not followed any more. */
  readonly paid: MarketPaid | undefined;
  /** Undefined for a market that is not followed, or not any more. */
  readonly market: MarketDetail | undefined;
}

export interface MarketDetail extends Omit<MarketRow, 'favourite'> {
  readonly lockAt: number | undefined;
  readonly inPlayDelayMs: number;
  /** How many of its outcomes win; what a result brings is exact where it is one. */
  readonly winners: { readonly min: number; readonly max: number };
  readonly outcomes: readonly OutcomeRow[];
  readonly ladder: Ladder | undefined;
  /** Undefined before there are two readings, and where nobody keeps them. */
  readonly prices: PriceCurve | undefined;
  readonly positions: readonly PositionRow[];
  readonly orders: Part<OrderRow>;
}

/** The best prices to back over time, of the outcomes with the lowest; null where there was none. */
export interface PriceCurve {
  readonly at: readonly number[];
  readonly lines: readonly { readonly title: string; readonly values: readonly (number | null)[] }[];
}

export interface OutcomeRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly back: Level | undefined;
  readonly lay: Level | undefined;
  readonly last: number | undefined;
  readonly traded: number;
  /** What our matched bets bring if it wins; undefined without any. */
  readonly profit: number | undefined;
  readonly liveOrders: number;
}

export interface Level {
  readonly price: number;
  readonly stake: number;
}

/** The levels of one outcome, the highest price first. */
export interface Ladder {
  readonly outcome: string;
  readonly title: string;
  readonly rows: readonly LadderRow[];
}

export interface LadderRow {
  readonly price: number;
  /** Stake that can be backed at the price, and laid; with our own in it. */
  readonly back: number;
  readonly lay: number;
  /** Our own unmatched stake in it. */
  readonly ownBack: number;
  readonly ownLay: number;
  /** What was matched at the price so far; 0 too where that is not known. */
  readonly traded: number;
}

/** What one strategy (or app) wins or loses at each result, by the order of the outcomes. */
export interface PositionRow {
  readonly owner: string;
  readonly profits: readonly number[];
  /** The most that can be lost, whatever is filled. */
  readonly worstLoss: number;
  /** What the exchange holds for its bets; undefined where only the exchange knows. */
  readonly held?: number;
}

export interface OrdersPanel {
  readonly page: 'orders';
  readonly part: Part<OrderRow>;
}

export interface OrderRow {
  /** Our number of the order, else the exchange's. */
  readonly number: number;
  readonly exchangeId: string | undefined;
  readonly market: string;
  readonly place: string;
  readonly outcome: string;
  readonly side: 'For' | 'Against';
  readonly price: number;
  readonly stake: number;
  readonly matched: number;
  readonly unmatched: number;
  readonly averagePrice: number | undefined;
  readonly state: string;
  readonly tone: Tone;
  readonly owner: string;
  readonly wallet: string;
  readonly placedAt: number;
  readonly note: string | undefined;
  /** Before commission: what it won or lost, or what closing what is matched of it would bring now. */
  readonly profit: { readonly value: number; readonly isSettled: boolean } | undefined;
}

/** The lines of the record come beside it, as they are written. */
export interface RecordPanel {
  readonly page: 'record';
  readonly alerts: readonly RecordLine[];
}

export interface RecordLine {
  readonly seq: number;
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly about: string;
  readonly alert: string | undefined;
  readonly text: string;
}

export interface CommandsPanel {
  readonly page: 'commands';
  /** What some commands are for, and which of it is chosen; undefined where all are for the whole. */
  readonly subjects: CommandSubjects | undefined;
  readonly offers: readonly CommandOffer[];
  /** The newest first. */
  readonly entries: readonly CommandEntry[];
}

export interface CommandOffer {
  readonly name: string;
  readonly title: string;
  /** What it does, and what it does not. */
  readonly effect: string;
  /** What must be typed to confirm it; empty for what can be undone: a click is enough. */
  readonly word: string;
  /** Whether it takes a reason, which is kept. */
  readonly hasReason: boolean;
  readonly tone: Tone;
  /** The heading below which it stands. */
  readonly group: string;
  /** What of the subjects it is for, by id and name; both empty for the whole. */
  readonly of: string;
  readonly about: string;
  /** Why it cannot be asked for now. */
  readonly off: string | undefined;
  readonly fields: readonly CommandField[];
}

/** What a person chooses for a command; its value is sent as text. */
export type CommandField =
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly label: string;
      readonly options: readonly CommandOption[];
      /** How many are chosen. Several values are sent with commas between them. */
      readonly least: number;
      readonly most: number;
    }
  | {
      readonly kind: 'number';
      readonly name: string;
      readonly label: string;
      readonly least: number;
      readonly most: number;
      readonly decimals: number;
      /** What stands there first. */
      readonly first: string;
    };

export interface CommandOption {
  readonly value: string;
  readonly label: string;
}

/** Things of which one is chosen, of `total` that fit what was asked for. */
export interface CommandSubjects {
  readonly noun: string;
  readonly chosen: string;
  readonly options: readonly CommandOption[];
  readonly total: number;
}

export interface CommandEntry {
  /** The idempotency key that it was asked with: a second request with the same key is the same command. */
  readonly key: string;
  readonly name: string;
  readonly title: string;
  /** What it was asked for, with what was chosen. */
  readonly about: string;
  readonly reason: string;
  readonly heardAt: number;
  readonly doneAt: number | undefined;
  readonly refused: string | undefined;
  /** The state that proves that it is done; until then what is waited for. */
  readonly proof: string;
}

export interface BotsPanel {
  readonly page: 'bots';
  readonly dir: string;
  readonly rows: readonly BotRow[];
}

export interface BotRow {
  readonly dir: string;
  readonly name: string;
  readonly kind: string;
  readonly words: readonly Word[];
  /** Why it does not trade, or why nothing is known of it. */
  readonly why: string | undefined;
  readonly tone: Tone;
  readonly liveOrders: number | undefined;
  /** The most that can be lost, over all its wallets. */
  readonly canLose: number | undefined;
  /** The limit that is nearest to being reached; undefined where none is set or nothing is known. */
  readonly limit: Bar | undefined;
  /** How many alerts it told since its start. */
  readonly alerts: number | undefined;
  /** What asks for a look, in words. */
  readonly notices: readonly string[];
  readonly today: number | undefined;
  readonly total: number | undefined;
  /** The time of this state. */
  readonly at: number | undefined;
  readonly hasDashboard: boolean;
}
