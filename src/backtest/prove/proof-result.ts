/** What a proof has shown, in how many instants and ways, and what it cannot show. */

import type { LookaheadProof } from '../../result/result.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import type { DrawnInstant } from './proof-instants.ts';
import type { Play, ProofReplays } from './proof-replays.ts';

interface ShownParts {
  readonly plans: readonly { readonly play: Play; readonly drawn: readonly DrawnInstant[] }[];
  /** The number of steps that were compared, by plan and instant. */
  readonly steps: readonly (readonly number[])[];
  readonly replays: ProofReplays;
  /** How many updates the run plays. */
  readonly runUpdates: number;
  readonly options: BacktestOptions;
  readonly hasSignals: boolean;
  readonly isDisguised: boolean;
}

export function proofResult(parts: ShownParts): LookaheadProof {
  const { plans, steps, replays } = parts;
  const instants = plans.flatMap(({ play, drawn }, plan) =>
    drawn.map(({ at, kind, market }, place) => ({
      at,
      kind,
      market: play.markets.find(({ index }) => index === market)?.market.facts.id ?? '',
      steps: steps[plan]?.[place] ?? 0,
    })),
  );
  return {
    instants: instants.sort((a, b) => a.at - b.at),
    ways: waysOf(parts),
    replays: replays.replays,
    updates: replays.updates,
    timesRun: Math.round((10 * replays.updates) / Math.max(1, parts.runUpdates)) / 10,
    notShown: notShownOf(parts),
  };
}

function waysOf({ options, hasSignals, isDisguised }: ShownParts): readonly string[] {
  const hasOutside = options.strategies.some(({ plugin, files = [] }) => plugin !== undefined || files.length > 0);
  return [
    'nothing there that comes later (updates, definitions, statuses, winners, names)',
    'other prices and stakes',
    'updates shuffled in time and between markets',
    'other statuses: suspensions, in play',
    'another winner',
    'other starting prices',
    'other times of updates, another start',
    ...(hasSignals ? ['signals withheld or replaced'] : []),
    'another clock',
    ...(hasOutside ? ['files withheld'] : []),
    ...(isDisguised ? ['other ids of markets and outcomes, other years'] : []),
  ];
}

function notShownOf({ hasSignals, isDisguised }: ShownParts): readonly string[] {
  return [
    'What strategies decide at other instants than these under an altered future.',
    isDisguised
      ? 'Results that a strategy holds and recognises by prices or by the names of outcomes.'
      : 'Results that a strategy holds, in its code, in JSON that it imports or in a closure: ids stand in params, so that ids were not changed.',
    ...(hasSignals ? ['Whether rows of a signal were really known at their availableAt.'] : []),
    'Whether parameters were chosen because they did well on this recording.',
  ];
}
