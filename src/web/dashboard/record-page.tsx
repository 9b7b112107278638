/** The tail of the record, and the alerts. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RecordLine, RecordPanel } from '../../pages/panels.ts';
import { count } from '../../words/numbers.ts';
import { Lines } from './shown/lines.tsx';
import { Card } from './shown/shown.tsx';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const SHOWN_MAX = 500;

export function RecordPage({
  panel: { alerts },
  lines,
}: {
  readonly panel: RecordPanel;
  readonly lines: readonly RecordLine[];
}) {
  const [least, setLeast] = useState<(typeof LEVELS)[number]>('info');
  const [find, setFind] = useState('');
  const found = lines.filter((line) => LEVELS.indexOf(line.level) >= LEVELS.indexOf(least) && holds(line, find));
  const newest = found.slice(-SHOWN_MAX).reverse();
  return (
    <>
      <Card title="Alerts" more={alerts.length === 0 ? '' : `the newest ${count(alerts.length)}`}>
        {alerts.length === 0 && <p class="soft">None since the start.</p>}
        <Tall label="Alerts">
          <Lines lines={alerts} />
        </Tall>
      </Card>
      <Card title="Record" more={`${count(newest.length)} of the last ${count(lines.length)} lines`}>
        <div class="filter">
          <input
            type="search"
            placeholder="Find"
            aria-label="Find"
            value={find}
            onInput={({ currentTarget }) => setFind(currentTarget.value)}
          />
          <span class="switch">
            {LEVELS.map((level) => (
              <button
                key={level}
                type="button"
                aria-pressed={level === least ? 'true' : 'false'}
                onClick={() => setLeast(level)}
              >
                {level}
              </button>
            ))}
          </span>
        </div>
        <Tall label="Record">
          <Lines lines={newest} />
        </Tall>
      </Card>
    </>
  );
}

function holds({ about, alert, text }: RecordLine, find: string): boolean {
  return find === '' || `${about} ${alert ?? ''} ${text}`.toLowerCase().includes(find.toLowerCase());
}

/** What is taller than it may be is scrolled, by keys too. */
function Tall({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus no key scrolls it.
    <section class="tall" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
