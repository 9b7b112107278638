/**
 * Makes text from outside safe to print: names come from recordings and exchanges, and control characters in them could
 * rewrite what the terminal shows. They become spaces, line feeds included.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, ' ');
}

/** Makes text from outside safe to print like `printable`, and keeps its line feeds. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
