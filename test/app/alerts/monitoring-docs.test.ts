/** The board for Grafana, the alert rules and docs/monitoring.md name what is really served, sent and taken. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ALERTS } from '../../../src/app/cli/codes/alert.ts';
import { alertsOfFile } from '../../../src/app/config/resolve/resolve-alerts.ts';
import { Metrics } from '../../../src/app/live/observe/metrics.ts';
import { NOT_READY_CODES } from '../../../src/app/live/observe/readiness.ts';
import { instant } from '../../../src/core/number/units.ts';
import { askedOf, type ServedMetric, servedIn } from '../../support/alerts/promql.ts';
import { EVERY_RECORD } from '../../support/daemon/every-record.ts';
import { AT, madeStatus } from '../../support/daemon/made-status.ts';

const path = (name: string): string => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));
const read = (name: string): string => readFileSync(path(name), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: unknown;
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}
interface Board {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const board: Board = JSON.parse(read('grafana/oddsmith.json'));
const rules: readonly Rule[] = parse(read('alert-rules.yml')).groups[0].rules;
/** What Prometheus adds to each series, and a series of its own. */
const ADDED = ['job', 'instance'];
const OWN = new Map<string, ServedMetric>([['up', { labels: {} }]]);

/** The text of a daemon in which everything has happened once. */
async function served(): Promise<ReadonlyMap<string, ServedMetric>> {
  const way = { way: 'ntfy', sent: 3, failed: 1, dropped: 5, waiting: 2 } as const;
  const metrics = new Metrics({
    status: () => madeStatus(),
    version: '0.1.0',
    clock: { now: () => AT },
    needsHeartbeat: true,
    notifications: { counts: () => ({ ways: [way], pings: { sent: 0, failed: 0 } }) },
  });
  for (const record of EVERY_RECORD) metrics.record(AT, record);
  for (const request of ['place', 'cancel', 'prices'] as const) {
    metrics.edge({ kind: 'call', request, outcome: 'answered', ms: 5 });
    metrics.edge({ kind: 'call', request, outcome: 'TIMEOUT', ms: 5 });
  }
  metrics.lag(1);
  metrics.onMessage({ kind: 'read', feed: 'orders', at: instant(AT) });
  metrics.notice({ kind: 'readFailed', what: 'prices', code: 'TIMEOUT', details: '' });
  metrics.notice({ kind: 'pollingStretched', isStretched: true, everyMs: 4_000, urgentMs: 500 });
  metrics.edge({ kind: 'throttled', pauseMs: 5 });
  return new Map([...servedIn(await metrics.text()), ...OWN]);
}

let known: ReadonlyMap<string, ServedMetric>;
beforeAll(async () => {
  known = await served();
});

