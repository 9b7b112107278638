/** What a run has made: settled, open and today in large figures, the cash of each wallet, over time, by strategy and by day. */

import type { CashRow, MoneyPart, OpenValue, RestMoney, StrategyMoney } from '../../../pages/money-panel.ts';
import { amount, count, dayText, plural, signed, tone as signOf } from '../../../words/numbers.ts';
import { amountColumn, countColumn, Grid, type GridColumn, signedColumn } from '../../parts/grid.tsx';
import { Card } from '../shown/shown.tsx';
import { MoneyCurveChart } from './money-curve.tsx';

interface MoneyParts {
  readonly money: MoneyPart;
  readonly currency: string;
  /** When the wallets were read last. */
  readonly walletsAt: number | undefined;
}

export function MoneyCard({ money, currency, walletsAt }: MoneyParts) {
  const { settled, today, open, belowPeak, canLose, wallets, curve } = money;
  return (
    <Card title="Money" id="money" at={walletsAt} more={currency}>
      <dl class="totals">
        <Total label="settled" value={settled} about="Net of commission, since the run began">
          {belowPeak >= 0.005 && `${amount(belowPeak)} below its peak`}
        </Total>
        <Total
          label="open"
          value={open.value}
          about="What closing every position now would bring, against what rests in the books"
        >
          {openText(open)}
        </Total>
        <Total label="today" value={today} about="Settled on this UTC day, net of commission">
          settled since midnight UTC
        </Total>
      </dl>
      <ul class="cash">
        {wallets.map((wallet) => (
          <Cash key={wallet.name} wallet={wallet} isNamed={wallets.length > 1} />
        ))}
        <li class="soft">can lose {amount(canLose)} at worst</li>
      </ul>
      <MoneyCurveChart curve={curve} />
      <div class="money-tables">
        <Strategies money={money} />
        <Days days={money.days} />
      </div>
    </Card>
  );
}

interface TotalParts {
  readonly label: string;
  readonly value: number;
  readonly about: string;
  readonly children: string | false;
}

function Total({ label, value, about, children }: TotalParts) {
  return (
    <div title={about}>
      <dt>{label}</dt>
      <dd>
        <b class={signOf(value)}>{signed(value)}</b>
        <small>{children}</small>
      </dd>
    </div>
  );
}

function openText({ positions, unpriced }: OpenValue): string {
  if (positions + unpriced === 0) return 'no position is open';
  const priced = positions === 0 ? '' : `by closing ${plural(positions, 'position')} now`;
  const missing = unpriced === 0 ? '' : `${count(unpriced)} cannot be closed`;
  return [priced, missing].filter((text) => text !== '').join(', ');
}

function Cash({ wallet, isNamed }: { readonly wallet: CashRow; readonly isNamed: boolean }) {
  const { name, cash, atRisk, free, isUnread } = wallet;
  return (
    <li>
      {isNamed && <span class="soft">{name}: </span>}
      Cash {amount(cash)} − at risk {amount(atRisk)} = free <b>{amount(free)}</b>
      {isUnread && <b class="word-bad"> cannot be read</b>}
    </li>
  );
}

/** A strategy, what is not known of one, or all. */
type MoneyRow = RestMoney & Partial<Omit<StrategyMoney, 'name' | 'settled' | 'today'>>;

function Strategies({ money }: { readonly money: MoneyPart }) {
  const { strategies, rest, settled, today, open, canLose } = money;
  const liveOrders = strategies.reduce((sum, each) => sum + each.liveOrders, 0);
  const columns: readonly GridColumn<MoneyRow>[] = [
    { label: 'strategy', cell: Name },
    signedColumn('settled', (row) => row.settled),
    signedColumn('today', (row) => row.today),
    signedColumn('open', (row) => row.open?.value),
    countColumn('live orders', (row) => row.liveOrders, { look: 'less' }),
    amountColumn('can lose', (row) => row.worstLoss, {
      look: 'less',
      about: 'All may lose less than the sum: positions of two strategies may offset',
    }),
  ];
  return (
    <Grid<MoneyRow>
      id="strategies"
      look="narrow"
      columns={columns}
      rows={[...strategies.map((each) => ({ ...each, label: each.name })), ...rest]}
      keyOf={({ label }) => label}
      rowLook={({ worstLoss }) => (worstLoss === undefined ? 'soft' : '')}
      foot={{ label: 'all', settled, today, open, liveOrders, worstLoss: canLose }}
    />
  );
}

function Name({ label, isHalted }: MoneyRow) {
  return (
    <>
      {label} {isHalted === true && <b class="word-bad">halted</b>}
    </>
  );
}

type Day = MoneyPart['days'][number];

const DAY_COLUMNS: readonly GridColumn<Day>[] = [
  { label: 'day (UTC)', cell: ({ at }) => dayText(at, false) },
  signedColumn('settled', ({ profit }) => profit),
];

function Days({ days }: { readonly days: readonly Day[] }) {
  if (days.length === 0) return null;
  return <Grid id="days" look="narrow" columns={DAY_COLUMNS} rows={days} keyOf={({ at }) => at} />;
}
