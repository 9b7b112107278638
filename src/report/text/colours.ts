/** What colours a text for a terminal wants, by what they say. */

/** Colours, or the identity where none are wanted. */
export interface Colours {
  bold(text: string): string;
  dim(text: string): string;
  gain(text: string): string;
  loss(text: string): string;
  warn(text: string): string;
}

const plain = (text: string): string => text;
export const NO_INK: Colours = { bold: plain, dim: plain, gain: plain, loss: plain, warn: plain };
