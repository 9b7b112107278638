/** The page without a session: how to open it. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import './served.css';
import { findSession, type NoSession, openByLink, type SessionState } from './session.ts';

interface LinkParts<Welcome> {
  readonly session: NoSession;
  readonly onOpen: (session: SessionState<Welcome>) => void;
  /** How a link is got: said where the server asks for one, and where it does not answer. */
  readonly closed: ComponentChildren;
  readonly silent?: ComponentChildren;
}

export function LinkPage<Welcome>({ session, onOpen, closed, silent }: LinkParts<Welcome>) {
  const [link, setLink] = useState('');
  const open = (event: Event): void => {
    event.preventDefault();
    void (link === '' ? findSession<Welcome>() : openByLink<Welcome>(link)).then(onOpen);
  };
  return (
    <section class="card narrow">
      <h1>oddsmith</h1>
      <p>{session.why}</p>
      {session.kind === 'closed' && closed}
      {session.kind === 'silent' && silent}
      <form class="ask" onSubmit={open}>
        <label>
          Link
          <input
            type="text"
            value={link}
            onInput={({ currentTarget }) => setLink(currentTarget.value)}
            autocomplete="off"
          />
        </label>
        <button type="submit" class="act">
          {link === '' ? 'Try again' : 'Open'}
        </button>
      </form>
    </section>
  );
}
