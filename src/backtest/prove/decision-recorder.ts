/** Records what was decided up to each of some instants, so that two replays can be compared and their first difference named. */

import type { Intent } from '../../core/intent.ts';
import { instant } from '../../core/number/units.ts';
import type { RunEvent, RunLog } from '../../engine/log/run-log.ts';
import { Transcript } from '../../engine/log/transcript.ts';

/** What a strategy did at one instant: it returned intents, or was halted. */
export interface RecordedStep {
  readonly at: number;
  /** Index of the strategy in the run. */
  readonly strategy: number;
  /** Index of the market in the run; its id where the strategy was halted. */
  readonly market: number | string;
  readonly did: readonly Intent[] | string;
}

/** How a replay's times and names differ from those of the recording. */
export interface Disguise {
  /** All times of the replay are so much later. */
  readonly shiftMs: number;
  /** The recorded ids in place of those of the replay. */
  market(id: string): string;
  outcome(market: string, id: string): string;
}

/** One hash for what happened up to the first instant, and for each span from one instant to the next. */
export class DecisionRecorder {
  readonly log: RunLog;
  readonly steps: RecordedStep[] = [];
  readonly #instants: readonly number[];
  readonly #disguise: Disguise | undefined;
  readonly #keeps: number;
  readonly #hashes: string[] = [];
  readonly #counts: number[] = [];
  #count = 0;
  #span: Transcript | undefined;

  /**
   * `instants` are ascending; what happens after the last of them is not recorded. So many steps as it `keeps` are held one by one;
   * beyond them it is known that two replays differ, and not where.
   */
  constructor(instants: readonly number[], { keeps, disguise }: { keeps: number; disguise?: Disguise | undefined }) {
    this.#instants = instants;
    this.#keeps = keeps;
    this.#disguise = disguise;
    // What is plotted is no decision.
    this.log = { logUpdate: () => {}, logEvent: (event) => event.kind !== 'plotted' && this.#record(event) };
  }

  /** How many steps of all kinds were recorded up to an instant, by its place in the list. */
  countUpTo(place: number): number {
    this.#endSpans(place + 1);
    return this.#counts[place] ?? 0;
  }

  /** The place of the first instant up to which the two differ; undefined where they are the same up to the last one of the other. */
  firstDifferent(other: DecisionRecorder): number | undefined {
    this.#endSpans(this.#instants.length);
    other.#endSpans(other.#instants.length);
    const place = other.#hashes.findIndex((hash, at) => hash !== this.#hashes[at]);
    return place < 0 ? undefined : place;
  }

  #record(event: RunEvent): void {
    const { at } = this.#disguise === undefined ? event : shown(event, this.#disguise);
    while (this.#hashes.length < this.#instants.length && at > (this.#instants[this.#hashes.length] ?? 0))
      this.#endSpans(this.#hashes.length + 1);
    if (this.#hashes.length === this.#instants.length) return;
    this.#count += 1;
    this.#span ??= new Transcript('span');
    this.#span.logEvent(this.#disguise === undefined ? event : shown(event, this.#disguise));
    if (this.steps.length < this.#keeps) this.#keep(event, at);
  }

  #keep(event: RunEvent, at: number): void {
    if (event.kind === 'decided') {
      const { strategy, market, intents } = event;
      const disguise = this.#disguise;
      const did = disguise === undefined ? intents : intents.map((intent) => unmasked(intent, disguise));
      this.steps.push({ at, strategy, market, did });
    } else if (event.kind === 'halted') {
      const { strategy, code } = event.halt;
      const market = this.#disguise?.market(event.halt.market) ?? event.halt.market;
      this.steps.push({ at, strategy, market, did: `halted: ${code}` });
    }
  }

  #endSpans(upTo: number): void {
    while (this.#hashes.length < upTo) {
      this.#hashes.push(this.#span?.close() ?? '');
      this.#counts.push(this.#count);
      this.#span = undefined;
    }
  }
}

/** The event as it would be in the recording's own time. */
function shown(event: RunEvent, { shiftMs }: Disguise): RunEvent {
  const at = event.at - shiftMs;
  if (event.kind !== 'reported' && event.kind !== 'reappeared') return { ...event, at };
  const { report } = event;
  return { ...event, at, report: { ...report, at: instant(report.at - shiftMs) } };
}

function unmasked(intent: Intent, disguise: Disguise): Intent {
  if (intent.kind !== 'place' && intent.kind !== 'cancelAll') return intent;
  const { market = '', outcome } = intent;
  const own = { ...intent, ...(intent.market !== undefined && { market: disguise.market(market) }) };
  return outcome === undefined ? own : { ...own, outcome: disguise.outcome(market, outcome) };
}

/** The first step in which two replays differ. One of them is undefined where only the other replay has a step there. */
export interface Difference {
  readonly first: RecordedStep;
  readonly whole: RecordedStep | undefined;
  readonly changed: RecordedStep | undefined;
}

/** Undefined if the strategies did the same in both replays up to that time, or if it is not known where they differ. */
export function firstDifference(
  whole: DecisionRecorder,
  changed: DecisionRecorder,
  until: number,
): Difference | undefined {
  const longest = Math.max(whole.steps.length, changed.steps.length);
  for (let i = 0; i < longest; i += 1) {
    const [one, other] = [whole.steps[i], changed.steps[i]];
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    // Where the two steps differ in time, strategy or market, the other replay lacks the earlier one.
    const isPair = one?.at === other?.at && one?.strategy === other?.strategy && one?.market === other?.market;
    const isOneFirst = other === undefined || (one !== undefined && one.at <= other.at);
    const first = isOneFirst ? one : other;
    if (first === undefined || first.at > until) return undefined;
    if (isPair) return { first, whole: one, changed: other };
    return { first, whole: isOneFirst ? one : undefined, changed: isOneFirst ? undefined : other };
  }
  return undefined;
}
