/** A text to find and a choice of rows: both are part of the address, and the server does the rest. */

import { useState } from 'preact/hooks';
import { go, type Route, whichOf } from './route.ts';

interface FilterParts {
  readonly route: Route;
  readonly choices: readonly (readonly [which: string, words: string])[];
}

export function Filter({ route, choices }: FilterParts) {
  const { find = '', which } = route;
  const [text, setText] = useState(find);
  const search = (event: Event): void => {
    event.preventDefault();
    go({ ...route, from: '', find: text, which: which ?? '' });
  };
  return (
    <form class="filter" onSubmit={search}>
      <input
        type="search"
        value={text}
        placeholder="Find"
        aria-label="Find"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={search}
      />
      {choices.length > 0 && (
        <span class="switch">
          {choices.map(([each, words]) => (
            <button
              key={each}
              type="button"
              aria-pressed={whichOf(route) === each ? 'true' : 'false'}
              onClick={() => go({ ...route, from: '', find, which: each })}
            >
              {words}
            </button>
          ))}
        </span>
      )}
    </form>
  );
}
