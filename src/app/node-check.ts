/**
 * Whether the Node that runs us is new enough. It is asked before anything else is loaded, so that what stands here is
 * read by Nodes that are not: no import, and no syntax that Node 12 does not know.
 */

/**
 * The floor that `engines` in package.json names: Node-API 10, which better-sqlite3 asks for and without which the
 * process dies of a segmentation fault, came with 22.14 and 23.6, and zstd with 22.15 and 23.8.
 */
export const NODE_FLOOR = '22.15';
const FLOOR_OF_23 = 8;

/** What a refusal says, as one block for people or as JSON; undefined where the version is new enough. */
export function nodeRefusal(version: string, isJson: boolean): string | undefined {
  if (isNewEnough(version)) return undefined;
  const parts = {
    code: 'NODE_TOO_OLD',
    what: `oddsmith needs Node ${NODE_FLOOR}, 23.${FLOOR_OF_23} or newer, and this is Node ${version}.`,
    where: process.execPath,
    why: 'What it is built on does not run, or does not run safely, on an older one.',
    next: 'Install Node 24 (https://nodejs.org); or let npm bring one for this directory alone: npm install node@24, and then npx oddsmith … (in the repository of oddsmith: npm ci, and then npm run -s oddsmith -- …)',
  };
  if (isJson) return `${JSON.stringify({ error: parts })}\n`;
  const { code, what, where, why, next } = parts;
  return `error ${code}  ${what}\n  where  ${where}\n  why    ${why}\n  next   ${next}\n`;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [floorMajor = 0, floorMinor = 0] = NODE_FLOOR.split('.').map(Number);
  if (major === 23) return minor >= FLOOR_OF_23;
  return major > floorMajor || (major === floorMajor && minor >= floorMinor);
}
