/** The metrics that a PromQL expression names, with the labels it asks of them: enough to compare them with what is served. */

export interface AskedMetric {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

export interface AskedOf {
  readonly metrics: readonly AskedMetric[];
  /** Labels by which something is grouped or joined. */
  readonly grouped: readonly string[];
}

const WORDS = new Set(['and', 'or', 'unless', 'by', 'on', 'without', 'ignoring', 'bool', 'offset']);

export function askedOf(expression: string): AskedOf {
  const grouped: string[] = [];
  const plain = expression
    .replaceAll(/\b(?:by|on|without|ignoring|group_left)\s*\(([^)]*)\)/g, (_, labels: string) => {
      grouped.push(...labels.split(',').map((label) => label.trim()));
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ');
  const metrics: AskedMetric[] = [];
  for (const [, name = '', braces = '', opens] of plain.matchAll(
    /(?<![\w".:])([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?\s*(\()?/g,
  )) {
    if (opens !== undefined || WORDS.has(name)) continue;
    const matchers = [...braces.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)];
    metrics.push({
      name,
      matchers: matchers.map(([, label = '', operator = '', value = '']) => ({ label, operator, value })),
    });
  }
  return { metrics, grouped };
}

export interface ServedMetric {
  readonly labels: Readonly<Record<string, ReadonlySet<string>>>;
}

/** By the name of each series in the text format. */
export function servedIn(text: string): ReadonlyMap<string, ServedMetric> {
  const found = new Map<string, Record<string, Set<string>>>();
  for (const line of text.split('\n')) {
    const [, name, braces = ''] = /^([a-zA-Z_:][\w:]*)(\{.*\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const labels = found.get(name) ?? {};
    for (const [, label = '', value = ''] of braces.matchAll(/(\w+)="([^"]*)"/g)) {
      labels[label] ??= new Set();
      labels[label].add(value);
    }
    found.set(name, labels);
  }
  return new Map([...found].map(([name, labels]) => [name, { labels }]));
}
