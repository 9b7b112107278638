/** What a dashboard shows: a run, a sandbox or a list of runs puts it into these few functions. */

import type {
  Ask,
  CommandOffer,
  CommandSubjects,
  Head,
  PageName,
  Panel,
  SourceKind,
} from '../../../../pages/panels.ts';
import type { RecordRing } from './record-ring.ts';

export interface DashboardSource {
  readonly kind: SourceKind;
  readonly name: string;
  readonly currency: string;
  readonly pages: readonly PageName[];
  /** How a new link is made, for a page that has no session. */
  readonly newLink: string;
  head(): Omit<Head, 'pending' | 'load'>;
  /** Undefined for a page that it does not have. `record` and `commands` are the server's own. */
  panel(ask: Ask): Panel | undefined;
  /** Ends what it does beside the questions that it answers. */
  close?(): void;
  readonly ring: RecordRing | undefined;
  readonly commands: Commands | undefined;
  /** Makes a link that opens the dashboard of one run in a list of runs. */
  readonly linkOf: ((dir: string) => Promise<{ readonly url: string } | { readonly why: string }>) | undefined;
}

export interface Commands {
  /** Those that are for the whole, and those for one subject. */
  offers(of: string): readonly CommandOffer[];
  /** What may be chosen to command; undefined where all commands are for the whole. */
  subjects(ask: Pick<Ask, 'id' | 'find'>): CommandSubjects | undefined;
  /** Carries one of them out at once. Called once for each that was asked for, with values that its offer allowed. */
  carryOut(asked: CommandAsked): Promise<CarriedOut>;
}

export interface CommandAsked {
  readonly name: string;
  readonly of: string;
  readonly values: CommandValues;
  readonly reason: string;
}

/** What was chosen, by the names of the offer's fields. */
export type CommandValues = Readonly<Record<string, string>>;

/** `progress` is asked until it is done. */
export type CarriedOut = { readonly refused: string } | { readonly progress: () => Progress };

export interface Progress {
  readonly isDone: boolean;
  /** The state that proves it, or what is waited for. */
  readonly proof: string;
}
