/** A sandbox at a glance: accounts with their money, who is connected, which faults are in force, and where is traded. */

import type { AccountRow, ClientRow, ExchangePanel, FaultRow, TradedMarket } from '../../pages/exchange-panel.ts';
import { amount, count, plural } from '../../words/numbers.ts';
import { Signed } from './now/money-card.tsx';
import { addressOf } from './shown/route.ts';
import { Age, Card, Figures, useMoment } from './shown/shown.tsx';

export function ExchangePage({ panel }: { readonly panel: ExchangePanel }) {
  const { figures, accounts, faults, clients, markets, facts } = panel;
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
      <div class="pair">
        <Markets markets={markets} />
        <div>
          <Clients clients={clients} />
          <Card title="Process">
            <Figures figures={facts} />
          </Card>
        </div>
      </div>
    </>
  );
}

function Accounts({ accounts }: { readonly accounts: readonly AccountRow[] }) {
  return (
    <Card title="Accounts" more={plural(accounts.length, 'account')}>
      <div class="wide">
        <table id="accounts">
          <thead>
            <tr>
              <th scope="col">account</th>
              <th scope="col" class="less">
                cash
              </th>
              <th scope="col" class="less">
                at risk
              </th>
              <th scope="col">free</th>
              <th scope="col" title="Cash beyond what was paid in and not taken out">
                profit
              </th>
              <th scope="col" class="less">
                live orders
              </th>
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ wallet, app, currency, cash, atRisk, free, profit, liveOrders }) => (
              <tr key={`${wallet} ${currency}`}>
                <td>
                  {app}
                  <small>
                    {wallet}, {currency}
                  </small>
                  <small class="phone">
                    cash {amount(cash)} − at risk {amount(atRisk)}
                  </small>
                </td>
                <td class="less">{amount(cash)}</td>
                <td class="less">{amount(atRisk)}</td>
                <td>{amount(free)}</td>
                <Signed value={profit} />
                <td class="less">{count(liveOrders)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
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

function Clients({ clients }: { readonly clients: readonly ClientRow[] }) {
  return (
    <Card title="Clients" id="clients">
      {clients.length === 0 && <p class="soft">There is no app of a user.</p>}
      <div class="wide">
        <table class="narrow">
          <thead>
            <tr>
              <th scope="col">app</th>
              <th scope="col">sessions</th>
              <th scope="col">stream for</th>
              <th scope="col">heartbeat</th>
            </tr>
          </thead>
          <tbody>
            {clients.map(({ app, sessions, streams, heartbeat: { text, at, tone } }) => (
              <tr key={app}>
                <td>{app}</td>
                <td>{count(sessions)}</td>
                <td>
                  {streams.length === 0 && 'not connected'}
                  {streams.map((since) => (
                    <div key={since}>
                      <Age at={since} />
                    </div>
                  ))}
                </td>
                <td class={`word-${tone}`}>
                  {at === undefined ? (
                    text
                  ) : (
                    <>
                      <Age at={at} /> ago
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Markets({ markets }: { readonly markets: readonly TradedMarket[] }) {
  return (
    <Card title="Most traded markets" more={<a href={addressOf({ page: 'markets' })}>all markets</a>}>
      <div class="wide">
        <table id="traded">
          <thead>
            <tr>
              <th scope="col">market</th>
              <th scope="col" class="less">
                state
              </th>
              <th scope="col">traded</th>
              <th scope="col" title="Live orders of users">
                live orders
              </th>
            </tr>
          </thead>
          <tbody>
            {markets.map(({ id, name, state, tone, traded, liveOrders }) => (
              <tr key={id}>
                <td>
                  <a href={addressOf({ page: 'market', id })}>{name}</a>
                  <small class={`phone word-${tone}`}>{state}</small>
                </td>
                <td class={`less word-${tone}`}>{state}</td>
                <td>{amount(traded)}</td>
                <td>{liveOrders === 0 ? '' : count(liveOrders)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
