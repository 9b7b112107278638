/** Turns an error that another realm made into one of the realm in which this file is evaluated. */

const OURS = Object.prototype;
const prototypeOf = Object.getPrototypeOf;
const CLASSES: Readonly<Record<string, new (message: string) => Error>> = { RangeError, TypeError };

/** With the same name and words. What this realm made, and what is no error, is as it was. */
export function ownError(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || isOurs(thrown)) return thrown;
  const { name, message } = thrown as Error;
  if (typeof message !== 'string') return thrown;
  const error = new (CLASSES[name] ?? Error)(message);
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name });
  return error;
}

/** Whether the realm in which this file is evaluated made it. */
export function isOurs(value: object): boolean {
  for (let at = value; ; ) {
    const next: unknown = prototypeOf(at);
    if ((typeof next !== 'object' && typeof next !== 'function') || next === null) return at === OURS;
    at = next;
  }
}
