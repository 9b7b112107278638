/** Unwraps a figure that a test expects to be known. */

/** @throws with the reason where the figure is not known */
export function known<T extends { readonly kind: string }>(figure: T): Exclude<T, { readonly kind: 'notKnown' }> {
  if (figure.kind === 'notKnown') throw new Error(`not known: ${JSON.stringify(figure)}`);
  return figure as Exclude<T, { readonly kind: 'notKnown' }>;
}
