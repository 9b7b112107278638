/** Which cancellation model fits a run's fills, as text for a terminal. */

import {
  type CancellationFit,
  type FittedModel,
  LEFT_OUT_REASONS,
  type LeftOutReason,
  type ModelChoice,
} from '../../result/cancellation-fit.ts';
import { amount, count, plural, utc } from '../../words/numbers.ts';
import { type Colours, NO_INK } from './colours.ts';

const REASON_TEXTS: Readonly<Record<LeftOutReason, string>> = {
  unsure: 'the answer of the exchange was lost, so that nobody knows when it arrived',
  notRecorded: 'the tapes do not know its market at the time of its arrival',
  noTrades: 'the tapes do not say what was traded',
  gap: 'the tapes have a gap, or the run was down, while it rested',
  tookOnArrival: 'it matched in part as it came, and the recorded prices hold that already',
  sharedQueue: 'another order of the run stood in the same queue, and trades do not say which of them they filled',
  crossMatched: 'stake of the run on another outcome shows at its price, since the market cross matches',
  notShown: 'the recorded prices never showed its stake',
  metOtherwise: 'in the replay it matched other stake as it came, or was refused',
  noTime: 'it ended in the moment in which it came to rest',
};

const POWER_STEP = 0.25;
const NAME_WIDTH = 12;

