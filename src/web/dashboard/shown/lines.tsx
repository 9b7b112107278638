/** Lines of the record. */

import type { RecordLine } from '../../../pages/panels.ts';
import { utc } from '../../../words/numbers.ts';
import { spaced } from '../../../words/printable.ts';
import { clockText } from './shown.tsx';

export function Lines({ lines }: { readonly lines: readonly RecordLine[] }) {
  return (
    <ol class="lines">
      {lines.map(({ seq, at, level, about, alert, text }) => (
        <li key={seq} class={`level-${level}`}>
          <time title={`${utc(at)} UTC`}>{clockText(at)}</time>
          <span>
            <b>{alert ?? spaced(about)}</b> {text}
          </span>
        </li>
      ))}
    </ol>
  );
}
