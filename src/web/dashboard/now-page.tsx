/** A run at a glance: money, why it does not trade, limits, feeds. */

import {
  type Bar,
  type FeedRow,
  type NowPanel,
  type Reason,
  type RefusalCount,
  usedShare,
  type Welcome,
} from '../../pages/panels.ts';
import { amount, count, plural } from '../../words/numbers.ts';
import { MoneyCard } from './now/money-card.tsx';
import { Lines } from './shown/lines.tsx';
import { addressOf } from './shown/route.ts';
import { Age, Card, Figures, limitTone, Meter, useMoment } from './shown/shown.tsx';

export function NowPage({ panel, welcome }: { readonly panel: NowPanel; readonly welcome: Welcome }) {
  const { reasons, money, figures, activity, refusals, bars, feeds, facts, alerts } = panel;
  const { isStale } = useMoment();
  const walletsAt = feeds.find(({ feed }) => feed === 'wallets')?.readAt;
  return (
    <>
      <MoneyCard money={money} currency={welcome.currency} walletsAt={walletsAt} />
      <div class="grid">
        <Why reasons={reasons} isStale={isStale} />
        {bars.length > 0 && <Limits bars={bars} />}
        <Feeds feeds={feeds} />
        <Card title="Lately">
          <Figures figures={[...figures, ...activity]} />
          {refusals.length > 0 && <Refusals refusals={refusals} />}
        </Card>
        <Card title="Process">
          <Figures figures={facts} />
        </Card>
        <Card title="Newest alerts" more={<a href={addressOf({ page: 'record' })}>the record</a>}>
          {alerts.length === 0 ? <p class="soft">None since the start.</p> : <Lines lines={alerts} />}
        </Card>
      </div>
    </>
  );
}

function Why({ reasons, isStale }: { readonly reasons: readonly Reason[]; readonly isStale: boolean }) {
  const tone = reasons[0]?.tone ?? 'good';
  const title = reasons.length === 0 ? 'It trades' : 'Why it does not trade';
  return (
    <Card id="why" title={isStale ? `When it was heard last: ${title}` : title} tone={tone}>
      {reasons.length === 0 && <p>Orders pass, within the limits. Whether one is placed is up to the strategies.</p>}
      <ul class="reasons">
        {reasons.map(({ text, next, tone: each }) => (
          <li key={text} class={`word-${each}`}>
            {text} <small>{next}</small>
          </li>
        ))}
      </ul>
      <p class="way">
        <a class="quiet" href={addressOf({ page: 'commands' })}>
          {reasons.length === 0 ? 'Halt, reduce, cancel' : 'Resume, halt, cancel'}
        </a>
      </p>
    </Card>
  );
}

function Limits({ bars }: { readonly bars: readonly Bar[] }) {
  return (
    <Card title="Limits">
      <ul class="bars">
        {bars.map((bar) => (
          <LimitBar key={bar.label} bar={bar} />
        ))}
      </ul>
    </Card>
  );
}

function LimitBar({ bar: { label, used, limit, unit, of } }: { readonly bar: Bar }) {
  const share = usedShare({ used, limit });
  const tone = limitTone({ used, limit });
  const text = (value: number): string => (unit === 'amount' ? amount(value) : count(value));
  return (
    <li>
      <span class="label">
        {label} <small>{of}</small>
      </span>
      <Meter share={share} tone={tone} />
      <span class="number">
        {text(used)} <small>of {text(limit)}</small>
      </span>
    </li>
  );
}

function Feeds({ feeds }: { readonly feeds: readonly FeedRow[] }) {
  const { now } = useMoment();
  return (
    <Card title="Feeds">
      <ul class="bars">
        {feeds.map(({ feed, readAt, budgetMs, isLate }) => {
          const share = readAt === undefined ? 1 : Math.min(1, Math.max(0, now - readAt) / budgetMs);
          const tone = isLate || share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
          return (
            <li key={feed}>
              <span class="label">{feed}</span>
              <Meter share={share} tone={tone} />
              <span class="number">
                {readAt === undefined ? 'never read' : <Age at={readAt} />}{' '}
                <small>of {count(budgetMs / 1_000)} s</small>
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Refusals({ refusals }: { readonly refusals: readonly RefusalCount[] }) {
  const shown = refusals.slice(0, 5);
  return (
    <ul class="reasons">
      {shown.map(({ code, means, times }) => (
        <li key={code}>
          {plural(times, 'refusal')}: <code>{code}</code> <small>{means}</small>
        </li>
      ))}
    </ul>
  );
}
