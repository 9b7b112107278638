/** A sandbox at a glance: accounts with their money, who is connected, which faults are in force, and where is traded. */

import type { AccountRow, ClientRow, ExchangePanel, FaultRow } from '../../pages/exchange-panel.ts';
import { amount, plural } from '../../words/numbers.ts';
import { amountColumn, countColumn, Grid, type GridColumn, signedColumn } from '../parts/grid.tsx';
import { Markets } from './markets-page.tsx';
import { addressOf } from './shown/route.ts';
import { Age, Card, Figures, useMoment } from './shown/shown.tsx';

export function ExchangePage({ panel }: { readonly panel: ExchangePanel }) {
  const { appNoun, figures, accounts, faults, clients, markets, facts } = panel;
  return (
    <>
      <Card title="Exchange" id="exchange">
        <dl class="totals four">
          {figures.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <b>{text}</b>
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <Faults faults={faults} />
      <Accounts accounts={accounts} />
      <Card title="Most traded markets" more={<a href={addressOf({ page: 'markets' })}>all markets</a>}>
        <Markets rows={markets} />
      </Card>
      <div class="pair">
        <Clients clients={clients} noun={appNoun} />
        <Card title="Process">
          <Figures figures={facts} />
        </Card>
      </div>
    </>
  );
}

function Accounts({ accounts }: { readonly accounts: readonly AccountRow[] }) {
  const columns: readonly GridColumn<AccountRow>[] = [
    { label: 'account', cell: Account },
    amountColumn('cash', ({ cash }) => cash, { look: 'less' }),
    amountColumn('at risk', ({ atRisk }) => atRisk, { look: 'less' }),
    amountColumn('free', ({ free }) => free),
    signedColumn('profit', ({ profit }) => profit, { about: 'Cash beyond what was paid in and not taken out' }),
    countColumn('live orders', ({ liveOrders }) => liveOrders, { look: 'less' }),
  ];
  return (
    <Card title="Accounts" more={plural(accounts.length, 'account')}>
      <Grid
        id="accounts"
        columns={columns}
        rows={accounts}
        keyOf={({ app, wallet, currency }) => `${app} ${wallet} ${currency}`}
      />
    </Card>
  );
}

function Account({ app, wallet, currency, cash, atRisk }: AccountRow) {
  return (
    <>
      {app}
      <small>
        {wallet !== '' && `${wallet}, `}
        {currency}
      </small>
      <small class="phone">
        cash {amount(cash)} − at risk {amount(atRisk)}
      </small>
    </>
  );
}

function Faults({ faults }: { readonly faults: readonly FaultRow[] }) {
  const { now } = useMoment();
  const toCommands = <a href={addressOf({ page: 'commands' })}>{faults.length === 0 ? 'make one' : 'end them'}</a>;
  if (faults.length === 0)
    return (
      <Card title="No fault is in force" id="faults" more={toCommands}>
        <p class="soft">Every request is answered as the exchange answers it.</p>
      </Card>
    );
  return (
    <Card title={`${plural(faults.length, 'fault')} in force`} id="faults" tone="warn" more={toCommands}>
      <ul class="reasons">
        {faults.map(({ id, what, of, until }) => (
          <li key={id} class="word-warn">
            It {what}
            <small>
              {of}
              {until === undefined
                ? ', until it is ended'
                : `, for ${Math.max(0, Math.ceil((until - now) / 1_000))} s more`}
            </small>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Clients({ clients, noun }: { readonly clients: readonly ClientRow[]; readonly noun: string }) {
  const columns: readonly GridColumn<ClientRow>[] = [
    { label: noun, cell: ({ app }) => app },
    countColumn('sessions', ({ sessions }) => sessions),
    {
      label: 'stream for',
      cell: ({ streams }) => (streams.length === 0 ? 'not connected' : streams.map((at) => <Ago key={at} at={at} />)),
    },
    {
      label: 'heartbeat',
      cell: ({ heartbeat: { text, at } }) => (at === undefined ? text : <Ago at={at} word="ago" />),
      tone: ({ heartbeat }) => `word-${heartbeat.tone}`,
    },
  ];
  return (
    <Card title="Clients" id="clients">
      {clients.length === 0 && <p class="soft">There is no {noun} of a user.</p>}
      <Grid look="narrow" columns={columns} rows={clients} keyOf={({ app }) => app} />
    </Card>
  );
}

function Ago({ at, word = '' }: Readonly<{ at: number; word?: string }>) {
  return (
    <div>
      <Age at={at} /> {word}
    </div>
  );
}
