/** The page without a session: how to open it. */

import { useState } from 'preact/hooks';
import { findSession, type NoSession, openByLink, type SessionState } from './server/session.ts';

interface LinkParts {
  readonly session: NoSession;
  /** How a new link is made, where that is known from before. */
  readonly newLink: string | undefined;
  readonly onOpen: (session: SessionState) => void;
}

export function LinkPage({ session, newLink = 'oddsmith dashboard link CONFIG', onOpen }: LinkParts) {
  const [link, setLink] = useState('');
  const open = (event: Event): void => {
    event.preventDefault();
    void (link === '' ? findSession() : openByLink(link)).then(onOpen);
  };
  return (
    <section class="card narrow">
      <h1>oddsmith</h1>
      <p>{session.why}</p>
      {session.kind === 'closed' && (
        <p>
          Each link opens the dashboard once. A new one is made where the run is, by its owner: <code>{newLink}</code>
        </p>
      )}
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
