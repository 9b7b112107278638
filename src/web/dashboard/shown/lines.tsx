/** Lines of the record. */

import type { RecordLine } from '../../../pages/panels.ts';
import { utc } from '../../../words/numbers.ts';
import { clockText } from './shown.tsx';

export function Lines({ lines }: { readonly lines: readonly RecordLine[] }) {
  return (
    <ol class="lines">
      {lines.map(({ seq, at, level, about, alert, text }) => (
        <li key={seq} class={`level-${level}`}>
          <time title={`${utc(at)} UTC`}>{clockText(at)}</time>
          <span>
            <b>{alert ?? about.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}</b> {text}
          </span>
        </li>
      ))}
    </ol>
  );
}
