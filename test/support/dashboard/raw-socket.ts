/** Bytes to a server as no client library would send them, and all that comes back. */

import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawTalk {
  /** What came back until the server ended it, or until a moment after its last byte. */
  readonly text: string;
  readonly isEnded: boolean;
}

const QUIET_MS = 400;

export function talkRaw(port: number, sent: string): Promise<RawTalk> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    let text = '';
    const done = (isEnded: boolean) => resolve({ text, isEnded });
    let quiet = setTimeout(() => done(false), 4 * QUIET_MS);
    socket.on('data', (piece) => {
      text += piece.toString();
      clearTimeout(quiet);
      quiet = setTimeout(() => done(false), QUIET_MS);
    });
    socket.on('close', () => {
      clearTimeout(quiet);
      done(true);
    });
    // Cut off in the middle of what it sends: the close follows.
    socket.on('error', () => socket.destroy());
    socket.write(sent);
  });
}
