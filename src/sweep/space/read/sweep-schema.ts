/** The configuration of a sweep: that of a backtest, with one block more. */

import { type Static, Type } from '@sinclair/typebox';
import { BacktestConfigSchema } from '../../../backtest/options/backtest-schema.ts';
import { closed, Whole } from '../../../backtest/options/fields.ts';

/** One of several words. A wrong one has an error of its own; alternatives of literals would have that of the whole map around it. */
function oneOf<const T extends string>(names: readonly T[], title: string, description: string) {
  return Type.Optional(Type.Unsafe<T>({ type: 'string', enum: names, title, description }));
}

const Quantity = (description: string) =>
  Type.Union([Type.Number(), Type.String({ minLength: 1 })], {
    title: 'a number, or a duration such as 90s or -10m',
    description,
  });

const DimensionBlock = Type.Union(
  [
    Type.Object(
      {
        values: Type.Array(Type.Unknown(), { minItems: 1, title: 'a list of values, one at least' }),
        ordered: Type.Optional(
          Type.Boolean({
            title: 'true or false',
            description: 'Neighbours in the list are near in effect; so it is for rising or falling numbers anyhow.',
          }),
        ),
      },
      { ...closed, title: '{ values: […] }' },
    ),
    Type.Object(
      {
        from: Quantity('The first value.'),
        to: Quantity('No value is beyond it.'),
        step: Type.Optional(
          Type.Union([Type.Number(), Type.String({ minLength: 1 })], {
            title: 'a number, a duration, tick, or 5 ticks',
            description: 'From each value to the next; without it every number of the range can come.',
          }),
        ),
        scale: oneOf(['linear', 'log'], 'linear or log', 'log: equal ratios are equally likely.'),
      },
      { ...closed, title: '{ from, to, step, scale }' },
    ),
  ],
  { title: '{ values: [5, 10, 20] }, or { from: 1, to: 10, step: 1 }' },
);

export type DimensionConfig = Static<typeof DimensionBlock>;

const Optional = (description: string, range: { readonly min: number; readonly max: number }) =>
  Type.Optional(Whole(description, range));

const trials = Optional('How many trials are proposed at most.', { min: 1, max: 10_000_000 });
const generation = Optional('Trials that are proposed at once; the next ones wait for all of them.', {
  min: 1,
  max: 100_000,
});
const seed = Optional('The seed of all chance in the search.', { min: 0, max: 4_294_967_295 });
const Share = (description: string) =>
  Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 0.5, title: 'a number above 0, at most 0.5', description }),
  );

const SAMPLES = ['random', 'sobol', 'latin-hypercube'] as const;
const METHODS = ['grid', ...SAMPLES, 'tpe', 'race'] as const;
const word = (name: (typeof METHODS)[number]) => Type.Literal(name);

const SearchBlock = Type.Union(
  [
    ...METHODS.map(word),
    Type.Object({ method: Type.Literal('grid'), trials, generation }, closed),
    Type.Object({ method: Type.Literal('random'), trials, generation, seed }, closed),
    Type.Object(
      {
        method: Type.Literal('sobol'),
        trials,
        generation,
        seed,
        scramble: Type.Optional(
          Type.Boolean({
            title: 'true or false',
            description: 'Shift the points by the seed; else they are the published ones.',
          }),
        ),
      },
      closed,
    ),
    Type.Object({ method: Type.Literal('latin-hypercube'), trials, generation, seed }, closed),
    Type.Object(
      {
        method: Type.Literal('tpe'),
        trials,
        generation,
        seed,
        startup: Optional('Trials from a Sobol sequence before the first model.', { min: 2, max: 10_000 }),
        candidates: Optional('Points drawn of which the best is proposed.', { min: 1, max: 10_000 }),
        good: Share('The share of trials, at most 25 of them, whose neighbourhood is searched.'),
      },
      closed,
    ),
    Type.Object(
      {
        method: Type.Literal('race'),
        trials,
        seed,
        start: oneOf(['grid', ...SAMPLES], `one of grid, ${SAMPLES.join(', ')}`, 'Which points start.'),
        events: Optional('Event groups of the first round.', { min: 5, max: 1_000_000 }),
        factor: Type.Optional(
          Type.Number({
            minimum: 1.1,
            maximum: 100,
            title: 'a number from 1.1 to 100',
            description: 'How many times more event groups each later round plays.',
          }),
        ),
        alpha: Share('The error of a round, over all its comparisons.'),
      },
      closed,
    ),
  ],
  {
    title: `one of ${METHODS.join(', ')}, or a map such as { method: tpe, trials: 200 }`,
    description: 'How points of the space are chosen; docs/sweep.md says which when.',
    default: 'grid',
  },
);

