/** The references that a customer gives a bet, in the one reference that the exchange machine keeps of an order. */

export interface CustomerReferences {
  readonly order: string | undefined;
  readonly strategy: string | undefined;
}

/**
 * A customer may give the same reference to many bets, and the machine wants each of them once: a number that no earlier
 * order has stands first. Neither reference has a blank.
 */
export function referenceText(unique: string, { order = '', strategy = '' }: CustomerReferences): string {
  return `${unique} ${strategy} ${order}`;
}

export function referencesIn(reference: string | undefined): CustomerReferences {
  const [, strategy = '', order = ''] = reference?.split(' ') ?? [];
  return { order: order === '' ? undefined : order, strategy: strategy === '' ? undefined : strategy };
}
