/** How the runners of a market are named: as outcomes in this program, by selection and handicap at Betfair. */

/** `<selection id>`, or `<selection id>@<handicap>` where the handicap is not 0, as recordings have it. */
export function outcomeIdOf({ selectionId, handicap = 0 }: Selection): string {
  return handicap === 0 ? String(selectionId) : `${selectionId}@${handicap}`;
}

export interface Selection {
  readonly selectionId: number;
  readonly handicap?: number | undefined;
}

/** Undefined for a text that names none. */
export function selectionOf(
  outcomeId: string,
): (Required<Pick<Selection, 'selectionId'>> & { readonly handicap: number }) | undefined {
  const [selection = '', handicap = '0'] = outcomeId.split('@');
  const selectionId = selection === '' ? Number.NaN : Number(selection);
  return Number.isSafeInteger(selectionId) && Number.isFinite(Number(handicap))
    ? { selectionId, handicap: Number(handicap) }
    : undefined;
}