export type SearchConfig = Static<typeof SearchBlock>;

const ObjectiveBlock = Type.Union(
  [
    Type.String({ minLength: 1 }),
    Type.Object(
      {
        figure: Type.String({ minLength: 1, title: 'the name of a figure', description: 'A figure of the result.' }),
        bound: oneOf(
          ['pessimistic', 'central', 'optimistic'],
          'pessimistic, central or optimistic',
          'At which bound of the fills.',
        ),
        goal: oneOf(['maximize', 'minimize'], 'maximize or minimize', 'Whether more or less of it is better.'),
        per: oneOf(
          ['run', 'event'],
          'run or event',
          'run: the whole figure; event: divided by the number of event groups.',
        ),
      },
      closed,
    ),
  ],
  {
    title: 'a figure such as profitNet, or { figure, bound, goal, per }',
    description: 'What the search makes as good as it can.',
    default: 'profitNet',
  },
);

const ConstraintsBlock = Type.Record(
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      min: Type.Optional(
        Type.Number({ title: 'a number', description: 'A trial whose figure is below has no value.' }),
      ),
      max: Type.Optional(
        Type.Number({ title: 'a number', description: 'A trial whose figure is above has no value.' }),
      ),
    },
    { ...closed, title: '{ min, max }' },
  ),
  {
    title: 'a map such as { ordersMatched: { min: 30 }, drawdownMax: { max: 100 } }',
    description:
      'What a trial must fulfil to be the best, by figures; ordersMatched: { min: 30 } and eventsBet: { min: 10 } hold unless they are set otherwise here.',
  },
);

const HoldoutBlock = Type.Object(
  {
    from: Type.String({
      minLength: 1,
      title: 'a day such as 2026-09-01, or an instant such as 2026-09-01T12:00:00Z',
      description: 'Event groups that start then or later (UTC) are kept back.',
    }),
  },
  {
    ...closed,
    title: '{ from: 2026-09-01 }',
    description: 'Events that no search sees: they are played once you open them, and each opening is counted.',
  },
);

const Time = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, title: 'a duration such as 1d, 12h or 30m', description }));

const foldCount = Whole('How many folds.', { min: 2, max: 1_000 });
const purge = Time(
  'Events that were under way so shortly before or after those that a fold is judged on are left out.',
);
const embargo = Time('So are events that start so shortly after them.');

const FoldsBlock = Type.Union(
  [
    Type.Object(
      {
        method: Type.Literal('walk-forward'),
        count: foldCount,
        train: Time('How far back a fold looks; to the first event where it is left out.'),
        purge,
        embargo,
      },
      closed,
    ),
    Type.Object({ method: Type.Literal('k-fold'), count: foldCount, purge, embargo }, closed),
  ],
  {
    title: '{ method: walk-forward, count: 5, purge: 1d }, or one with method: k-fold',
    description:
      'The best trial of some events is judged on others, fold by fold; with tpe and race, and with isolate: none and strategy, each fold has a search of its own.',
  },
);

const SweepBlock = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
        title: 'a name of letters, digits, dots and dashes',
        description: "The sweep's directory is called so; the file's name where it is left out.",
      }),
    ),
    out: Type.String({
      minLength: 1,
      title: 'a path',
      description: 'Where the directory of the sweep is made.',
      default: 'sweeps/',
    }),
    space: Type.Record(Type.String(), DimensionBlock, {
      title: 'a map of configuration keys to { values } or { from, to, step, scale }',
      description: 'What is varied. params.NAME is short for strategies[0].params.NAME.',
      minProperties: 1,
    }),
    where: Type.Optional(
      Type.String({
        minLength: 1,
        title: 'a condition such as params.stop > 2 * params.take',
        description: 'Only points that fulfil it are trials.',
      }),
    ),
    search: SearchBlock,
    objective: ObjectiveBlock,
    constraints: Type.Optional(ConstraintsBlock),
    holdout: Type.Optional(HoldoutBlock),
    folds: Type.Optional(FoldsBlock),
  },
  {
    ...closed,
    title: 'a map with name, out, space, where, search, objective, constraints, holdout and folds',
    description: 'What is searched, and how.',
  },
);

export const SweepConfigSchema = Type.Object(
  { ...BacktestConfigSchema.properties, sweep: SweepBlock },
  {
    ...closed,
    title: 'a map of the sweep configuration',
    description: 'Many backtests of oddsmith: a backtest, and what of it is varied.',
  },
);

/** The configuration with every default filled in. */
export type SweepConfig = Static<typeof SweepConfigSchema>;
