/** What data/MANIFEST.md leads one to expect of each recording; typed here so that a changed importer cannot agree with itself. */

export interface Expected {
  readonly file: string;
  /** Updates in the file: the manifest's count, less what a message says of a market in more than one `mc` entry or line. */
  readonly updates: number;
  /** Of those, the updates that reach the tape. */
  readonly imported: number;
  readonly markets: number;
  readonly bettingType: string;
  readonly grade: string;
  readonly winners?: number;
  readonly removed?: number;
  readonly voided?: boolean;
  /** Why the odds simulator refuses it, or why the importer does. */
  readonly refusal?: RegExp;
  readonly failure?: string;
}

export const EXPECTED: readonly Expected[] = [
  expected('betfair_parser__1.127236622.bz2', 16093, 'A', { winners: 1 }),
  expected('betfair_parser__1.185781277.bz2', 7600, 'A', { winners: 1, removed: 3 }),
  expected('betfair_parser__1.205822330.bz2', 5649, 'A', { winners: 3, removed: 3 }),
  expected('betfair_parser__1.242971311.bz2', 2821, 'A-', {
    imported: 1736,
    bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE',
    winners: 0,
    refusal: /^ASIAN_HANDICAP_DOUBLE_LINE/,
  }),
  expected('betfair-adapter-rs__29788105', 11110, 'A', { winners: 1 }),
  expected('betfair-adapter-rs__29788457', 8391, 'A', { markets: 4, winners: 1 }),
  expected('flumine__BASIC-1.132153978.gz', 480, 'C', { winners: 1, removed: 2 }),
  expected('nautilus__1-166811431.bz2', 11356, 'A', { winners: 1 }),
  expected('nautilus__1-206064380.bz2', 18789, 'A', { winners: 1, removed: 1 }),
  expected('kelvinvail__MarketStream.a.txt', 8211, 'A', { winners: 1 }),
  expected('mzaja-betfair-database__1.214870442.zip', 421, 'A', { winners: 1 }),
  expected('mzaja-betfair-database__1.230478683.bz2', 396, 'C', { winners: 5, removed: 2 }),
  expected('mzaja-betfair-database__1.209492553', 18, '', {
    imported: 0,
    markets: 0,
    bettingType: '',
    failure: 'NO_DEFINITION',
  }),
  expected('betfairlightweight__RECORDED-1.173718164', 3, 'A', {
    winners: 0,
    refusal: /^NO_RUNNERS/,
    failure: 'BAD_LINE',
  }),
  expected('corrupt__1.206063952.gz', 1350, 'A', { winners: 0, removed: 1, failure: 'BAD_LINE' }),
  expected('profitbox__self_recorded__1.248776885.jsonl.gz', 14231, 'A', {
    imported: 7706,
    bettingType: 'LINE',
    winners: 1,
    refusal: /^LINE/,
  }),
  expected('profitbox__self_recorded__1.248821929.jsonl.gz', 7619, 'A', { imported: 7388, winners: 1 }),
  expected('profitbox__ADVANCED__1.231172884.bz2', 36831, 'B', { winners: 1 }),
  expected('profitbox__ADVANCED__1.231174262.bz2', 13870, 'B', { winners: 1 }),
  expected('profitbox__ADVANCED__1.231241311.bz2', 13114, 'B', { winners: 1 }),
  expected('profitbox__ADVANCED__1.231242812.bz2', 17444, 'B', { winners: 1 }),
  expected('profitbox__ADVANCED__1.231242248.bz2', 9914, 'B', { winners: 0, removed: 2, voided: true }),
  expected('profitbox__ADVANCED__1.231480071.bz2', 93811, 'B', { winners: 1 }),
  expected('profitbox__BASIC__1.231174264.bz2', 103, 'C', { winners: 1 }),
  expected('profitbox__BASIC__1.231174271.bz2', 36, 'C', {
    bettingType: 'ASIAN_HANDICAP_SINGLE_LINE',
    winners: 24,
    refusal: /^ASIAN_HANDICAP_SINGLE_LINE/,
  }),
  expected('profitbox__BASIC__1.231242249.bz2', 145, 'C', { winners: 1 }),
];

/** One market of odds whose updates all reach the tape, but for what is said otherwise. */
function expected(file: string, updates: number, grade: string, more: Partial<Expected> = {}): Expected {
  return { file, updates, imported: updates, markets: 1, bettingType: 'ODDS', grade, ...more };
}
