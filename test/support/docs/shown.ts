/** What a document shows of a command's output, line by line beside what the command printed. */

/** Lines of `shown` that `printed` does not have, in their order. A line `…` stands for any number of lines, ` …` at an end for its rest. */
export function missingLines(shown: string, printed: string, alike: (line: string) => string): readonly string[] {
  const lines = printed.split('\n').map(alike);
  const missing: string[] = [];
  let at = 0;
  for (const line of shown.split('\n')) {
    const wanted = alike(line.replace(/ …$/, ''));
    if (wanted === '' || wanted === '…') continue;
    const isCut = line.endsWith(' …');
    const found = lines.findIndex((each, index) => index >= at && (isCut ? each.startsWith(wanted) : each === wanted));
    if (found < 0) missing.push(line);
    else at = found + 1;
  }
  return missing;
}

/** A line without what another machine and another second show otherwise. */
export function withoutMachine(line: string): string {
  return line
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, 'TIME')
    .replaceAll(/\b\d+\.\d+\.\d+\b/g, 'VERSION')
    .replaceAll(/[\d.,]+ ?(?:ms|s|min|MiB)\b/g, 'SOME')
    .replaceAll(/(?:^|(?<= ))\/\S*\//g, 'PATH/')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A line without its figures, keys and ids: of what happens otherwise each time. */
export function withoutFigures(line: string): string {
  return withoutMachine(line)
    .replaceAll(/#link=[\w-]+/g, '#link=ID')
    .replaceAll(/(?<![\w-])(?=[\w-]*\d)[\w-]{12,}/g, 'ID')
    .replaceAll(/[-−+]?\d[\d.,:]*/g, '0')
    .replaceAll(/\b(live|paper)-\w+-\w+/g, '$1-ID')
    .replaceAll(/\bgrade [ABC][-−]?/g, 'grade X');
}
