/** Shows that a run does not look ahead: the decisions up to an instant stay the same when the recording after it is changed. */

import type { Intent } from '../../core/intent.ts';
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

/** Records what happened before an instant: all of it as one hash, and what strategies did as steps, so that a difference can be named. */
export class DecisionRecorder {
  readonly before: number;
  readonly log: RunLog;
  readonly steps: RecordedStep[] = [];
  #count = 0;
  readonly #transcript = new Transcript('witness');

  constructor(before: number) {
    this.before = before;
    this.log = { logUpdate: () => {}, logEvent: (event) => this.#record(event) };
  }

  /** How many steps of all kinds were recorded. */
  get count(): number {
    return this.#count;
  }

  sha256(): string {
    return this.#transcript.close();
  }

  #record(event: RunEvent): void {
    const { at } = event;
    if (at >= this.before) return;
    this.#count += 1;
    this.#transcript.logEvent(event);
    if (event.kind === 'decided') {
      const { strategy, market, intents } = event;
      this.steps.push({ at, strategy, market, did: intents });
    } else if (event.kind === 'halted') {
      const { strategy, market, code } = event.halt;
      this.steps.push({ at, strategy, market, did: `halted: ${code}` });
    }
  }
}

/** The first step in which two runs differ. One of them is undefined where only the other run has a step there. */
export interface Difference {
  readonly first: RecordedStep;
  readonly whole: RecordedStep | undefined;
  readonly changed: RecordedStep | undefined;
}

/** Undefined if the strategies did the same in both runs. */
export function firstDifference(whole: DecisionRecorder, changed: DecisionRecorder): Difference | undefined {
  const longest = Math.max(whole.steps.length, changed.steps.length);
  for (let i = 0; i < longest; i += 1) {
    const [one, other] = [whole.steps[i], changed.steps[i]];
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    // Where the two steps differ in time, strategy or market, the other run lacks the earlier one.
    const isSame = one?.at === other?.at && one?.strategy === other?.strategy && one?.market === other?.market;
    const isOneFirst = other === undefined || (one !== undefined && one.at <= other.at);
    const first = isOneFirst ? one : other;
    if (first === undefined) return undefined;
    if (isSame) return { first, whole: one, changed: other };
    return { first, whole: isOneFirst ? one : undefined, changed: isOneFirst ? undefined : other };
  }
  return undefined;
}

/** A step as one line of text: `place For o1 2 at 3.5, cancel 7`. */
export function stepText(step: RecordedStep | undefined): string {
  if (step === undefined) return 'nothing';
  if (typeof step.did === 'string') return step.did;
  const texts = step.did.slice(0, SHOWN_MAX).map(intentText);
  return step.did.length > SHOWN_MAX ? `${texts.join(', ')} and ${step.did.length - SHOWN_MAX} more` : texts.join(', ');
}

const SHOWN_MAX = 3;

function intentText(intent: Intent): string {
  switch (intent.kind) {
    case 'place':
      return `place ${intent.side} ${intent.outcome} ${intent.stake} at ${intent.price}`;
    case 'cancel':
      return `cancel ${intent.order}`;
    case 'cancelAll':
      return ['cancelAll', intent.outcome ?? intent.market].join(' ').trimEnd();
    case 'replace':
      return `replace ${intent.order} at ${intent.price}`;
  }
  // A strategy in plain JavaScript may return any kind; the check of intents refuses it.
  return 'what is no intent';
}
