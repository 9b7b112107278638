/** What the trials of a sweep brought in each event, side by side: the table that the statistics of a sweep are made of. */

import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { rowsOf, valueOfRows } from '../result/top-trials.ts';
import type { Assignment } from '../space/assignment.ts';
import type { Objective } from '../space/read/objective.ts';
import type { StoredTrial, TrialStore } from '../store/trial-store.ts';
import type { UnitMarket, UnitRow } from '../unit/unit-row.ts';

/** Event groups as the rows tell them: markets of one event that start at one time. */
export interface EventTime {
  readonly name: string;
  /** Scheduled start of the event, ms UTC; where the recording gives none, when it was settled. */
  readonly startsAt: number;
  /** The last settlement of its markets, ms UTC; where the recording ends before, its start. */
  readonly endsAt: number;
}

export interface TrialProfits {
  /** In order of number: those that were played on all their event groups, and those of which a part is known. */
  readonly trials: readonly ProfitsOfTrial[];
  /** In the order of time. */
  readonly events: readonly EventTime[];
}

export interface ProfitsOfTrial {
  readonly number: number;
  readonly assignment: Assignment;
  /** Those that are known. */
  readonly units: readonly UnitOfTrial[];
  /** Played on all its event groups: others cannot be compared event by event. One of a fold's own search never is. */
  readonly isWhole: boolean;
  readonly isOfFold: boolean;
  /** Of the objective, as it is and not turned round; undefined where there is none, and where it is not whole. */
  readonly value: number | undefined;
  /** Net, by the index of the event; 0 where the trial does not play it. */
  readonly profits: Float64Array;
}

export interface UnitOfTrial {
  readonly key: string;
  /** Undefined where it holds several events. */
  readonly event: string | undefined;
}

function eventOf({ eventId, startsAt }: UnitMarket): string {
  return startsAt === undefined ? eventId : `${eventId}@${new Date(startsAt).toISOString()}`;
}

/** Net profit of a market at one of the bounds of its row. */
function netOf({ profit }: UnitMarket, at: number): Money {
  const { profitGross = 0, commission = 0 } = profit[at] ?? {};
  return (profitGross - commission) as Money;
}

export interface ProfitsChoice {
  readonly objective: Objective;
  /** Each unit is of one event: then all its markets are of the event of its first one. */
  readonly isApart: boolean;
}

/** Reads each row once. Trials of which no unit is known are left out. */
export function trialProfits(store: TrialStore, configuration: number, choice: ProfitsChoice): TrialProfits {
  const times = new EventTimes();
  const sparse = [...store.trials(configuration)].flatMap((trial) => {
    const read = readTrial(store, trial, { ...choice, times });
    return read.units.length === 0 ? [] : [{ trial, read }];
  });
  const { events, placeOf } = times.inOrder();
  const trials = sparse.map(
    ({ trial: { number, assignment, fold }, read: { units, sums, isWhole, value } }): ProfitsOfTrial => {
      const profits = new Float64Array(events.length);
      for (const [event, sum] of sums) profits[placeOf(event)] = moneyToDecimal(sum);
      return { number, assignment, units, isWhole, isOfFold: fold !== undefined, value, profits };
    },
  );
  return { trials, events };
}

interface ReadTrial {
  readonly units: readonly UnitOfTrial[];
  /** By the number of the event. */
  readonly sums: ReadonlyMap<number, Money>;
  readonly isWhole: boolean;
  readonly value: number | undefined;
}

function readTrial(
  store: TrialStore,
  { keys, state, fold }: StoredTrial,
  { objective, isApart, times }: ProfitsChoice & { readonly times: EventTimes },
): ReadTrial {
  const sums = new Map<number, Money>();
  const units: UnitOfTrial[] = [];
  const rows: UnitRow[] = [];
  for (const key of keys) {
    for (const row of rowsOf(store, [key])) {
      const at = row.bounds.indexOf(objective.bound);
      const names = new Set<string>();
      const whole = isApart ? row.markets[0] : undefined;
      for (const market of row.markets) {
        const name = eventOf(whole ?? market);
        const event = times.add(name, market);
        names.add(name);
        sums.set(event, ((sums.get(event) ?? 0) + netOf(market, at)) as Money);
      }
      const [name = ''] = names;
      units.push({ key, event: names.size > 1 ? undefined : name });
      rows.push(row);
    }
  }
  const isWhole = state === 'played' && units.length === keys.length && fold === undefined;
  return { units, sums, isWhole, value: isWhole ? valueOfRows(rows, objective) : undefined };
}

/** Events as they are met, put in order at the end. */
class EventTimes {
  readonly #numbers = new Map<string, number>();
  readonly #times: EventTime[] = [];

  add(name: string, market: UnitMarket): number {
    const startsAt = market.startsAt ?? market.settledAt ?? 0;
    const endsAt = Math.max(market.settledAt ?? startsAt, startsAt);
    const number = this.#numbers.get(name) ?? this.#times.length;
    const known = this.#times[number] ?? { name, startsAt, endsAt };
    this.#numbers.set(name, number);
    this.#times[number] = {
      name,
      startsAt: Math.min(known.startsAt, startsAt),
      endsAt: Math.max(known.endsAt, endsAt),
    };
    return number;
  }

  inOrder(): { readonly events: readonly EventTime[]; readonly placeOf: (number: number) => number } {
    const events = this.#times.toSorted((a, b) => a.startsAt - b.startsAt || (a.name < b.name ? -1 : 1));
    const places = new Map(events.map(({ name }, place) => [this.#numbers.get(name), place]));
    return { events, placeOf: (number) => places.get(number) ?? 0 };
  }
}
