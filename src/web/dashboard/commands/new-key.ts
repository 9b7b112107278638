/** The key of a command that is asked for: a second request with it is the same command. */

/** Also where the page is not served over a secure connection. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
