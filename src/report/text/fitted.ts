/** Breaks lines that are longer than the terminal at blanks, and indents what follows as far as the line's text begins. */

/**
 * Without `columns`, where no terminal shows it, the text stays as it is. Lines in which `whole` is found stay whole: the terminal
 * breaks a command in two by itself, and it can still be copied as one.
 */
export function fitted(text: string, columns: number | undefined, whole?: RegExp): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => (whole?.test(line) === true ? line : fittedLine(line, Math.max(columns, COLUMNS_MIN))))
    .join('\n');
}

/** The narrowest terminal for which lines are broken here; in a narrower one they break where they may. */
const COLUMNS_MIN = 40;
/** A label is not longer than this: what begins further right is a cell of a table. */
const LABEL_MAX = 30;
/** Two labels, or the first one where two are too long. */
const LABELS = [/^ *(?:\S+(?: \S+)* {2,}){2}/, /^ *\S+(?: \S+)* {2,}/];
/** A colour begins or ends: nothing that takes room. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
const INK = /\x1b\[[0-9;]*m/g;

function fittedLine(line: string, columns: number): string {
  if (roomOf(line) <= columns) return line;
  const indent = ' '.repeat(Math.min(textAt(line), columns >> 1));
  const lines: string[] = [];
  let current = '';
  // A word keeps the blanks before it, since those of a label line it up with others.
  for (const [word] of line.matchAll(/ *[^ ]+/g)) {
    if (current === '' || roomOf(current) + roomOf(word) <= columns) current += word;
    else {
      lines.push(current);
      current = `${indent}${word.trimStart()}`;
    }
  }
  return [...lines, current].join('\n');
}

function roomOf(text: string): number {
  return text.replace(INK, '').length;
}

/** The column at which a line's text begins: behind its one or two labels, or two further right than its first word. */
function textAt(line: string): number {
  const shown = line.replace(INK, '');
  const labels = LABELS.flatMap((label) => label.exec(shown)?.[0].length ?? []);
  const label = labels.find((length) => length <= LABEL_MAX);
  if (label !== undefined) return label;
  return (/^ */.exec(shown)?.[0].length ?? 0) + (shown.startsWith('notice ') ? 8 : 2);
}