export function fitTable(fit: CancellationFit, colours: Colours = NO_INK): string {
  const blocks = [heading(fit, colours), orders(fit), models(fit, colours), verdict(fit, colours), next(fit, colours)];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

/** Its name in tables and in the configuration's words. */
function modelName(model: ModelChoice): string {
  return typeof model === 'string' ? model : `power ${model.power}`;
}

function heading({ mode, from, to, updates }: CancellationFit, colours: Colours): readonly string[] {
  const facts = [`${utc(from)} to ${utc(to)}`, plural(updates, 'update')];
  return [
    `${colours.bold(`cancellation models beside the fills of a ${mode} run`)}  ${colours.dim(facts.join(' · '))}`,
  ];
}

function orders(fit: CancellationFit): readonly string[] {
  const { rested, compared, leftOut, markets, units, stakeRested, stakeFilled } = fit;
  const reasons = LEFT_OUT_REASONS.filter((reason) => leftOut[reason] > 0);
  const lines = [
    `${plural(rested, 'order')} of the run rested; ${count(compared)} are compared, ${count(rested - compared)} left out${reasons.length === 0 ? '' : ':'}`,
    ...reasons.map((reason) => `${count(leftOut[reason]).padStart(7)}  ${REASON_TEXTS[reason]}`),
  ];
  if (compared === 0) return lines;
  const of =
    units.kind === 'market' ? plural(units.count, 'market') : `${stays(units.count)} in ${plural(markets, 'market')}`;
  return [
    ...lines,
    `of ${amount(stakeRested)} at rest the run had ${amount(stakeFilled)} filled (${share(stakeFilled / stakeRested)})`,
    `the models fill differently in ${count(units.telling)} of ${of}`,
  ];
}

function stays(many: number): string {
  return many === 1 ? '1 queue' : `${count(many)} queues`;
}

function models({ models: all, stakeRested, verdict: { kind } }: CancellationFit, colours: Colours): readonly string[] {
  if (all.length === 0) return [];
  const least = Math.min(...all.map(({ error }) => error));
  const heads = COLUMNS.map(({ head, width }) => head.padStart(width)).join('');
  return [
    colours.dim(`${'model'.padEnd(NAME_WIDTH)}${heads}`),
    ...all.map((fitted) => {
      const facts = { fitted, stakeRested, isBest: fitted.error === least };
      const cells = COLUMNS.map(({ width, cell }) => cell(facts).padStart(width)).join('');
      const line = `${modelName(fitted.model).padEnd(NAME_WIDTH)}${cells}`.trimEnd();
      return kind === 'told' && fitted.isLike ? colours.bold(line) : line;
    }),
    colours.dim(
      "error: how far the filled share is from the run's, over the time at rest, mean of all orders, in points",
    ),
    colours.dim('worse by: than the least error, in 99 of 100 draws of the queues or markets'),
  ];
}

const COLUMNS: readonly {
  readonly head: string;
  readonly width: number;
  readonly cell: (facts: Readonly<{ fitted: FittedModel; stakeRested: number; isBest: boolean }>) => string;
}[] = [
  { head: 'filled', width: 14, cell: ({ fitted }) => amount(fitted.stakeFilled) },
  { head: 'share', width: 9, cell: ({ fitted, stakeRested }) => share(fitted.stakeFilled / stakeRested) },
  { head: 'error', width: 8, cell: ({ fitted }) => points(fitted.error) },
  { head: 'worse by', width: 18, cell: ({ fitted, isBest }) => worse(fitted, isBest) },
];

function worse({ worseBy: { low, high } }: FittedModel, isBest: boolean): string {
  return isBest ? '' : `${points(low)} to ${points(high)}`;
}

function share(of: number): string {
  return `${amount(of * 100, 1)} %`;
}

/** The share in hundredths of the stake that rested. */
function points(share: number): string {
  return amount(share * 100, 2);
}

function verdict({ verdict: said, units }: CancellationFit, colours: Colours): readonly string[] {
  if (said.kind === 'tooFew') {
    const { tellingLeast } = said;
    const why =
      units.telling < tellingLeast
        ? `the models must fill differently in ${tellingLeast} at least`
        : 'not even behind and ahead, the two ends, can be distinguished';
    return [`${colours.warn('too few orders for a result')}: ${why}`];
  }
  const { best, alike } = said;
  const others =
    alike.length === 0 ? 'no other is as good' : `not distinguishable from it: ${named(best, alike).join(', ')}`;
  return [`${colours.gain(modelName(best))} fills most like the run; ${others}`];
}

/** Powers are given in quarters; several in a row, the best one counted in, are named by their ends. */
function named(best: ModelChoice, alike: readonly ModelChoice[]): readonly string[] {
  const powers = [best, ...alike].flatMap((model) => powerOf(model) ?? []).sort((a, b) => a - b);
  const rows: number[][] = [];
  for (const power of powers) {
    const row = rows.at(-1);
    if (row?.at(-1) === power - POWER_STEP) row.push(power);
    else rows.push([power]);
  }
  const others = alike.filter((model) => powerOf(model) === undefined).map(modelName);
  return [...others, ...rows.flatMap((row) => rowNames(row, powerOf(best)))];
}

function rowNames(row: readonly number[], best: number | undefined): readonly string[] {
  const isOne = (power: number): boolean => power === 1;
  if (row.length < 3)
    return row.filter((power) => power !== best).map((power) => modelName(isOne(power) ? 'pro-rata' : { power }));
  const among = row.some(isOne) ? ' (pro-rata is 1)' : '';
  return [`the powers from ${row[0]} to ${row.at(-1)}${among}`];
}

function powerOf(model: ModelChoice): number | undefined {
  if (typeof model !== 'string') return model.power;
  return model === 'pro-rata' ? 1 : undefined;
}

function next({ madeBy, verdict: said }: CancellationFit, colours: Colours): readonly string[] {
  if (madeBy !== undefined)
    return [
      `next: fit a live run. The simulated exchange of this run filled by ${modelName(madeBy.model)} (${madeBy.fills} fills), which says nothing of a real one.`,
    ];
  if (said.kind === 'tooFew') return ['next: let the run trade on, with record: true, and fit it again'];
  if (said.choose === 'pro-rata')
    return ['next: nothing. pro-rata, which is the default of fillRules.cancellations, is among them'];
  return [`next: in the configuration of backtests  ${colours.bold(configured(said.choose))}`];
}

function configured(model: ModelChoice): string {
  const value = typeof model === 'string' ? model : `{ power: ${model.power} }`;
  return `fillRules: { cancellations: ${value} }`;
}
