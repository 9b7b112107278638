/** Asks the system how much of what was sent over a connection its other end has not read. */

import { readFile } from 'node:fs/promises';

export interface PortPair {
  readonly local: number;
  readonly remote: number;
}

/** Linux alone tells; connections of IPv6 are in a file of their own. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const PORTS_AND_QUEUES =
  /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]+):([0-9A-F]+) /gm;

let reading: Promise<string | undefined> | undefined;

/**
 * The bytes that wait here for the network, and those that the other end has received and not read, where that is on this
 * machine. Undefined where the system does not tell.
 */
export async function unreadBytes({ local, remote }: PortPair): Promise<number | undefined> {
  // One reading takes some ms of the system's time: all who ask meanwhile share it.
  reading ??= readTables().finally(() => {
    reading = undefined;
  });
  const tables = await reading;
  if (tables === undefined) return undefined;
  let bytes: number | undefined;
  for (const [, from = '', to = '', waiting = '', received = ''] of tables.matchAll(PORTS_AND_QUEUES)) {
    const [here, there] = [hex(from), hex(to)];
    if (here === local && there === remote) bytes = (bytes ?? 0) + hex(waiting);
    else if (here === remote && there === local) bytes = (bytes ?? 0) + hex(received);
  }
  return bytes;
}

async function readTables(): Promise<string | undefined> {
  const texts = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => undefined)));
  const found = texts.filter((text) => text !== undefined);
  return found.length === 0 ? undefined : found.join('\n');
}

function hex(digits: string): number {
  return Number.parseInt(digits, 16);
}
