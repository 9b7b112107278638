/** What the trials of a sweep brought in each event, side by side: the table that the statistics of a sweep are made of. */

import { defined } from '../../core/checks/assert.ts';
import { NumberColumn } from '../../core/collections/number-column.ts';
import { type Money, money, moneyToDecimal } from '../../core/number/units.ts';
import { rowsOf } from '../result/top-trials.ts';
import { valueOfRows } from '../result/trial-value.ts';
import type { Assignment } from '../space/dimension.ts';
import type { Objective } from '../space/read/objective.ts';
import type { StoredTrial, TrialStore } from '../store/trial-store.ts';
import { eventOf } from '../unit/unit-event.ts';
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
  /** The trials in order of number: those that were played on all their event groups, and those of which a part is known. */
  readonly trials: readonly ProfitsOfTrial[];
  /** The events in the order of time. */
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
  /** The value of the objective, as it is and not turned round; undefined where there is none, and where the trial is not whole. */
  readonly value: number | undefined;
  /** Net, by the index of the event; 0 where the trial does not play it. */
  readonly profits: Float64Array;
}

export interface UnitOfTrial {
  readonly key: string;
  /** Undefined where it holds several events. */
  readonly event: string | undefined;
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
  /** Profits that are held at most, where they are read again beyond that. */
  readonly heldMax?: number;
}

/**
 * Reads each row once. Trials of which no unit is known are left out. What a trial is asked for besides its number and value is read from the
 * store again then, so that the store stays open as long as the table is used; profits are held, as long as they are not too many.
 */
export function trialProfits(store: TrialStore, configuration: number, choice: ProfitsChoice): TrialProfits {
  const table = new ProfitTable(store, configuration, choice);
  for (const trial of store.trials(configuration)) table.add(trial);
  return table.inOrder();
}

interface ReadTrial {
  /** The event of each key of the trial: an index, or one of the two below. */
  readonly units: readonly number[];
  /** The sums by the number of the event. */
  readonly sums: ReadonlyMap<number, Money>;
  readonly isWhole: boolean;
  readonly value: number | undefined;
}

const UNKNOWN = -1;
const SEVERAL_EVENTS = -2;

/** Profits of trials in events that are held: 16 bytes each. */
const HELD_MAX = 5e7;

/** Columns, since an object for each of a million trials would take more memory than all else. */
class ProfitTable {
  readonly #store: TrialStore;
  readonly #configuration: number;
  readonly #choice: ProfitsChoice;
  readonly #times = new EventTimes();
  readonly #numbers = new NumberColumn();
  readonly #wholes = new NumberColumn();
  readonly #ofFolds = new NumberColumn();
  /** NaN where there is none. */
  readonly #values = new NumberColumn();
  /** Events of the units of all trials, one after the other, and where those of each trial end. */
  readonly #units = new NumberColumn();
  readonly #unitEnds = new NumberColumn();
  /** Undefined where there are too many to hold. */
  #profits: HeldProfits | undefined = new HeldProfits();
  #events: readonly EventTime[] = [];
  #placeOf: (event: number) => number = (event) => event;

  constructor(store: TrialStore, configuration: number, choice: ProfitsChoice) {
    this.#store = store;
    this.#configuration = configuration;
    this.#choice = choice;
  }

