/** The answer of a figure that cannot be worked out from what there is, with the reason, so that no report prints NaN. */

/** What stands in the place of a figure that cannot be worked out from what there is; no figure is ever NaN. */
export interface NotKnown {
  readonly kind: 'notKnown';
  /** A sentence for the reader of the report. */
  readonly reason: string;
}

export function notKnown(reason: string): NotKnown {
  return { kind: 'notKnown', reason };
}

/** In the same words for every figure: a reader is told once what several of them lack. */
export function tooFewEvents(events: number, needed: number): NotKnown {
  return notKnown(`${events} ${events === 1 ? 'event is' : 'events are'} too few (${needed} needed).`);
}
