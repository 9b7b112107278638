/** Runs a command that the modes of files can stop. */

/**
 * Root reads and writes whatever the modes say. The same user without the two capabilities that allow it is stopped by
 * them like any other owner, and still reaches a checkout in a directory of root's own, which another user would not.
 */
export function obeyingModes(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--', ...command];
}
