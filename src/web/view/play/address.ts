/** What is shown, as the address says it after its `#`: so an instant can be sent to somebody who opens the same run. */

import { SPEEDS, type Speed } from './player.ts';

export interface Address {
  /** Undefined: the list of markets. */
  readonly market: string | undefined;
  /** Ms UTC. */
  readonly at: number | undefined;
  /** Ids of the outcomes whose ladders are shown, the chosen one first. */
  readonly outcomes: readonly string[];
  readonly speed: Speed | undefined;
}

/** What is no number and no speed is as if it was not there. */
export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const at = Number(fields.get('t') ?? Number.NaN);
  return {
    market: fields.get('m') ?? fields.get('market') ?? undefined,
    at: Number.isFinite(at) ? at : undefined,
    outcomes: fields.getAll('o'),
    speed: SPEEDS.find((speed) => speed === fields.get('s')),
  };
}

export function addressText({ market, at, outcomes, speed }: Address): string {
  const fields = new URLSearchParams();
  if (market !== undefined) fields.set('m', market);
  if (at !== undefined) fields.set('t', String(at));
  for (const outcome of outcomes) fields.append('o', outcome);
  if (speed !== undefined) fields.set('s', speed);
  return `#${fields.toString()}`;
}
