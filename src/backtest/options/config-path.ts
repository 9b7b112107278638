/** The path of an option as text, such as `strategies[0].params.stake`. */

export type ConfigPath = readonly (string | number)[];

export function pathText(path: ConfigPath): string {
  if (path.length === 0) return 'options';
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
}
