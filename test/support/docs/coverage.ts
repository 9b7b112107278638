/**
 * How each block of code in the documents is tried. Without an entry here: TypeScript is type-checked, YAML is read by the configuration's
 * reader, commands are run in a clone with a sandbox, and output is compared with what the commands before it print.
 */

/** Documents whose commands a test of their own runs from the first to the last. */
export const RUN_BY: Readonly<Record<string, string>> = {
  'docs/sandbox-tour.md': 'test/tour/sandbox-tour.test.ts',
  'docs/cookbook.md': 'test/app/cookbook-docs.test.ts',
  'docs/guide.md': 'test/docs/guide.test.ts',
};

interface NotRun {
  readonly document: string;
  /** A part of the block's text. */
  readonly text: string;
  readonly why: string;
  /** A test that tries the same in another way. */
  readonly by?: string;
  /** A document whose commands are run, and which has each of these. */
  readonly sameAs?: string;
}

/** Commands that cannot be run as they stand: what oddsmith gets of them is read by its option parser. */
export const COMMANDS_NOT_RUN: readonly NotRun[] = [
  { document: 'README.md', text: 'npm ci && npm test', why: 'it is what runs this test' },
  { document: 'README.md', text: 'init ../my-bot', why: 'they are run once', sameAs: 'docs/guide.md' },
  { document: 'docs/sandbox.md', text: 'sandbox --crowd', why: 'they are run once', sameAs: 'docs/operations.md' },
  {
    ...{ document: 'docs/backtest.md', text: '--prove-instants 5' },
    ...{ why: 'it takes as long as all others of the page', by: 'test/app/proof-modes.test.ts' },
  },
  {
    ...{ document: 'docs/exchange-adapter.md', text: 'npx vitest run test/another' },
    ...{ why: 'the folder is the one that the reader writes', by: 'test/app/adapter-docs.test.ts' },
  },
  {
    ...{ document: 'docs/monitoring.md', text: 'oddsmith alert test config/live.yaml' },
    ...{ why: 'it sends messages to services in the net', by: 'test/app/alerts/alert-command.test.ts' },
  },
  {
    ...{ document: 'docs/operations.md', text: 'npm install --global .' },
    ...{ why: 'it builds anew and installs for the whole machine', by: 'test/app/first-hour/packed.test.ts' },
  },
  {
    ...{ document: 'docs/operations.md', text: 'sudo systemctl enable --now oddsmith@main' },
    ...{ why: 'it needs root and systemd', by: 'test/app/live/systemd.test.ts' },
  },
  {
    ...{ document: 'docs/own-project.md', text: 'npm pack' },
    ...{ why: 'these steps are a test of their own', by: 'test/app/first-hour/packed.test.ts' },
  },
  {
    ...{ document: 'docs/record.md', text: 'import betfair tapes/native other/native' },
    ...{ why: 'it needs two recorders', by: 'test/recording/native/native-recorder.test.ts' },
  },
  {
    ...{ document: 'docs/sweep.md', text: 'oddsmith sweep holdout DIR' },
    ...{ why: 'it names no directory that there is', by: 'test/sweep/holdout.test.ts' },
  },
  {
    ...{ document: 'docs/scaling.md', text: 'npm install oddsmith bullmq@6 ioredis@6' },
    ...{ why: 'it downloads packages' },
  },
  { document: 'docs/scaling.md', text: 'redis-server', why: 'it needs a Redis', by: 'test/sweep/queue/queue.test.ts' },
  {
    ...{ document: 'docs/scaling.md', text: 'oddsmith sweep config/sweep.yaml --engine bullmq' },
    ...{ why: 'it needs a Redis on another machine', by: 'test/sweep/queue/queue.test.ts' },
  },
  {
    ...{ document: 'docs/scaling.md', text: 'oddsmith worker --jobs 8' },
    ...{ why: 'it needs a Redis on another machine', by: 'test/sweep/machines.test.ts' },
  },
  {
    ...{ document: 'docs/betfair-sandbox.md', text: 'python3 bot.py' },
    ...{ why: 'it needs flumine', by: 'test/app/sandbox-exec.test.ts' },
  },
  {
    ...{ document: 'docs/betfair-sandbox.md', text: 'the-printed-control-key' },
    ...{ why: 'its key is of one run', by: 'test/sandbox-betfair/faults.test.ts' },
  },
  {
    ...{ document: 'docs/betfair-sandbox.md', text: '--replay lost.log' },
    ...{ why: 'it needs flumine', by: 'test/app/sandbox-arrivals.test.ts' },
  },
  { document: 'docs/scaling.md', text: 'sbatch', why: 'it needs Slurm', by: 'test/sweep/machines.test.ts' },
];

