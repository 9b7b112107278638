/** What a run has made: settled, open and today in large figures, the cash of each wallet, over time, by strategy and by day. */

import type { CashRow, MoneyPart, OpenValue, RestMoney, StrategyMoney } from '../../../pages/money-panel.ts';
import { amount, count, dayText, plural, signed, tone as signOf } from '../../../words/numbers.ts';
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

function Strategies({ money }: { readonly money: MoneyPart }) {
  const { strategies, rest, settled, today, open } = money;
  const live = strategies.reduce((sum, { liveOrders }) => sum + liveOrders, 0);
  return (
    <div class="wide">
      <table id="strategies" class="narrow">
        <thead>
          <tr>
            <th scope="col">strategy</th>
            <th scope="col">settled</th>
            <th scope="col">today</th>
            <th scope="col">open</th>
            <th scope="col" class="less">
              live orders
            </th>
            <th scope="col" class="less" title="All may lose less than the sum: positions of two strategies may offset">
              can lose
            </th>
          </tr>
        </thead>
        <tbody>
          {strategies.map((strategy) => (
            <StrategyRow key={strategy.name} strategy={strategy} />
          ))}
          {rest.map((row) => (
            <RestRow key={row.label} row={row} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">all</th>
            <Signed value={settled} />
            <Signed value={today} />
            <Signed value={open.value} />
            <td class="less">{count(live)}</td>
            <td class="less">{amount(money.canLose)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function StrategyRow({ strategy }: { readonly strategy: StrategyMoney }) {
  const { name, isHalted, settled, today, open, liveOrders, worstLoss } = strategy;
  return (
    <tr>
      <td>
        {name} {isHalted && <b class="word-bad">halted</b>}
      </td>
      <Signed value={settled} />
      <Signed value={today} />
      <Signed value={open.value} />
      <td class="less">{count(liveOrders)}</td>
      <td class="less">{amount(worstLoss)}</td>
    </tr>
  );
}

function RestRow({ row: { label, settled, today } }: { readonly row: RestMoney }) {
  return (
    <tr class="soft">
      <td>{label}</td>
      <td>{signed(settled)}</td>
      <td>{signed(today)}</td>
      <td />
      <td class="less" />
      <td class="less" />
    </tr>
  );
}

export function Signed({ value }: { readonly value: number }) {
  return <td class={signOf(value)}>{signed(value)}</td>;
}

function Days({ days }: { readonly days: MoneyPart['days'] }) {
  if (days.length === 0) return undefined;
  return (
    <div class="wide">
      <table id="days" class="narrow">
        <thead>
          <tr>
            <th scope="col">day (UTC)</th>
            <th scope="col">settled</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ at, profit }) => (
            <tr key={at}>
              <td>{dayText(at, false)}</td>
              <Signed value={profit} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
