/** Mistakes in the block `sweep` of a configuration, each with its place and what is said of it. */

interface Mistake {
  readonly name: string;
  readonly space: readonly string[];
  readonly sweep?: readonly string[];
  readonly config?: readonly string[];
  readonly code?: string;
  readonly at: string;
  readonly says: RegExp;
}

/** A dimension with nothing wrong. */
export const OK = 'params.stop: { from: 1, to: 9, step: 1 }';
const UNKNOWN = 'CONFIG_UNKNOWN_KEY';

export const MISTAKES: readonly Mistake[] = [
  // Of the shape of the block.
  { name: 'no space', space: [], at: '3:9', says: /space must be a map/ },
  { name: 'a dimension that is a word', space: ['params.stop: all'], at: '4:18', says: /\{ values: \[5, 10, 20\] \}/ },
  {
    name: 'neither values nor from',
    space: ['params.stop: { step: 1 }'],
    at: '4:18',
    says: /"from" is missing|must be \{ values/,
  },
  {
    name: 'a key that no dimension has',
    space: ['params.stop: { from: 1, to: 2, steps: 1 }'],
    code: UNKNOWN,
    at: '4:36',
    says: /"steps".*Did you mean step/s,
  },
  { name: 'no values', space: ['params.stop: { values: [] }'], at: '4:28', says: /one at least/ },
  {
    name: 'an unknown scale',
    space: ['params.stop: { from: 1, to: 2, scale: cubic }'],
    at: '4:43',
    says: /linear or log/,
  },
  { name: 'an unknown method', space: [OK], sweep: ['search: annealing'], at: '5:11', says: /tpe, race/ },
  {
    name: 'a method without such an option',
    space: [OK],
    sweep: ['search: { method: grid, seed: 1 }'],
    code: UNKNOWN,
    at: '5:27',
    says: /"seed"/,
  },
  {
    name: 'too many trials',
    space: [OK],
    sweep: ['search: { method: tpe, trials: 0 }'],
    at: '5:34',
    says: /whole number from 1/,
  },
  { name: 'a name that is a path', space: [OK], sweep: ['name: ../x'], at: '5:9', says: /letters, digits/ },
  {
    name: 'an unknown key of the block',
    space: [OK],
    sweep: ['serach: grid'],
    code: UNKNOWN,
    at: '5:3',
    says: /Did you mean search/,
  },
  // Of keys.
  {
    name: 'a key that is no path',
    space: ['"params stop": { values: [1, 2] }'],
    at: '4:20',
    says: /no key of the configuration/,
  },
  {
    name: 'a key that is not in the configuration',
    space: ['latncy.requestMs: { values: [1, 2] }'],
    code: UNKNOWN,
    at: '4:23',
    says: /Did you mean latency/,
  },
  {
    name: 'a key that a block does not have',
    space: ['limits.ordr: { values: [1, 2] }'],
    code: UNKNOWN,
    at: '4:18',
    says: /Did you mean order/,
  },
  {
    name: 'a param that the strategy does not have',
    space: ['params.stp: { values: [1, 2] }'],
    code: UNKNOWN,
    at: '4:17',
    says: /stake, open, stop.*Did you mean stop/s,
  },
  {
    name: 'a strategy that is not there',
    space: ['strategies[1].params.stop: { values: [1, 2] }'],
    at: '4:32',
    says: /no strategies\[1\].*1 strategy/s,
  },
  {
    name: 'the file of a strategy',
    space: ['strategies[0].file: { values: [a.ts, b.ts] }'],
    at: '4:25',
    says: /one sweep for each strategy file/,
  },
  { name: 'where files are written', space: ['out: { values: [a, b] }'], at: '4:10', says: /cannot vary/ },
  { name: 'other recordings', space: ['tapes: { values: [[a.tape], [b.tape]] }'], at: '4:12', says: /same recordings/ },
  { name: 'the sweep itself', space: ['sweep.name: { values: [a, b] }'], at: '4:17', says: /cannot vary/ },
  {
    name: 'one key in two ways',
    space: [OK, 'strategies[0].params.stop: { values: [1, 2] }'],
    at: '5:32',
    says: /same part/,
  },
  {
    name: 'a key and a part of it',
    space: ['latency.requestMs.p50: { values: [1, 2] }', 'latency.requestMs: { values: [1, 2] }'],
    at: '5:24',
    says: /same part/,
  },
  // Of ranges.
  {
    name: 'an empty range',
    space: ['params.stop: { from: 9, to: 1, step: 1 }'],
    at: '4:18',
    says: /empty.*from 9 to 1.*Swap/s,
  },
  {
    name: 'a range of one value',
    space: ['params.stop: { from: 2, to: 2, step: 1 }'],
    at: '4:18',
    says: /empty.*belongs into the configuration/s,
  },
  {
    name: 'a range that goes down',
    space: ['params.stop: { from: 9, to: 1, step: -1 }'],
    at: '4:18',
    says: /Ranges go up/,
  },
  {
    name: 'a step of the wrong sign',
    space: ['params.stop: { from: 1, to: 9, step: -1 }'],
    at: '4:42',
    says: /above 0/,
  },
  { name: 'a step of nothing', space: ['params.stop: { from: 1, to: 9, step: 0 }'], at: '4:42', says: /above 0/ },
  {
    name: 'a step wider than the range',
    space: ['params.stop: { from: 1, to: 9, step: 10 }'],
    at: '4:42',
    says: /wider than its range/,
  },
  {
    name: 'a step that is too fine',
    space: ['params.target: { from: 1, to: 9, step: 1e-12 }'],
    at: '4:44',
    says: /too fine/,
  },
  {
    name: 'a step in another unit',
    space: ['params.open: { from: 1m, to: 9m, step: 1 }'],
    at: '4:44',
    says: /duration such as 30s/,
  },
  {
    name: 'a step that is a word',
    space: ['params.stop: { from: 1, to: 9, step: big }'],
    at: '4:42',
    says: /a number, tick/,
  },
  {
    name: 'ends in two units',
    space: ['params.open: { from: 1, to: 9m, step: 1m }'],
    at: '4:33',
    says: /one in durations/,
  },
  {
    name: 'an end that is a word',
    space: ['params.open: { from: start, to: 9m }'],
    at: '4:26',
    says: /"start".*as a list/s,
  },
  {
    name: 'half a millisecond',
    space: ['params.open: { from: 0.5ms, to: 9ms }'],
    at: '4:26',
    says: /whole milliseconds/,
  },
  {
    name: 'half a millisecond as a step',
    space: ['params.open: { from: 1ms, to: 9ms, step: 0.5ms }'],
    at: '4:46',
    says: /whole milliseconds/,
  },
  { name: 'a log scale from 0', space: ['params.target: { from: 0, to: 9, scale: log }'], at: '4:28', says: /above 0/ },
  {
    name: 'ticks between what is no price',
    space: ['params.odds: { from: 2.005, to: 3, step: tick }'],
    at: '4:26',
    says: /price of the ladder/,
  },
  {
    name: 'ticks on a log scale',
    space: ['params.odds: { from: 2, to: 3, step: tick, scale: log }'],
    at: '4:55',
    says: /no scale/,
  },
  {
    name: 'more ticks than the range has',
    space: ['params.odds: { from: 2, to: 2.1, step: 50 ticks }'],
    at: '4:44',
    says: /within its range/,
  },
  { name: 'a value twice', space: ['params.stop: { values: [1, 2, 1] }'], at: '4:35', says: /1 twice/ },
  {
    name: 'one number in two ways',
    space: ['params.target: { values: [1.0, 2, 1] }'],
    at: '4:39',
    says: /1 twice.*value 1, 1:/s,
  },
  { name: 'a number and its text', space: ['params.target: { values: [2, "2.0"] }'], at: '4:34', says: /2\.0 twice/ },
  { name: 'one duration in two units', space: ['params.open: { values: [60s, 1m] }'], at: '4:34', says: /1m twice/ },
  { name: 'a flag and its word', space: ['params.hedge: { values: [true, "true"] }'], at: '4:36', says: /true twice/ },
  { name: 'a text and its number', space: ['params.label: { values: [7, "7"] }'], at: '4:33', says: /7 twice/ },
  {
    name: 'a map in another order',
    space: ['latency: { values: [{ requestMs: 5, responseMs: 2 }, { responseMs: 2, requestMs: 5 }] }'],
    at: '4:58',
    says: /twice.*the same as value 1/s,
  },
  // Of values, judged by what they set.
  {
    name: 'a param out of its range',
    space: ['params.stop: { values: [1, 51] }'],
    at: '4:32',
    says: /51.*whole number from 1 to 50/s,
  },
  {
    name: 'a param whose range ends beyond',
    space: ['params.stop: { from: 1, to: 99, step: 1 }'],
    at: '4:33',
    says: /99/,
  },
  {
    name: 'a param whose steps are fractions',
    space: ['params.stop: { from: 1, to: 3, step: 0.5 }'],
    at: '4:42',
    says: /1\.5.*whole number/s,
  },
  {
    name: 'a whole number out of a range',
    space: ['params.stop: { from: 1, to: 3 }'],
    sweep: ['search: random'],
    at: '4:18',
    says: /whole number.*step that leads to allowed/s,
  },
  {
    name: 'a duration beyond its limit',
    space: ['params.open: { from: 1m, to: 1h, step: 1m }'],
    at: '4:34',
    says: /1h.*at most 30m/s,
  },
  {
    name: 'a stake of four decimals',
    space: ['params.stake: { from: 1, to: 2, step: 0.0005 }'],
    at: '4:43',
    says: /three decimals/,
  },
  {
    name: 'a price off the ladder',
    space: ['params.odds: { from: 2, to: 3, step: 0.001 }'],
    at: '4:42',
    says: /ladder price/,
  },
  {
    name: 'a word of no choice',
    space: ['params.mode: { values: [calm, mad] }'],
    at: '4:35',
    says: /one of calm, wild/,
  },
  {
    name: 'a latency that is none',
    space: ['latency.requestMs: { values: [80, -1] }'],
    at: '4:39',
    says: /requestMs must be milliseconds.*-1/s,
  },
  {
    name: 'a word that the key does not have',
    space: ['fillRules.cancellations: { values: [pro-rata, front] }'],
    at: '4:51',
    says: /pro-rata, ahead, behind/,
  },
  {
    name: 'a wallet that is not there',
    space: ['strategies[0].wallet: { values: [main, other] }'],
    at: '4:44',
    says: /no wallet named "other"/,
  },
  {
    name: 'a spread that is upside down',
    space: ['latency.requestMs.p50: { values: [80, 500] }'],
    config: ['latency: { requestMs: { p50: 80, p99: 400 } }'],
    at: '4:43',
    says: /p99 of at least p50/,
  },
  // Of the condition.
  {
    name: 'a condition that is no expression',
    space: [OK],
    sweep: ['where: params.stop >'],
    at: '5:10',
    says: /cannot be used.*Expected expression after >/s,
  },
  {
    name: 'a condition of an unknown key',
    space: [OK],
    sweep: ['where: params.stp > 2'],
    at: '5:10',
    says: /Did you mean params.stop/,
  },
  {
    name: 'a condition on a list',
    space: [OK],
    sweep: ['where: tapes == 2'],
    at: '5:10',
    says: /nor one value of the configuration/,
  },
  {
    name: 'a condition that is a number',
    space: [OK],
    sweep: ['where: params.stop * 2'],
    at: '5:10',
    says: /It is a number, not a condition/,
  },
  {
    name: 'a chain of comparisons',
    space: [OK],
    sweep: ['where: 1 < params.stop < 5'],
    at: '5:10',
    says: /a < b and b < c/,
  },
  {
    name: 'not before a number',
    space: [OK],
    sweep: ['where: not params.stop > 5'],
    at: '5:10',
    says: /not \(a > b\)/,
  },
  {
    name: 'a text that is compared with a number',
    space: [OK],
    sweep: ['where: params.mode > 5'],
    at: '5:10',
    says: /number is wanted by >/,
  },
  { name: 'an assignment', space: [OK], sweep: ['where: params.stop = 5'], at: '5:10', says: /Unexpected/ },
  {
    name: 'a function of another kind',
    space: [OK],
    sweep: ['where: sqrt(params.stop) > 5'],
    at: '5:10',
    says: /min, max and abs/,
  },
  { name: 'code', space: [OK], sweep: ['where: process.exit(1)'], at: '5:10', says: /min, max and abs/ },
  {
    name: 'two conditions in a row',
    space: [OK],
    sweep: ['where: params.stop > 5, params.stop > 6'],
    at: '5:10',
    says: /more than one expression|may have/,
  },
  {
    name: 'a condition that no point fulfils',
    space: [OK],
    sweep: ['where: params.stop > 9'],
    at: '5:10',
    says: /All 9 points were tried/,
  },
  {
    name: 'one that no point of a large space fulfils',
    space: ['params.target: { from: 1, to: 9 }'],
    sweep: ['search: random', 'where: params.target > 9'],
    at: '6:10',
    says: /100000 random points/,
  },
  {
    name: 'a grid over a range',
    space: ['params.target: { from: 1, to: 9 }'],
    sweep: ['search: grid'],
    at: '4:20',
    says: /grid.*step/s,
  },
];
