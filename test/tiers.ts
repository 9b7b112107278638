/**
 * Which tests a change waits for. What is in no list is fast: no process, no socket, no proof by thousands of seeds
 * (`npm run test:fast`). `npm test` plays the fast ones and the essentials, `npm run test:all` all others. `test/tidy.test.ts`
 * finds a fast test that starts a process or opens a socket.
 */

/** Files of the two lists below, of which `npm test` plays one of each kind. Globs from the project's root, as all here. */
export const ESSENTIALS: readonly string[] = [
  'test/golden/*.test.ts',
  'test/node-versions/*.test.ts',
  'test/app/live/halting.test.ts',
  'test/app/live/start.test.ts',
  'test/sandbox/world/kill.test.ts',
  'test/sandbox/{http,stream,vendor}/*.test.ts',
  'test/conformance/gateway.test.ts',
  'test/report/html.test.ts',
  'test/web/accessible.test.ts',
];

/** Proofs that `npm test` plays with a small budget (`brief` of `budget()`), and `npm run test:all` whole. */
export const BRIEFLY: readonly string[] = [
  'test/vopr/lives.test.ts',
  'test/properties/{matching-oracle,overlay-oracle}.test.ts',
  'test/sandbox-betfair/stream/every-change.test.ts',
  'test/betfair/{gateway/every-call,stream/every-message}.test.ts',
];

/**
 * Start processes, open sockets or browsers, and wait for them most of their time: more of them run at once than there are
 * processors.
 */
export const PROCESSES: readonly string[] = [
  ...[
    'bad-paths',
    'client-docs',
    'library-docs',
    'no-warnings',
    'node-check',
    'paper-run',
    'record-command',
    'record-command-betfair',
  ].map((name) => `test/app/${name}.test.ts`),
  ...[
    'file-modes',
    'left-files',
    'sandbox-arrivals',
    'sandbox-command',
    'sandbox-exec',
    'strategy-place',
    'second-wall',
    'strategy-realm',
    'unwritten-results',
  ].map((name) => `test/app/${name}.test.ts`),
  'test/app/{live,live-kill}/*.test.ts',
  'test/app/{harmless-names,hostile-journals}.test.ts',
  'test/app/view/{hostile-view,live-view,own-prices,page,page-troubles,view-command}.test.ts',
  'test/app/dashboard/{betfair-sandbox,bots,broken-line,exchange,hostile,money,once,page,raw-requests,restart,sandbox-commands,slow-reader,stale,states}.test.ts',
  'test/app/alerts/{alert-command,daemon-alerts,monitoring-docs}.test.ts',
  'test/app/first-hour/{completion,doctor,doctor-betfair,init,packed}.test.ts',
  'test/app/thread/{backtest-jobs,backtest-signals,backtest-stuck,console-lines,daemon-stuck,left-behind,thread-ends}.test.ts',
  'test/backtest/jobs.test.ts',
  'test/docs/{commands,guide}.test.ts',
  'test/backtest/statistics.test.ts',
  'test/app/pieces/serve-command.test.ts',
  'test/sweep/pieces/piece-cache.test.ts',
  'test/sweep/queue/*.test.ts',
  'test/sweep/machines.test.ts',
  'test/conformance/gateway.test.ts',
  'test/{coverage,tour}/*.test.ts',
  'test/journal/{journal-full,journal-lock,kill}.test.ts',
  'test/recording/{tape-target,unread-source}.test.ts',
  'test/report/{calibration,html,market-page,refusals,sweep-page}.test.ts',
  'test/betdex/client/{every-endpoint,secrets,wire-faults}.test.ts',
  'test/betdex/{lists/pages,stream/*}.test.ts',
  'test/exchange-live/connection/pool-transport.test.ts',
  'test/web/{accessible,side-words}.test.ts',
  'test/sandbox/load.test.ts',
  'test/sweep/{commands,holdout,kill,out-of-memory,sweep}.test.ts',
  'test/sweep/folds/{fold-commands,fold-processes}.test.ts',
  'test/sandbox/{audit,control,http,stream,vendor}/*.test.ts',
  'test/sandbox/world/kill.test.ts',
  'test/recording/native/line-file.test.ts',
  'test/sandbox-betfair/{faults,market-faults,over-https,simulated-and-real,slow-reader}.test.ts',
  'test/sandbox-betfair/stream/faults.test.ts',
  'test/betfair/open-betfair.test.ts',
  'test/{betfair,sandbox-betfair}/stream/over-tls.test.ts',
  'test/node-versions/*.test.ts',
];

/** Compare with a slow obvious version, or play whole suites: processor time, for which nobody waits at each change. */
export const PROOFS: readonly string[] = [
  'test/betfair/{gateway/every-call,stream/every-message,stream/recorded}.test.ts',
  'test/sandbox-betfair/stream/every-change.test.ts',
  'test/app/{altered-futures,api-reference,backtest-paths,bounds,cookbook-docs,headline-sums,hostile-inputs,hostile-tapes,leaks,object-leaks,pictures,proof-modes,realm-purity,recorded-backtests,small-heap,strategy-docs,zoo}.test.ts',
  'test/app/view/ladders.test.ts',
  'test/{app/fit/fit-cancellations,backtest/market-facts,report/parquet}.test.ts',
  'test/{bench,vopr}/*.test.ts',
  'test/docs/{reference-examples,typescript}.test.ts',
  'test/golden/*.test.ts',
  'test/sweep/{folds/fold-searches,search/tpe,statistics/chance-sweep}.test.ts',
  'test/journal/damage.test.ts',
  'test/matching/recorded-removals.test.ts',
  'test/properties/{fifo-truth,ground-truth,matching-oracle,overlay-laws,overlay-oracle,recorded-laws,recorded-proofs,recorded-run-laws}.test.ts',
  'test/sandbox-betfair/{arrivals,recordings}.test.ts',
  'test/properties/{market-window,remembered-levels,window-pictures}.test.ts',
  'test/research/{chance/{nulls,null-shapes},search/verdict}.test.ts',
  'test/recording/{bz2,damaged-files,every-recording,garbled-tape,import-threads,lines}.test.ts',
];

/** Begin first in their tier, the longest one at the head, so that no processor waits for one of them at the end. */
export const LONGEST: readonly string[] = [
  ...['docs/commands', 'docs/guide', 'app/first-hour/packed', 'sweep/machines'].map((name) => `test/${name}.test.ts`),
  ...['sister-runs', 'daemon', 'faulty-feeds', 'border', 'stalled-stream', 'zoo-live', 'halting'].map(
    (name) => `test/app/live/${name}.test.ts`,
  ),
  'test/app/alerts/daemon-alerts.test.ts',
  'test/app/thread/daemon-stuck.test.ts',
  'test/app/record-command.test.ts',
  'test/app/no-warnings.test.ts',
  'test/app/live-kill/live-kill.test.ts',
  'test/app/thread/backtest-stuck.test.ts',
  'test/vopr/lives.test.ts',
  'test/bench/bench.test.ts',
  'test/properties/recorded-laws.test.ts',
  'test/app/recorded-backtests.test.ts',
];