/** Blocks in other languages, and output that is not compared with what the commands before it print. */
export const NOT_COMPARED: readonly NotRun[] = [
  {
    ...{ document: 'docs/backtest.md', text: 'SELECT o.strategy' },
    ...{ why: 'it needs DuckDB: its columns are looked for', by: 'test/docs/blocks.test.ts' },
  },
  {
    ...{ document: 'docs/backtest.md', text: 'pl.read_parquet' },
    ...{ why: 'it needs polars: its columns are looked for', by: 'test/docs/blocks.test.ts' },
  },
  {
    ...{ document: 'docs/sweep.md', text: "FROM 'trials.parquet'" },
    ...{ why: 'it needs DuckDB', by: 'test/sweep/commands.test.ts' },
  },
  { document: 'docs/betfair-sandbox.md', text: 'class BackFirst', why: 'it needs flumine' },
  {
    ...{ document: 'docs/betfair-sandbox.md', text: '5 bets of 20.00' },
    ...{ why: 'a run with flumine', by: 'test/sandbox-betfair/verdict.test.ts' },
  },
  { document: 'docs/from-flumine.md', text: 'class BackFavourite', why: "it is flumine's own code" },
  {
    ...{ document: 'docs/dashboard.md', text: '#link=' },
    ...{ why: 'a line of the log of a run', by: 'test/app/dashboard/page.test.ts' },
  },
  {
    ...{ document: 'docs/monitoring.md', text: 'webhook   failed' },
    ...{ why: 'what services in the net answer', by: 'test/app/alerts/alert-command.test.ts' },
  },
  {
    ...{ document: 'docs/monitoring.md', text: 'scrape_configs' },
    ...{ why: 'a configuration of Prometheus', by: 'test/app/alerts/monitoring-docs.test.ts' },
  },
  {
    ...{ document: 'docs/own-project.md', text: 'why it does not trade' },
    ...{ why: 'what three bots showed after weeks', by: 'test/app/live/bots.test.ts' },
  },
  {
    ...{ document: 'docs/parity.md', text: '515 differences' },
    ...{ why: 'a run of the past', by: 'test/app/parity/paper-parity.test.ts' },
  },
  {
    ...{ document: 'docs/parity.md', text: 'orders of the run rested' },
    ...{ why: 'a run of the past', by: 'test/app/fit/fit-command.test.ts' },
  },
];

/** What a clone has in the place of what a document names: [in the document, here]. */
export const IN_THE_PLACE_OF: readonly (readonly [RegExp, string])[] = [
  [/\b(ODDSMITH_\w+)=…/g, '$1="$$$1"'],
  [/\bRECORDINGS\b/g, '../oddsmith/recordings'],
  [/\bsandbox --crowd(?! --port)/g, 'sandbox --crowd --port 0'],
  [/--port (8650|946\d)/g, '--port 0'],
  [/--host 0\.0\.0\.0/g, '--host 127.0.0.1'],
  [/--host 0\.0\.0\.0/g, '--host 127.0.0.1'],
  [/\bruns\/backtest-1-(?:…|[0-9a-f]{10})/g, '$(ls -d runs/backtest-1-* | head -n 1)'],
  [/\bview (?=\$|runs\/)/g, '$&--port 0 '],
  [/\btapes\/2026-11-20\.tape/g, 'tapes/*.tape'],
  [/\bdata\/2026\.tape/g, 'backtest/sample.tape'],
  [/\bstrategies\/another\.ts/g, 'strategies/my-strategy.ts'],
];

/** What goes on until it is ended, and what it says once it is ready. */
export const SERVERS: readonly { readonly words: readonly string[]; readonly ready: RegExp }[] = [
  { words: ['sandbox'], ready: /Ctrl-C ends it/ },
  { words: ['record'], ready: /recording onto/ },
  { words: ['run'], ready: /arming → trading/ },
  { words: ['tape', 'serve'], ready: /Ctrl-C ends it/ },
  { words: ['dashboard'], ready: /Ctrl-C ends it/ },
  { words: ['view'], ready: /Ctrl-C ends it/ },
];

/** What a new block asks for, at the end of each message about one that nothing tries. */
export const WHAT_TO_DO = `A new block of a document is tried by itself: \`\`\`sh (each line is run in a clone with recordings and a sandbox), \`\`\`text below it (compared with
what these lines print), \`\`\`ts (a whole module, or lines of a file in strategies/), \`\`\`yaml (read as the configuration of a backtest, a sweep, a run or a recording).
What cannot be tried so stands in test/support/docs/coverage.ts with the reason, and with the test that tries it in another way.`;
