/** How far a command has come: asked, heard, done or refused. */

import type { CommandEntry } from '../../../pages/panels.ts';
import { clockText } from '../shown/shown.tsx';

interface StepsParts {
  readonly askedAt: number | undefined;
  readonly entry: CommandEntry | undefined;
}

export function Steps({ askedAt, entry }: StepsParts) {
  return (
    <ol class="steps">
      {askedAt !== undefined && <li class="yes">asked {clockText(askedAt)}</li>}
      <li class={entry === undefined ? '' : 'yes'}>
        {entry === undefined ? 'not heard yet' : `heard ${clockText(entry.heardAt)}`}
      </li>
      {entry?.refused !== undefined ? <li class="no">refused: {entry.refused}</li> : <Done entry={entry} />}
    </ol>
  );
}

function Done({ entry }: Pick<StepsParts, 'entry'>) {
  if (entry === undefined) return <li>not done yet</li>;
  if (entry.doneAt === undefined) return <li>not done yet: {entry.proof}</li>;
  return (
    <li class="yes">
      done {clockText(entry.doneAt)}: {entry.proof}
    </li>
  );
}
