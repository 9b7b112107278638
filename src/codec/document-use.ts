/**
 * What this program uses of a document. By it the lenient reader tells apart what a document cannot do without, what makes it
 * unreadable where it is wrong, and what may be missing or wrong without harm.
 */

/** The key under which a schema keeps its `DocumentUse`. JSON does not show it. */
export const USE = Symbol('use');

export interface DocumentUse<Needed extends string = string, Field extends string = string> {
  /** Fields without which the document is unreadable. */
  readonly needs: readonly Needed[];
  /** Fields that may be absent, but make the document unreadable where they are wrong. Any other field that is wrong is left out. */
  readonly uses?: readonly Field[];
  /** The field that, of several possible shapes, only this one has, whatever else stands beside it. */
  readonly knownBy?: Field;
  /** True if fields that the schema does not name are kept. */
  readonly keepsOthers?: true;
}

/** A schema that says what is used of its documents. */
export interface UsedDocument<Needed extends string> {
  readonly [USE]: DocumentUse<Needed>;
}
