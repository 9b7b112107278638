/** What data/MANIFEST.md leads one to expect of each recording; typed here so that a changed importer cannot agree with itself. */

export interface Expected {
  readonly file: string;
  /** Updates in the file: the manifest's count. */
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

const ODDS = 'ODDS';

// prettier-ignore
export const EXPECTED: readonly Expected[] = [
  { file: 'betfair_parser__1.127236622.bz2', updates: 16096, imported: 16096, markets: 1, bettingType: ODDS, grade: 'A', winners: 1 },
  { file: 'betfair_parser__1.185781277.bz2', updates: 7600, imported: 7600, markets: 1, bettingType: ODDS, grade: 'A', winners: 1, removed: 3 },
  { file: 'betfair_parser__1.205822330.bz2', updates: 5654, imported: 5654, markets: 1, bettingType: ODDS, grade: 'A', winners: 3, removed: 3 },
  { file: 'betfair_parser__1.242971311.bz2', updates: 2821, imported: 1736, markets: 1, bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE', grade: 'A-', winners: 0, refusal: /^ASIAN_HANDICAP_DOUBLE_LINE/ },
  { file: 'betfair-adapter-rs__29788105', updates: 11111, imported: 11111, markets: 1, bettingType: ODDS, grade: 'A', winners: 1 },
  { file: 'betfair-adapter-rs__29788457', updates: 8397, imported: 8397, markets: 4, bettingType: ODDS, grade: 'A', winners: 1 },
  { file: 'flumine__BASIC-1.132153978.gz', updates: 480, imported: 480, markets: 1, bettingType: ODDS, grade: 'C', winners: 1, removed: 2 },
  { file: 'nautilus__1-166811431.bz2', updates: 11357, imported: 11357, markets: 1, bettingType: ODDS, grade: 'A', winners: 1 },
  { file: 'nautilus__1-206064380.bz2', updates: 18793, imported: 18793, markets: 1, bettingType: ODDS, grade: 'A', winners: 1, removed: 1 },
  { file: 'kelvinvail__MarketStream.a.txt', updates: 8211, imported: 8211, markets: 1, bettingType: ODDS, grade: 'A', winners: 1 },
  { file: 'mzaja-betfair-database__1.214870442.zip', updates: 421, imported: 421, markets: 1, bettingType: ODDS, grade: 'A', winners: 1 },
  { file: 'mzaja-betfair-database__1.230478683.bz2', updates: 396, imported: 396, markets: 1, bettingType: ODDS, grade: 'C', winners: 5, removed: 2 },
  { file: 'mzaja-betfair-database__1.209492553', updates: 18, imported: 0, markets: 0, bettingType: '', grade: '', failure: 'NO_DEFINITION' },
  { file: 'betfairlightweight__RECORDED-1.173718164', updates: 3, imported: 3, markets: 1, bettingType: ODDS, grade: 'A', winners: 0, refusal: /^NO_RUNNERS/, failure: 'BAD_LINE' },
  { file: 'corrupt__1.206063952.gz', updates: 1351, imported: 1351, markets: 1, bettingType: ODDS, grade: 'A', winners: 0, removed: 1, failure: 'BAD_LINE' },
  { file: 'profitbox__self_recorded__1.248776885.jsonl.gz', updates: 14231, imported: 7706, markets: 1, bettingType: 'LINE', grade: 'A', winners: 1, refusal: /^LINE/ },
  { file: 'profitbox__self_recorded__1.248821929.jsonl.gz', updates: 7619, imported: 7388, markets: 1, bettingType: ODDS, grade: 'A', winners: 1 },
  { file: 'profitbox__ADVANCED__1.231172884.bz2', updates: 36831, imported: 36831, markets: 1, bettingType: ODDS, grade: 'B', winners: 1 },
  { file: 'profitbox__ADVANCED__1.231174262.bz2', updates: 13870, imported: 13870, markets: 1, bettingType: ODDS, grade: 'B', winners: 1 },
  { file: 'profitbox__ADVANCED__1.231241311.bz2', updates: 13114, imported: 13114, markets: 1, bettingType: ODDS, grade: 'B', winners: 1 },
  { file: 'profitbox__ADVANCED__1.231242812.bz2', updates: 17444, imported: 17444, markets: 1, bettingType: ODDS, grade: 'B', winners: 1 },
  { file: 'profitbox__ADVANCED__1.231242248.bz2', updates: 9914, imported: 9914, markets: 1, bettingType: ODDS, grade: 'B', winners: 0, removed: 2, voided: true },
  { file: 'profitbox__ADVANCED__1.231480071.bz2', updates: 93811, imported: 93811, markets: 1, bettingType: ODDS, grade: 'B', winners: 1 },
  { file: 'profitbox__BASIC__1.231174264.bz2', updates: 103, imported: 103, markets: 1, bettingType: ODDS, grade: 'C', winners: 1 },
  { file: 'profitbox__BASIC__1.231174271.bz2', updates: 36, imported: 36, markets: 1, bettingType: 'ASIAN_HANDICAP_SINGLE_LINE', grade: 'C', winners: 24, refusal: /^ASIAN_HANDICAP_SINGLE_LINE/ },
  { file: 'profitbox__BASIC__1.231242249.bz2', updates: 145, imported: 145, markets: 1, bettingType: ODDS, grade: 'C', winners: 1 },
];
