/**
 * Which tests a change waits for. What is in neither list is fast: no process, no socket, no proof by thousands of seeds
 * (`npm run test:fast`). `test/tidy.test.ts` finds a fast test that starts a process or opens a socket.
 */

/** Start processes, open sockets or browsers: most of their time is waiting. Globs from the project's root. */
export const PROCESSES: readonly string[] = [
  ...[
    'bad-paths',
    'client-docs',
    'library-docs',
    'no-warnings',
    'node-check',
    'paper-run',
    'record-command',
    'recorded-backtests',
  ].map((name) => `test/app/${name}.test.ts`),
  ...['sandbox-command', 'small-heap', 'strategy-place', 'strategy-realm', 'unwritten-results', 'zoo'].map(
    (name) => `test/app/${name}.test.ts`,
  ),
  'test/app/{live,live-kill,thread}/*.test.ts',
  'test/{bench,coverage,tour,vopr}/*.test.ts',
  'test/journal/{journal-full,journal-lock,kill}.test.ts',
  'test/matching/recorded-removals.test.ts',
  'test/properties/recorded-laws.test.ts',
  'test/recording/{bz2,damaged-files,every-recording,import-threads,tape-target,unread-source}.test.ts',
  'test/report/html.test.ts',
  'test/betdex/client/{every-endpoint,secrets,wire-faults}.test.ts',
  'test/betdex/{lists/pages,stream/*}.test.ts',
  'test/exchange-live/connection/pool-transport.test.ts',
  'test/sandbox/load.test.ts',
  'test/sandbox/{audit,control,http,stream,vendor}/*.test.ts',
  'test/sandbox/world/kill.test.ts',
];

/** Compare with a slow obvious version, or play whole suites: processor time, and nobody waits for them at each change. */
export const PROOFS: readonly string[] = [
  'test/app/{backtest-paths,bounds,hostile-tapes,leaks}.test.ts',
  'test/conformance/gateway.test.ts',
  'test/golden/*.test.ts',
  'test/journal/damage.test.ts',
  'test/properties/{ground-truth,matching-oracle,overlay-laws,overlay-oracle,recorded-run-laws}.test.ts',
  'test/recording/garbled-tape.test.ts',
];
