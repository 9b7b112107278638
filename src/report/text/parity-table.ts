/** A comparison of a run with its replay as text for a terminal. */

import {
  PARITY_CAUSES,
  PARITY_STEPS,
  type ParityCause,
  type ParityCount,
  type ParityDifference,
  type ParityResult,
} from '../../result/parity.ts';
import { count, plural, signed, utc } from '../../words/numbers.ts';
import { type Colours, NO_INK } from './colours.ts';

/** Causes in words; JSON has their codes. */
export const CAUSE_NAMES: Readonly<Record<ParityCause, string>> = {
  missedPoll: 'missed update',
  latency: 'timing',
  queue: 'queue',
  liquidity: 'liquidity',
  rule: 'rule',
  version: 'version',
  operator: 'operator',
  ownStake: 'own stake',
  strategyChanged: 'changed strategy',
  nonDeterminism: 'not deterministic',
  restart: 'restart',
  unexplained: 'unexplained',
};

export const CAUSE_MEANINGS: Readonly<Record<ParityCause, string>> = {
  missedPoll: 'an update that only one of them saw',
  latency: 'the same answer, decision or order at another time',
  queue: 'an order at rest, filled more or less than the model fills it',
  liquidity: 'an order that takes, and finds other volume',
  rule: 'the one refuses, rounds, charges or cancels, the other does not',
  version: 'an older version judged the run, by another rule',
  operator: 'a person, or a guard of the running bot, stopped, resumed or cancelled',
  ownStake: 'our own orders are in the recorded prices, and once more in the replay',
  strategyChanged: "the strategy's code is not the one that ran",
  nonDeterminism: 'the strategy decided otherwise on the same inputs',
  restart: 'the process was down, or had forgotten',
  unexplained: 'nothing of this',
};

/** How many kinds of differences are printed; all of them are in the JSON. */
const SHOWN = 12;

const STEP_NAMES: Readonly<Record<(typeof PARITY_STEPS)[number], string>> = {
  decision: 'decisions',
  refusal: 'refusals',
  order: 'orders',
  cancel: 'cancellations',
  reply: 'answers',
  fill: 'fills',
  end: 'voided remainders',
  settlement: 'settlements',
};

export function parityTable(result: ParityResult, colours: Colours = NO_INK): string {
  const blocks = [
    [colours.bold(headline(result))],
    heading(result, colours),
    counts(result, colours),
    causes(result, colours),
    differences(result, colours),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

/** How much of the run the replay repeats, what each of them brought, and why they differ. */
function headline({ counts: all, profit, causes: by, differences: found }: ParityResult): string {
  const same = [
    all.decision.run + all.decision.replay === 0 ? 'No decisions' : `Same decisions ${sharePercent(all.decision)}`,
    all.order.run + all.order.replay === 0 ? 'no orders' : `same orders ${sharePercent(all.order)}`,
  ].join(', ');
  const money = profit.map(({ wallet, run, replay }) => {
    const of = profit.length === 1 ? '' : ` of ${wallet}`;
    return `profit${of} run ${signed(run)}, replay ${signed(replay)}`;
  });
  const why = PARITY_CAUSES.filter((cause) => by[cause].causes > 0)
    .toSorted((a, b) => by[b].causes - by[a].causes)
    .map((cause) => `${CAUSE_NAMES[cause]} ${count(by[cause].causes)}`);
  return [
    same,
    ...(money.length === 0 ? ['profit not known, no market is settled'] : money),
    found.length === 0 ? 'no difference' : `cause: ${why.join(', ')}`,
  ].join('; ');
}

/** Of the side that has more; 100 % only where all are the same. */
function sharePercent({ run, replay, same }: ParityCount): string {
  const share = (100 * same) / Math.max(run, replay);
  return `${share > 99 && share < 100 ? Math.floor(share * 10) / 10 : Math.round(share)} %`;
}

function heading(result: ParityResult, colours: Colours): readonly string[] {
  const { mode, from, to, updates, notCompared, notExplained } = result;
  const facts = [`${utc(from)} to ${utc(to)} UTC`, plural(updates, 'update')];
  const lines = [colours.dim([`${mode} run against its replay`, ...facts].join(' · '))];
  if (notCompared > 0)
    lines.push(
      colours.dim(`${plural(notCompared, 'step')} before or after what the tapes know, or not explained: not compared`),
    );
  for (const span of notExplained)
    lines.push(colours.dim(`decisions from ${utc(span.from)} to ${utc(span.to)} are not compared: ${span.why}`));
  return lines;
}

function counts({ counts: all }: ParityResult, colours: Colours): readonly string[] {
  const row = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(20)}${cells.map((cell) => cell.padStart(10)).join('')}`;
  return [
    colours.dim(row('', ['run', 'replay', 'same'])),
    ...PARITY_STEPS.map((step) => {
      const { run, replay, same } = all[step];
      return row(STEP_NAMES[step], [count(run), count(replay), count(same)]);
    }),
  ];
}

function causes(result: ParityResult, colours: Colours): readonly string[] {
  const { length } = result.differences;
  if (length === 0) return [];
  const lines = PARITY_CAUSES.flatMap((cause) => {
    const { causes: own, consequences } = result.causes[cause];
    if (own === 0) return [];
    const paint = cause === 'unexplained' || cause === 'nonDeterminism' ? colours.loss : colours.bold;
    const numbers = [own, consequences].map((each) => count(each).padStart(7)).join('');
    return [`${paint(CAUSE_NAMES[cause].padEnd(17))}${numbers}  ${colours.dim(CAUSE_MEANINGS[cause])}`];
  });
  const head = `${plural(length, 'difference')}`.padEnd(17);
  return [colours.dim(`${head}${'first'.padStart(24 - head.length)}${'follow'.padStart(7)}`), ...lines];
}

/** Only causes, and those that are alike but for their numbers once: what follows from them is in the JSON. */
function differences({ differences: all }: ParityResult, colours: Colours): readonly string[] {
  const kinds = new Map<string, { readonly first: ParityDifference; times: number }>();
  for (const difference of all) {
    if (difference.follows !== undefined) continue;
    const { cause, step, details } = difference;
    const kind = `${cause} ${step} ${details.replaceAll(/\d+/g, '#')}`;
    const known = kinds.get(kind) ?? { first: difference, times: 0 };
    known.times += 1;
    kinds.set(kind, known);
  }
  const shown = [...kinds.values()].slice(0, SHOWN);
  const lines = shown.flatMap(({ first, times }) => lineOf(first, times, colours));
  if (kinds.size > SHOWN) lines.push(colours.dim(`and ${plural(kinds.size - SHOWN, 'kind')} more`));
  if (all.length > shown.length)
    lines.push(colours.dim('the first of each kind; each one, and all that follows, in --json'));
  return lines;
}

function lineOf(difference: ParityDifference, times: number, colours: Colours): readonly string[] {
  const { number, at, strategy, market, step, run, replay, cause, details } = difference;
  const when = new Date(at).toISOString().slice(11, 23);
  return [
    `#${number} ${when}  ${colours.bold(CAUSE_NAMES[cause])}  ${step}, ${[strategy, market].filter((part) => part !== '').join(', market ')}${times === 1 ? '' : `, and ${count(times - 1)} like it`}`,
    `    ${details}`,
    ...(run === undefined ? [] : [colours.dim(`    run     ${run}`)]),
    ...(replay === undefined ? [] : [colours.dim(`    replay  ${replay}`)]),
  ];
}
