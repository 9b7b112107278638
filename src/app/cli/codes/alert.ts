/** Every alert of a running daemon: stable codes, how grave each is, and what it means in one sentence. */

/** `warn`: it ends by itself, and the bot may trade less meanwhile. `error`: a person must look. */
export const ALERTS = {
  FEED_LATE: {
    level: 'warn',
    means: 'a feed, the prices of one market, or one wallet of several are older than their budget',
  },
  MARKET_OFF: { level: 'warn', means: 'no new orders are placed on a market' },
  MARKET_DARK: {
    level: 'warn',
    means: 'too little is known of a market for orders of ours to rest there',
  },
  HEARTBEAT_LATE: { level: 'warn', means: 'a refresh of the heartbeat is overdue or unanswered' },
  HEARTBEAT_LAPSED: { level: 'error', means: 'the exchange cancelled our unmatched orders and blocks new ones' },
  TRADING_REDUCE_ONLY: { level: 'warn', means: 'only orders that lower a worst loss pass' },
  TRADING_HALTED: { level: 'error', means: 'nothing is placed until a person resumes' },
  STRATEGY_HALTED: { level: 'error', means: 'a strategy failed; its orders are cancelled, the others go on' },
  STRATEGY_STUCK: { level: 'error', means: 'a strategy did not come back; the daemon ends, and starts without it' },
  ORDER_REJECTED: { level: 'warn', means: 'the exchange refused an order that our own checks let pass' },
  ORDER_UNKNOWN: { level: 'warn', means: 'it is not known whether an order exists; it counts as if it did' },
  ORDER_REAPPEARED: { level: 'error', means: 'an order that was taken for absent exists after all' },
  ORDERS_LEFT: {
    level: 'error',
    means: 'orders that are to end live on, although their cancellation was asked for',
  },
  ORDER_REVIVED: {
    level: 'error',
    means: 'an order that had ended lives again; it counts, and all books are compared',
  },
  STRAY_ADOPTED: { level: 'warn', means: 'an order that this run did not place now counts as its own' },
  FOREIGN_ORDER: { level: 'warn', means: 'an order in one of our wallets was not placed by this run' },
  DIFFERENCE_LASTING: { level: 'error', means: 'our books and those of the exchange disagree, and go on doing so' },
  MARKETS_NOT_FOUND: { level: 'error', means: 'the exchange does not show markets in which we hold something' },
  READ_FAILED: { level: 'warn', means: 'a reading failed; it is tried again' },
  ANSWER_UNREADABLE: { level: 'warn', means: 'part of what the exchange sent makes no sense and was left out' },
  COMMISSION_UNPROVEN: { level: 'warn', means: 'the commission posted does not fit the result of a market' },
  NOT_STREAMED: { level: 'warn', means: 'ids beyond the limits of the stream are read over REST alone' },
  PRICES_DELAYED: {
    level: 'warn',
    means: 'the exchange shows prices late on purpose, and takes no orders of this session',
  },
  STREAM_DOWN: { level: 'warn', means: 'the stream ended; it is connected again' },
  STREAM_TROUBLE: { level: 'warn', means: 'the stream misbehaved without ending' },
  STREAM_GAP: { level: 'warn', means: 'readings had to correct prices that the stream did not tell' },
  SESSION_FAILED: { level: 'warn', means: 'no session with the exchange could be opened; it is tried again' },
  EXCHANGE_AWAY: {
    level: 'warn',
    means: 'the exchange cannot be reached at the start; it is tried again until it is there',
  },
  SESSION_LOST: { level: 'error', means: 'the exchange refuses our key for good; the daemon ends' },
  THROTTLED: { level: 'warn', means: 'the exchange asked for fewer requests' },
  CALLS_OVERLOADED: { level: 'warn', means: 'more calls wait than the request budget can ever send' },
  POLLS_STRETCHED: { level: 'warn', means: 'readings are further apart than configured, to keep the request budget' },
  CLOCK_SKEW: { level: 'error', means: 'our clock and that of the exchange differ by more than allowed' },
  RUN_DIRECTORY_LOST: {
    level: 'error',
    means: 'the state directory was removed or replaced; the daemon cancels and ends',
  },
  CLOCK_JUMPED: { level: 'warn', means: 'our clock was set while the daemon ran' },
  LOOP_LATE: { level: 'warn', means: 'the process was busy or stopped for longer than a second' },
  LIMITS_NOT_RELOADED: { level: 'error', means: 'the configuration is faulty; the limits stay as they were' },
  RESTART_NEEDED: { level: 'warn', means: 'more than limits changed in the file; the rest takes effect at a restart' },
  STRATEGY_NOT_RELOADED: { level: 'error', means: 'a changed strategy file is faulty; the strategy stays as it was' },
  JOURNAL_TORN: { level: 'warn', means: 'the last records were cut off by a crash and dropped; nothing rests on them' },
  JOURNAL_ACCEPTED_CORRUPT: { level: 'error', means: 'a damaged journal was accepted on the command line' },
  EXPLAIN_FAILED: {
    level: 'warn',
    means: 'decisions and refusals cannot be written beside the journal; the run goes on',
  },
  PACKING_FAILED: {
    level: 'warn',
    means: 'older records cannot be packed: the journal, and the next start, get longer',
  },
  RECORDING_GAP: { level: 'warn', means: 'the recording of the run misses something' },
  RECORDING_FAILED: { level: 'error', means: 'the run goes on, but is not recorded any more' },
  NOTIFY_FAILED: { level: 'warn', means: 'our state could not be reported to systemd' },
  SIGNAL_UNREADABLE: { level: 'warn', means: 'lines of a signal file are no rows; the others count' },
  DASHBOARD_FAILED: {
    level: 'error',
    means: 'the dashboard met a bug of ours and shows nothing more; the run goes on',
  },
  RUN_FAILED: { level: 'error', means: 'the daemon failed and ends; all orders of the run are cancelled first' },
  START_FAILED: { level: 'error', means: 'the daemon ended before it was at work, by the error that is named' },
  ALERT_NOT_SENT: { level: 'warn', means: 'an alert could not be sent by one of the configured ways' },
  END_INCOMPLETE: { level: 'error', means: 'the run ended with orders left, or the exchange did not say what is live' },
} as const satisfies Readonly<Record<string, { readonly level: 'warn' | 'error'; readonly means: string }>>;

export type AlertCode = keyof typeof ALERTS;

/** Fields that tell apart what alerts of one code are about. Other codes are about the run as a whole. */
export const SUBJECT_FIELD: Partial<Readonly<Record<AlertCode, string>>> = {
  FEED_LATE: 'feed',
  MARKET_OFF: 'market',
  MARKET_DARK: 'market',
  STRATEGY_HALTED: 'strategy',
  STRATEGY_STUCK: 'strategy',
  ORDER_REJECTED: 'code',
  ORDER_UNKNOWN: 'code',
  DIFFERENCE_LASTING: 'id',
  FOREIGN_ORDER: 'wallet',
  READ_FAILED: 'what',
  STREAM_DOWN: 'code',
  STREAM_TROUBLE: 'code',
  COMMISSION_UNPROVEN: 'market',
  ALERT_NOT_SENT: 'way',
};
