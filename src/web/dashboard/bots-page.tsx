/** Several runs in one list, each with the way to its own dashboard. */

import { useState } from 'preact/hooks';
import { type Bar, type BotRow, type BotsPanel, usedShare, type Welcome, type Word } from '../../pages/panels.ts';
import { plural } from '../../words/numbers.ts';
import { amountColumn, countColumn, Grid, type GridColumn, signedColumn } from '../parts/grid.tsx';
import { post, whyOf } from '../parts/session.ts';
import { Age, Card, limitTone } from './shown/shown.tsx';

export function BotsPage({ panel: { rows }, welcome }: { readonly panel: BotsPanel; readonly welcome: Welcome }) {
  const [fault, setFault] = useState('');
  const open = async (dir: string): Promise<void> => {
    try {
      const response = await post(welcome, '/open', { dir });
      if (!response.ok) return setFault(await whyOf(response));
      const { url }: { readonly url: string } = await response.json();
      location.assign(url);
    } catch {
      setFault('No answer came.');
    }
  };
  return (
    <Card title="Runs" more={plural(rows.length, 'run')}>
      {fault !== '' && <p class="note">{fault}</p>}
      {rows.length === 0 && <p class="empty">No state directory of a run was found here yet.</p>}
      {rows.length > 0 && (
        <Grid
          id="bots"
          columns={columnsOf((dir) => void open(dir))}
          rows={rows}
          keyOf={({ dir }) => dir}
          foot={totalOf(rows)}
        />
      )}
    </Card>
  );
}

function columnsOf(onOpen: (dir: string) => void): readonly GridColumn<BotRow>[] {
  return [
    { label: 'run', cell: Name },
    { label: 'state', look: 'text', cell: State },
    signedColumn('today', ({ today }) => today),
    signedColumn('in all', ({ total }) => total, { look: 'less' }),
    amountColumn('can lose', ({ canLose }) => canLose, { look: 'less' }),
    { label: 'nearest limit', look: 'less', cell: Limit, about: 'The limit of which most is used' },
    countColumn('alerts', ({ alerts }) => alerts, { look: 'less', about: 'Told since the start of the run' }),
    countColumn('live orders', ({ liveOrders }) => liveOrders, { look: 'less' }),
    { label: 'age', look: 'less', cell: ({ at }) => at !== undefined && <Age at={at} /> },
    {
      label: 'page',
      cell: ({ dir, at, hasDashboard }) =>
        hasDashboard ? (
          <button type="button" class="quiet" onClick={() => onOpen(dir)}>
            Open
          </button>
        ) : (
          <span class="soft">{at !== undefined && 'none'}</span>
        ),
    },
  ];
}

function Name({ name, kind }: BotRow) {
  return (
    <>
      {name} <small>{kind}</small>
    </>
  );
}

function State({ words, why, tone, notices, limit, alerts }: BotRow) {
  return (
    <>
      {words.filter(isNews).map(({ label, text, tone: each }) => (
        <span key={label} class={`chip word-${each}`}>
          {text}
        </span>
      ))}
      {why !== undefined && <small class={`word-${tone}`}>{why}</small>}
      {notices.length > 0 && <small class="word-warn">{notices.join(' · ')}</small>}
      <small class="phone">
        {limit !== undefined && `${shareText(limit)} of ${limit.label}, `}
        {alerts !== undefined && plural(alerts, 'alert')}
      </small>
    </>
  );
}

/** A heartbeat that beats is none. */
function isNews({ label, tone }: Word): boolean {
  return label === 'state' || tone !== 'good';
}

function Limit({ limit }: BotRow) {
  if (limit === undefined) return null;
  return (
    <span class={`word-${limitTone(limit)}`}>
      {shareText(limit)}
      <small>{limit.label}</small>
    </span>
  );
}

function shareText(limit: Bar): string {
  return `${Math.round(usedShare(limit) * 100)} %`;
}

/** Of those that answer: sums, and of the limits, which are each run’s own, the one that is nearest to being reached. */
function totalOf(rows: readonly BotRow[]): BotRow {
  const sum = (of: (row: BotRow) => number | undefined): number =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0);
  const looked = sum(({ notices }) => notices.length);
  const limits = rows.flatMap(({ name, limit }) => (limit === undefined ? [] : [{ name, limit }]));
  const [nearest] = limits.toSorted((a, b) => usedShare(b.limit) - usedShare(a.limit));
  return {
    ...{ dir: '', name: 'all', kind: '', words: [], why: undefined, tone: 'plain', at: undefined, hasDashboard: false },
    notices: looked === 0 ? [] : [plural(looked, 'notice')],
    today: sum(({ today }) => today),
    total: sum(({ total }) => total),
    canLose: sum(({ canLose }) => canLose),
    liveOrders: sum(({ liveOrders }) => liveOrders),
    alerts: sum(({ alerts }) => alerts),
    limit: nearest && { ...nearest.limit, label: `${nearest.limit.label}, ${nearest.name.split(' · ')[0]}` },
  };
}
