/** A configuration that fits its schema, with the place of each of its parts. */

export type ConfigErrorCode = 'CONFIG_INVALID' | 'CONFIG_UNKNOWN_KEY';

export interface LoadedConfig<T> {
  /** The configuration with every default filled in. */
  readonly value: T;
  /**
   * Says where a part was written: `file:line:column`, or the path of an option. A part that was left out has the place of the nearest part
   * around it.
   */
  where(path: readonly (string | number)[]): string;
  /** A number as it was written, such as `1.90`, where it is known and reads otherwise. */
  writtenNumber?(path: readonly (string | number)[]): string | undefined;
}

export type ConfigPath = readonly (string | number)[];

/** The path of an option as text, such as `strategies[0].params.stake`. */
export function pathText(path: ConfigPath): string {
  if (path.length === 0) return 'options';
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
}