  add(trial: StoredTrial): void {
    const { units, sums, isWhole, value } = this.#read(trial);
    if (units.every((event) => event === UNKNOWN)) return;
    this.#numbers.push(trial.number);
    this.#wholes.push(Number(isWhole));
    this.#ofFolds.push(Number(trial.fold !== undefined));
    this.#values.push(value ?? Number.NaN);
    for (const event of units) this.#units.push(event);
    this.#unitEnds.push(this.#units.length);
    this.#profits?.add(sums);
    if ((this.#profits?.cells ?? 0) > (this.#choice.heldMax ?? HELD_MAX)) this.#profits = undefined;
  }

  inOrder(): TrialProfits {
    const { events, placeOf } = this.#times.inOrder();
    [this.#events, this.#placeOf] = [events, placeOf];
    const trials = Array.from({ length: this.#numbers.length }, (_, index) => new TrialOfTable(this, index));
    return { trials, events };
  }

  numberOf(index: number): number {
    return this.#numbers.at(index);
  }

  isWhole(index: number): boolean {
    return this.#wholes.at(index) === 1;
  }

  isOfFold(index: number): boolean {
    return this.#ofFolds.at(index) === 1;
  }

  valueOf(index: number): number | undefined {
    const value = this.#values.at(index);
    return Number.isNaN(value) ? undefined : value;
  }

  assignmentOf(index: number): Assignment {
    return this.#trial(index).assignment;
  }

  unitsOf(index: number): readonly UnitOfTrial[] {
    const from = index === 0 ? 0 : this.#unitEnds.at(index - 1);
    return this.#trial(index).keys.flatMap((key, at): UnitOfTrial[] => {
      const event = from + at < this.#unitEnds.at(index) ? this.#units.at(from + at) : UNKNOWN;
      if (event === UNKNOWN) return [];
      return [{ key, event: event === SEVERAL_EVENTS ? undefined : this.#times.nameOf(event) }];
    });
  }

  profitsOf(index: number): Float64Array {
    const profits = new Float64Array(this.#events.length);
    const set = (sum: Money, event: number): void => {
      profits[this.#placeOf(event)] = moneyToDecimal(sum);
    };
    if (this.#profits !== undefined) this.#profits.each(index, set);
    else this.#read(this.#trial(index)).sums.forEach(set);
    return profits;
  }

  #trial(index: number): StoredTrial {
    return defined(this.#store.trial(this.#configuration, this.numberOf(index)), 'a trial that was read stays');
  }

  #read({ keys, state, fold }: StoredTrial): ReadTrial {
    const { objective, isApart } = this.#choice;
    const sums = new Map<number, Money>();
    const rows: UnitRow[] = [];
    const units = keys.map((key) => {
      const [row] = rowsOf(this.#store, [key]);
      if (row === undefined) return UNKNOWN;
      rows.push(row);
      const at = row.bounds.indexOf(objective.bound);
      const events = new Set<number>();
      const whole = isApart ? row.markets[0] : undefined;
      for (const market of row.markets) {
        const event = this.#times.add(eventOf(whole ?? market), market);
        events.add(event);
        sums.set(event, ((sums.get(event) ?? 0) + netOf(market, at)) as Money);
      }
      const [first = SEVERAL_EVENTS] = events;
      return events.size > 1 ? SEVERAL_EVENTS : first;
    });
    const isWhole = state === 'played' && rows.length === keys.length && fold === undefined;
    return { units, sums, isWhole, value: isWhole ? valueOfRows(rows, objective) : undefined };
  }
}

/** The events that each trial plays and what each brought. */
class HeldProfits {
  readonly #ends = new NumberColumn();
  readonly #events = new NumberColumn();
  readonly #sums = new NumberColumn();

  get cells(): number {
    return this.#sums.length;
  }

  add(sums: ReadonlyMap<number, Money>): void {
    for (const [event, sum] of sums) {
      this.#events.push(event);
      this.#sums.push(sum);
    }
    this.#ends.push(this.#sums.length);
  }

  each(trial: number, visit: (sum: Money, event: number) => void): void {
    const end = this.#ends.at(trial);
    for (let at = trial === 0 ? 0 : this.#ends.at(trial - 1); at < end; at += 1)
      visit(money(this.#sums.at(at)), this.#events.at(at));
  }
}

class TrialOfTable implements ProfitsOfTrial {
  readonly #table: ProfitTable;
  readonly #index: number;

  constructor(table: ProfitTable, index: number) {
    this.#table = table;
    this.#index = index;
  }

  get number(): number {
    return this.#table.numberOf(this.#index);
  }

  get assignment(): Assignment {
    return this.#table.assignmentOf(this.#index);
  }

  get units(): readonly UnitOfTrial[] {
    return this.#table.unitsOf(this.#index);
  }

  get isWhole(): boolean {
    return this.#table.isWhole(this.#index);
  }

  get isOfFold(): boolean {
    return this.#table.isOfFold(this.#index);
  }

  get value(): number | undefined {
    return this.#table.valueOf(this.#index);
  }

  get profits(): Float64Array {
    return this.#table.profitsOf(this.#index);
  }
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

  nameOf(event: number): string | undefined {
    return this.#times[event]?.name;
  }

  inOrder(): { readonly events: readonly EventTime[]; readonly placeOf: (number: number) => number } {
    const events = this.#times.toSorted((a, b) => a.startsAt - b.startsAt || (a.name < b.name ? -1 : 1));
    const places = new Map(events.map(({ name }, place) => [this.#numbers.get(name), place]));
    return { events, placeOf: (number) => places.get(number) ?? 0 };
  }
}
