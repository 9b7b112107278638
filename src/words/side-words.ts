/** The words for the two sides of a bet, as the reader chose them: those of betting, or those of the API. */

export const SIDE_WORDS = ['back-lay', 'for-against'] as const;
export type SideWords = (typeof SIDE_WORDS)[number];

let chosen: SideWords | undefined;

/** A flag chooses for all that is printed and drawn from now on, and so does the page that a server or a file is. */
export function chooseSideWords(words: string | undefined): void {
  chosen = SIDE_WORDS.find((each) => each === words);
}

/** A configuration and the files of a run have their say where no flag has chosen. */
export function proposeSideWords(words: SideWords | undefined): void {
  chosen ??= words;
}

export function sideWords(): SideWords {
  return chosen ?? 'back-lay';
}

/** What the files of a run keep; nothing where it is as ever. */
export function keptSideWords(): { readonly sides?: SideWords } {
  return sideWords() === 'back-lay' ? {} : { sides: sideWords() };
}

/** `back` and `lay`, or `For` and `Against`. */
export function sideWord(side: string): string {
  if (sideWords() === 'for-against') return side;
  return side === 'For' ? 'back' : 'lay';
}

/** What others offer to a bet of this side: `to back` and `to lay`, or `For` and `Against`. */
export function offerWord(side: 'For' | 'Against'): string {
  return sideWords() === 'for-against' ? side : `to ${sideWord(side)}`;
}
