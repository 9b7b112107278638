/** Notices that a result prints beside its figures, so that no zero stays unexplained; each has a stable code. */

/** Codes of the notices that explain the figures of a run, and what each means. A code keeps its meaning from version to version. */
export const NOTICE_CODES = {
  SIGNAL_MATCHES_NOTHING: 'no row of a signal is of a market of the run',
  SIGNAL_MARKETS_UNKNOWN: 'rows of a signal are of markets that no tape of the run holds',
  SIGNAL_OUTCOMES_UNKNOWN: 'rows of a signal name outcomes that their market does not have',
  SIGNAL_TOO_LATE: 'all rows of a signal become available after the last update of their market',
  FILTER_MATCHES_NOTHING: 'a name in `markets` of the configuration is of no market on the tapes',
  MARKETS_CANNOT_FILL: 'markets hold last traded prices only (grade C): orders rest there and nothing matches',
  RECORDING_NOT_KEPT: 'the tapes of markets of the run do not hold all that their sources said',
  IMPORTED_BEFORE: 'markets of the run were imported by an earlier version, which took parts of a message for updates',
  LEVELS_OUT_OF_SIGHT:
    'takers came to levels that a recording of the best few had not shown for too long, and were not matched there',
  RESULT_IMPLAUSIBLE: 'bets won, or a signal knew, so much more than prices say that a leak is likelier than an edge',
  MARKETS_VOIDED: 'every market with orders was voided, which pays nothing',
  DELAY_MODEL_UNKNOWN: 'the recordings of markets with orders in play do not say whether the delay was for all orders',
  MARKETS_WITHOUT_WINNER: 'markets with orders ended with losers alone, and were settled so that all outcomes lost',
  PLACES_SHARED:
    'in place markets with orders more outcomes won than there are places: each was paid the mean of the possible ties',
  INTERVAL_WITHOUT_WIDTH: 'all that matched did so alike in every bound, which does not make it certain',
  STRATEGY_WATCHES_NOTHING: 'a strategy watches no market of the run, so that it was never asked',
  STRATEGY_WISHED_NOTHING: 'a strategy was asked and never returned an intent',
  STRATEGY_ALL_REFUSED: 'no intent of a strategy was sent',
  STRATEGY_OFTEN_REFUSED: 'more than a tenth of the intents of a strategy were refused',
  STRATEGY_ALL_REJECTED: 'the exchange accepted none of the orders of a strategy',
  STRATEGY_MATCHED_NOTHING: 'no order of a strategy was matched',
  STRATEGY_MANY_ORDERS: 'a strategy sent more orders than there were updates, or 500 for each that was matched',
  MARKETS_UNWATCHED: 'markets were replayed that no strategy watches',
  MARKETS_CUT_OFF: 'the recordings of markets end before the markets do, which were suspended from then on',
  WINDOW_NEVER_OPENED: 'strategies were never asked in markets, whose window did not open',
  STRATEGY_WAKES_ITSELF: 'a strategy was called by its own timers more than ten times as often as there were updates',
  STRATEGY_REPEATS_REJECTED: 'a strategy went on sending after a hundred rejections in a row',
  PLOT_NAMES_LEFT_OUT: 'a strategy plotted more names in a market than are kept',
  PLOT_THINNED:
    'lines that a strategy plotted had more points than are kept: extremes stay, values between them do not',
  PLOT_FULL: 'strategies plotted more points than a run keeps: later ones are left out',
} as const;

/** A key of `NOTICE_CODES`. */
export type NoticeCode = keyof typeof NOTICE_CODES;

/** A fact that explains the figures of a run, above all where they are zero. */
export interface Notice {
  /** Stable: what programs match on. */
  readonly code: NoticeCode;
  /** The fact, in whole sentences. */
  readonly what: string;
  /** What to do next, or where to look. */
  readonly next: string;
  /** Name of the strategy concerned. */
  readonly strategy?: string;
  /** Path of the file concerned. */
  readonly where?: string;
  /** Ids of all markets concerned. */
  readonly markets?: readonly string[];
}

/** How many ids are printed for people; all of them are in the JSON. */
const IDS_SHOWN = 5;

/** `1.2, 1.3 and 40 more`; undefined where no market is concerned. */
export function marketsText({ markets = [] }: Notice): string | undefined {
  if (markets.length === 0) return undefined;
  const rest = markets.length - IDS_SHOWN;
  return `${markets.slice(0, IDS_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
