/** The head of a played market: which instant it is, how far from the off, and what the exchange lets happen. */

import type { ViewMarket } from '../../../pages/view-data.ts';
import { marketLabel } from '../../../words/market-label.ts';
import { utcMs } from '../../../words/numbers.ts';
import { offText, stateAt, stateWords } from '../play/moment.ts';
import { eventsAt } from '../play/own.ts';
import type { Player } from '../play/player.ts';
import { KEYS_HELP } from './use-keys.ts';

const EVENTS_SHOWN = 2;

export function Head({ market, player }: { readonly market: ViewMarket; readonly player: Player }) {
  const { at, isWaiting } = player;
  const [date = '', time = ''] = utcMs(at).split(' ');
  const off = offText(market, at);
  const events = player.own.includes(at) ? eventsAt(market.orders, at) : [];
  const more = events.length - EVENTS_SHOWN;
  return (
    <div class="moment">
      <div class="line-of">
        <h2>{marketLabel({ eventName: market.event, name: market.name })}</h2>
        <p class="instant">
          <time dateTime={new Date(at).toISOString()}>
            <span class="soft">{date}</span> <b>{time}</b>
          </time>{' '}
          <span class="soft">UTC</span>
          {off !== undefined && <span class="off-time">{off}</span>}
        </p>
      </div>
      <div class="line-of">
        <ul class="words" aria-label="State">
          {stateWords(stateAt(market.states, at)).map(({ text, tone, about }) => (
            <li key={text} class={`chip word-${tone}`} title={about}>
              {text}
            </li>
          ))}
          {isWaiting && (
            <li
              class="chip word-warn waiting"
              title="What is shown is true at the instant above; what comes next is being read"
            >
              waiting for data
            </li>
          )}
          {events.slice(0, EVENTS_SHOWN).map((text) => (
            <li key={text} class="chip own-event">
              {text}
            </li>
          ))}
          {more > 0 && <li class="chip own-event">{more} more</li>}
        </ul>
        <p class="keys">
          {KEYS_HELP.map(([keys, does]) => (
            <span key={keys}>
              <kbd>{keys}</kbd> {does}
            </span>
          ))}
        </p>
      </div>
    </div>
  );
}
