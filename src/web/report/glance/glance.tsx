/** Won and lost markets: how their profits spread, the best and the worst, when and where they came, and the deepest falls. */

import { useMemo, useState } from 'preact/hooks';
import { marketAddress } from '../../../pages/market-address.ts';
import { marketLabel } from '../../../words/market-label.ts';
import { amount, count, dayText, percent, plural, signed, tone, utc } from '../../../words/numbers.ts';
import { Switch } from '../../parts/choices.tsx';
import { Table, type TableColumn } from '../../parts/table.tsx';
import type { RunData } from '../data/run-data.ts';
import {
  type Bin,
  deepestFalls,
  distribution,
  type Fall,
  type JudgedMarket,
  judgedMarkets,
  type SumOf,
  sumsBy,
  winFigures,
} from './market-figures.ts';

const ENDS = 5;
const FALLS = 5;

export function Glance({ data }: { readonly data: RunData }) {
  const { facts } = data;
  const markets = useMemo(() => judgedMarkets(facts.result.byMarket), [facts]);
  if (markets.length === 0) return <p class="empty">No market with a bet was settled.</p>;
  const isCut = facts.result.byMarket.length < facts.markets;
  return (
    <>
      <Wins markets={markets} />
      <Histogram bins={distribution(markets)} />
      <div class="pair glance">
        <Ends title="Best" markets={markets.toSorted((a, b) => b.net - a.net).slice(0, ENDS)} />
        <Ends title="Worst" markets={markets.toSorted((a, b) => a.net - b.net).slice(0, ENDS)} />
      </div>
      <div class="pair glance">
        <Sums markets={markets} />
        <Falls data={data} />
      </div>
      {isCut && <p class="soft small">Of the markets with the largest results, which this page holds.</p>}
    </>
  );
}

function Wins({ markets }: { readonly markets: readonly JudgedMarket[] }) {
  const { won, lost, gains, losses, profitFactor } = winFigures(markets);
  return (
    <p>
      Won {count(won)} and lost {count(lost)} of {plural(markets.length, 'market')} with bets (
      {percent(won / markets.length).replace('+', '')} won). Gains <b class="gain">{signed(gains)}</b>, losses{' '}
      <b class="loss">{signed(losses)}</b>
      {profitFactor !== undefined && <>: a profit factor of {amount(profitFactor)}</>}.
    </p>
  );
}

function Histogram({ bins }: { readonly bins: readonly Bin[] }) {
  const most = Math.max(...bins.map(({ markets }) => markets.length));
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  const width = 100 / bins.length;
  const label = `How the net profits of the markets spread, from ${signed(first)} to ${signed(last)}`;
  const zero = ((0 - first) / (last - first)) * 100;
  return (
    <svg class="histogram" role="img" aria-label={label}>
      {bins.map(({ from, to, markets }, at) => (
        <rect
          key={from}
          class={from >= 0 ? 'gain' : 'loss'}
          x={`${at * width + width * 0.06}%`}
          width={`${width * 0.88}%`}
          y={100 - (markets.length / most) * 88}
          height={(markets.length / most) * 88}
        >
          <title>
            {plural(markets.length, 'market')} from {signed(from)} to {signed(to)}
          </title>
        </rect>
      ))}
      <line x1="0" x2="100%" y1="100" y2="100" />
      <text x="0" y="116">
        {signed(first, 0)}
      </text>
      {zero > 6 && zero < 94 && (
        <text x={`${zero}%`} y="116" class="middle">
          0
        </text>
      )}
      <text x="100%" y="116" class="end">
        {signed(last, 0)}
      </text>
    </svg>
  );
}

function Ends({ title, markets }: { readonly title: string; readonly markets: readonly JudgedMarket[] }) {
  return (
    <div>
      <h3>
        {title} {markets.length === 1 ? 'market' : `${markets.length} markets`}
      </h3>
      <ol class="ends">
        {markets.map(({ market, net }) => (
          <li key={market.id}>
            <a href={`#${marketAddress(market.id)}`}>{marketLabel(market)}</a>
            <b class={tone(net)}>{signed(net)}</b>
          </li>
        ))}
      </ol>
    </div>
  );
}

const NAME_BY: Readonly<Record<'day' | 'venue' | 'type', (market: JudgedMarket) => string>> = {
  day: ({ settledAt }) => utc(settledAt).slice(0, 10),
  venue: ({ market }) => market.venue ?? 'no venue named',
  type: ({ market }) => market.marketTypeId,
};

function Sums({ markets }: { readonly markets: readonly JudgedMarket[] }) {
  const [chosen, setChosen] = useState<keyof typeof NAME_BY>('day');
  const rows = useMemo(() => sumsBy(markets, NAME_BY[chosen]), [markets, chosen]);
  return (
    <div>
      <Switch
        label="Sums of the markets"
        of={[
          ['day', 'by day'],
          ['venue', 'by venue'],
          ['type', 'by market type'],
        ]}
        chosen={chosen}
        onChoose={setChosen}
      />
      <Table plan={{ id: 'sums', columns: SUMS, rows, keyOf: ({ name }) => name }} />
    </div>
  );
}

const SUMS: readonly TableColumn<SumOf>[] = [
  {
    label: 'Of',
    about: 'Day of the settlement (UTC), venue or market type',
    kind: 'text',
    value: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    label: 'Markets',
    about: 'Settled markets with bets',
    kind: 'number',
    value: ({ markets }) => markets,
    cell: ({ markets }) => count(markets),
  },
  {
    label: 'Matched',
    about: "Backer's stake matched",
    kind: 'number',
    value: ({ stake }) => stake,
    cell: ({ stake }) => amount(stake),
  },
  {
    label: 'Net',
    about: 'Net profit, central fills',
    kind: 'number',
    value: ({ net }) => net,
    cell: ({ net }) => signed(net),
    tone: ({ net }) => tone(net),
  },
];

function Falls({ data }: { readonly data: RunData }) {
  const { numbers } = data.table('curve');
  const falls = useMemo(() => deepestFalls(numbers.get('at') ?? [], numbers.get('central') ?? [], FALLS), [numbers]);
  const columns = useMemo(() => fallColumns(falls), [falls]);
  return (
    <div>
      <h3>Deepest falls of the profit</h3>
      {falls.length === 0 ? (
        <p class="empty">The profit never fell.</p>
      ) : (
        <Table plan={{ id: 'falls', columns, rows: falls, keyOf: ({ to }) => to }} />
      )}
    </div>
  );
}

function fallColumns(falls: readonly Fall[]): readonly TableColumn<Fall>[] {
  const years = new Set(falls.flatMap(({ from, to }) => [to, from ?? to].map((at) => new Date(at).getUTCFullYear())));
  const time = (
    label: string,
    about: string,
    of: (fall: Fall) => number | undefined,
    none = '',
  ): TableColumn<Fall> => ({
    ...{ label, about, kind: 'number', value: of },
    cell: (fall) => {
      const at = of(fall);
      return at === undefined ? none : `${dayText(at, years.size > 1)} ${utc(at).slice(11, 16)}`;
    },
  });
  return [
    {
      label: 'Fall',
      about: 'From the highest profit so far to the lowest after it',
      kind: 'number',
      value: ({ depth }) => depth,
      cell: ({ depth }) => amount(depth),
    },
    time('From', 'When the profit stood highest, UTC', ({ from }) => from, 'the start'),
    time('To', 'When it stood lowest, UTC', ({ to }) => to),
    time('Made up', 'When it was as high again, UTC', ({ recoveredAt }) => recoveredAt, 'not yet'),
  ];
}
