/** Several runs in one list, each with the way to its own dashboard. */

import { useState } from 'preact/hooks';
import type { BotRow, BotsPanel, Welcome, Word } from '../../pages/panels.ts';
import { amount, count, plural, signed, tone as signOf } from '../../words/numbers.ts';
import { post, whyOf } from '../parts/session.ts';
import { Age, Card } from './shown/shown.tsx';

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
        <div class="wide">
          <table id="bots">
            <thead>
              <tr>
                <th scope="col">run</th>
                <th scope="col" class="text">
                  state
                </th>
                <th scope="col">today</th>
                <th scope="col" class="less">
                  in all
                </th>
                <th scope="col" class="less">
                  can lose
                </th>
                <th scope="col" class="less">
                  live orders
                </th>
                <th scope="col" class="less">
                  age
                </th>
                <th scope="col">page</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <BotLine key={row.dir} row={row} onOpen={() => void open(row.dir)} />
              ))}
            </tbody>
            <Totals rows={rows} />
          </table>
        </div>
      )}
    </Card>
  );
}

function BotLine({ row, onOpen }: { readonly row: BotRow; readonly onOpen: () => void }) {
  const { name, kind, words, why, tone, liveOrders, canLose, notices, today, total, at, hasDashboard } = row;
  return (
    <tr>
      <td>
        {name} <small>{kind}</small>
      </td>
      <td class="text">
        {words.filter(isNews).map(({ label, text, tone: each }) => (
          <span key={label} class={`chip word-${each}`}>
            {text}
          </span>
        ))}
        {why !== undefined && <small class={`word-${tone}`}>{why}</small>}
        {notices.length > 0 && <small class="word-warn">{notices.join(' · ')}</small>}
      </td>
      <td class={today === undefined ? '' : signOf(today)}>{today === undefined ? '' : signed(today)}</td>
      <td class={`less ${total === undefined ? '' : signOf(total)}`}>{total === undefined ? '' : signed(total)}</td>
      <td class="less">{canLose === undefined ? '' : amount(canLose)}</td>
      <td class="less">{liveOrders === undefined ? '' : count(liveOrders)}</td>
      <td class="less">{at === undefined ? '' : <Age at={at} />}</td>
      <td>
        {hasDashboard ? (
          <button type="button" class="quiet" onClick={onOpen}>
            Open
          </button>
        ) : (
          <span class="soft">{at === undefined ? '' : 'none'}</span>
        )}
      </td>
    </tr>
  );
}

/** A heartbeat that beats is none. */
function isNews({ label, tone }: Word): boolean {
  return label === 'state' || tone !== 'good';
}

/** Of those that answer; a limit is each run’s own, and so what all can lose together has none. */
function Totals({ rows }: { readonly rows: readonly BotRow[] }) {
  const sum = (of: (row: BotRow) => number | undefined): number =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0);
  const [today, total] = [sum((row) => row.today), sum((row) => row.total)];
  const looked = sum(({ notices }) => notices.length);
  return (
    <tfoot>
      <tr>
        <th scope="row">all</th>
        <td class={`text ${looked > 0 ? 'word-warn' : ''}`}>{plural(looked, 'notice')}</td>
        <td class={signOf(today)}>{signed(today)}</td>
        <td class={`less ${signOf(total)}`}>{signed(total)}</td>
        <td class="less">{amount(sum(({ canLose }) => canLose))}</td>
        <td class="less">{count(sum(({ liveOrders }) => liveOrders))}</td>
        <td class="less" />
        <td />
      </tr>
    </tfoot>
  );
}