/** Everything in an expression, and in the words around it, that is not served. */
function notServed(expression: string, words = ''): readonly string[] {
  const { metrics, grouped } = askedOf(expression);
  const missing: string[] = [];
  const labels = new Set(ADDED);
  for (const { name, matchers } of metrics) {
    const series = known.get(name);
    if (series === undefined) missing.push(name);
    for (const label of Object.keys(series?.labels ?? {})) labels.add(label);
    for (const { label, operator, value } of matchers) {
      const values = series?.labels[label];
      if (values === undefined && !ADDED.includes(label)) missing.push(`${name}{${label}}`);
      if (values === undefined || value.includes('$') || operator.startsWith('!')) continue;
      const asked = operator === '=~' ? value.split('|') : [value];
      missing.push(...asked.filter((each) => !values.has(each)).map((each) => `${name}{${label}="${each}"}`));
    }
  }
  const said = [...words.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
  missing.push(...[...grouped, ...said].filter((label) => !labels.has(label)).map((label) => `label ${label}`));
  return missing;
}

describe('the comparison finds', () => {
  test.each([
    ['oddsmith_reday', 'oddsmith_reday'],
    ['sum(rate(oddsmith_reads_total{fed="orders"}[5m]))', 'oddsmith_reads_total{fed}'],
    ['oddsmith_trading{state="halt"} == 1', 'oddsmith_trading{state="halt"}'],
    ['oddsmith_heartbeat{state=~"late|lapse"} == 1', 'oddsmith_heartbeat{state="lapse"}'],
    ['sum by (kid) (oddsmith_records_total)', 'label kid'],
    [
      'histogram_quantile(0.5, sum by (le) (rate(oddsmith_loop_lag_seconds_buckets[5m])))',
      'oddsmith_loop_lag_seconds_buckets',
    ],
  ])('%s', (expression, missing) => {
    expect(notServed(expression)).toContain(missing);
  });

  test('nothing where nothing is wrong', () => {
    expect(
      notServed('abs(oddsmith_ready{instance=~"$instance"}) == 1 and on (instance) up{job="oddsmith"} > 1.5e9'),
    ).toEqual([]);
  });
});

describe('the board', () => {
  const targets = board.panels.flatMap(({ title, targets: asked = [] }) => asked.map((each) => ({ title, ...each })));

  test.each(targets)('$title $refId asks for what is served', ({ expr, legendFormat }) => {
    expect(notServed(expr, legendFormat)).toEqual([]);
  });

  test('shows every metric of ours but those of a configuration that is rarely used', () => {
    const shown = new Set(targets.flatMap(({ expr }) => askedOf(expr).metrics.map(({ name }) => name)));
    const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
    const ours = new Set([...known.keys()].filter((name) => name.startsWith('oddsmith_')).map(bare));
    const left = [...ours].filter((name) => ![...shown].some((each) => bare(each) === name));
    expect(left).toEqual(NOT_SHOWN);
  });

  test('has panels that lie beside each other, each with a number and a title of its own', () => {
    const numbers = board.panels.map(({ id }) => id);
    expect(new Set(numbers).size).toBe(numbers.length);
    const cells = new Set<string>();
    for (const {
      title,
      type,
      gridPos: { x, y, w, h },
      datasource,
    } of board.panels) {
      expect(title.length, title).toBeGreaterThan(2);
      expect(x + w, title).toBeLessThanOrEqual(24);
      if (type !== 'row') expect(datasource, title).toEqual({ type: 'prometheus', uid: `\${datasource}` });
      for (let across = x; across < x + w; across += 1)
        for (let down = y; down < y + h; down += 1) {
          expect(cells.has(`${across} ${down}`), `${title} lies over another panel`).toBe(false);
          cells.add(`${across} ${down}`);
        }
    }
  });

  test('is of any Prometheus, and of the bots that it finds there', () => {
    const [datasource, instance] = board.templating.list;
    expect([datasource?.name, instance?.name]).toEqual(['datasource', 'instance']);
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(instance?.definition ?? '') ?? [];
    expect([known.has(metric), ADDED.includes(label)]).toEqual([true, true]);
  });
});

/** They say how it is configured, or go along with one that is shown. */
const NOT_SHOWN: readonly string[] = [
  'oddsmith_requests_total',
  'oddsmith_intents_total',
  'oddsmith_freshness_breaches_total',
  'oddsmith_differences_total',
  'oddsmith_client_events_total',
  'oddsmith_poll_interval_seconds',
  'oddsmith_info',
  'oddsmith_strategy_halted',
  'oddsmith_comparisons',
  'oddsmith_clock_skew_seconds',
  'oddsmith_transactions_hour',
  'oddsmith_request_weight_max',
  'oddsmith_stream_latency_seconds',
];

describe('the alert rules', () => {
  test.each(rules)('$alert asks for what is served', ({ expr, annotations: { summary, description } }) => {
    expect(notServed(expr, `${summary} ${description}`)).toEqual([]);
  });

  test.each(rules)('$alert has a name of its own, a level, words, and a time that Prometheus reads', (rule) => {
    expect(rules.filter(({ alert }) => alert === rule.alert)).toHaveLength(1);
    expect(Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key))).toEqual(
      [],
    );
    expect(['warning', 'critical']).toContain(rule.labels.severity);
    expect(rule.annotations.description.length).toBeGreaterThan(20);
    expect(rule.for ?? '1m').toMatch(/^\d+[smh]$/);
    expect(read('monitoring.md'), 'it is explained').toContain(`\`${rule.alert}\``);
  });

  test('every alert of level error has one', () => {
    const own = ['TRADING_HALTED', 'STRATEGY_HALTED', 'DIFFERENCE_LASTING'];
    const { expr = '' } = rules.find(({ alert }) => alert === 'OddsmithErrors') ?? {};
    const named = askedOf(expr).metrics.flatMap(({ matchers }) => matchers.flatMap(({ value }) => value.split('|')));
    const errors = Object.entries(ALERTS).filter(([, { level }]) => level === 'error');
    expect([...named, ...own].sort()).toEqual(errors.map(([code]) => code).sort());
  });

  // Prometheus' own checker judges where it is installed; the grammar in test/support/alerts does everywhere.
  if (spawnSync('promtool', ['--version']).error === undefined)
    test('are some that Prometheus takes', () => {
      const { status, stderr } = spawnSync('promtool', ['check', 'rules', path('alert-rules.yml')], {
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });
});

describe('docs/monitoring.md', () => {
  const text = read('monitoring.md');

  test('shows configurations that are taken', () => {
    const blocks = [...text.matchAll(/```yaml\n(alerts:\n[^`]*)```/g)].map(([, block = '']) => block);
    expect(blocks.length).toBe(3);
    for (const block of blocks) {
      const variables = [...block.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
      const environment = variables.map((name) => [name, /URL/.test(name) ? 'https://h.example.org/x' : '-100123456']);
      const head = 'exchange: { url: http://h, appId: a, apiKey: k }\nstrategies: [{ file: s.ts }]\n';
      const { alerts } = alertsOfFile({ text: `${head}${block}`, file: 'run.yaml' }, Object.fromEntries(environment));
      expect((alerts?.ways.length ?? 0) + (alerts?.deadMan === undefined ? 0 : 1), block).toBeGreaterThan(0);
    }
  });

  test('names every reason of /ready, in operations.md too', () => {
    for (const code of NOT_READY_CODES) expect(read('operations.md')).toContain(`\`${code}\``);
  });
});
