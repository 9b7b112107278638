/** Decisions and instants of a proof in words. */

import type { Intent } from '../../core/intent.ts';
import type { Difference, RecordedStep } from './decision-recorder.ts';

export function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** What was decided in either replay: `With the recording as it is it said: place For o1 2 at 3.5; with …: nothing.` */
export function statements({ whole, changed }: Difference, change: string): string {
  return `With the recording as it is it said: ${stepText(whole)}; ${change}: ${stepText(changed)}.`;
}

/** A step as one line of text: `place For o1 2 at 3.5, cancel 7`. */
function stepText(step: RecordedStep | undefined): string {
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
    case 'reduce':
      return `reduce ${intent.order} by ${intent.stake}`;
    case 'replace':
      return `replace ${intent.order} at ${intent.price}`;
  }
  // A strategy in plain JavaScript may return any kind; the check of intents refuses it.
  return 'what is no intent';
}
