/**
 * Text of others as a terminal may be shown it: names come from recordings and exchanges, and control characters must not
 * reach whoever reads.
 */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ');
}

/** The same of a text of several lines, whose line feeds are our own. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
