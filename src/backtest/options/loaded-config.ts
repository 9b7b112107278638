/** A configuration that fits its schema, with the place of each of its parts. */

export type ConfigErrorCode = 'CONFIG_INVALID' | 'CONFIG_UNKNOWN_KEY';

export interface LoadedConfig<T> {
  /** With every default filled in. */
  readonly value: T;
  /** Where a part was written: `file:line:column`, or the path of an option; of the nearest part around it where it was left out. */
  where(path: readonly (string | number)[]): string;
  /** A number as it was written, such as `1.90`, where it is known and reads otherwise. */
  writtenNumber?(path: readonly (string | number)[]): string | undefined;
}
