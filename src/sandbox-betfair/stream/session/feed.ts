/** What a subscription is fed from: markets or orders, each change as the JSON of one market. */

export interface Feed {
  /** The op of its messages, and the field that holds the changes. */
  readonly op: 'mcm' | 'ocm';
  readonly list: 'mc' | 'oc';
  /** Whether anything was noted since what was taken last. */
  readonly hasChanges: boolean;
  /** All that the subscription sees; from now on only changes are told. */
  image(): readonly string[];
  /** What changed since the end of a turn; undefined where that is not known any more. From now on only changes are told. */
  since(turn: number): readonly string[] | undefined;
  /** What changed since something was taken last, joined. */
  changes(): readonly string[];
  /** Nothing more is taken. */
  close(): void;
}
