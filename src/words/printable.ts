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

/**
 * Makes JSON safe to print: what a terminal obeys, or shows in another place than it stands, is written as an escape, which is the
 * same for every reader of JSON. Such characters are in its strings alone, but for the line feeds between objects.
 */
export function printableJson(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16);
      return `\\u${unit.padStart(4, '0')}`;
    }).join(''),
  );
}

/** A name of the code as words: `cancelSent` is "cancel sent", and `PartiallyMatched` "partially matched". */
export function spaced(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
