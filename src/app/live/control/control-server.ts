/** The daemon's side of the control socket: who may open it is decided by the file system alone. */

import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { defined } from '../../../core/checks/assert.ts';
import { type ControlReply, type ControlRequest, LINE_MAX, PROCESS_FILE, readRequest } from './control-protocol.ts';
import { ownMark } from './process-mark.ts';

/** Replies to a request one or more times; the last reply ends it. Never throws. */
export type Answer = (request: ControlRequest, reply: (reply: ControlReply) => void) => Promise<void>;

const CONNECTIONS_MAX = 32;
/** A client that sends nothing for this long is disconnected, unless it waits for a reply. */
const IDLE_MS = 30_000;
const OWNER_ONLY = 0o600;

export class ControlServer {
  readonly #path: string;
  readonly #processFile: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #answering = new Set<Promise<void>>();

  #answer: Answer | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#processFile = join(dirname(path), PROCESS_FILE);
    this.#server = createServer((socket) => this.#meet(socket));
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /**
   * Replaces what a killed daemon left there: the caller holds the journal, so that no other daemon lives. Until it is its
   * owner's alone, the state directory keeps others from it; a umask is the whole process's, and no thread's to set. Where it is open
   * already, requests are answered so from now on.
   */
  async open(answer: Answer): Promise<void> {
    this.#answer = answer;
    if (this.#server.listening) return;
    rmSync(this.#path, { force: true });
    // Who finds that nobody answers can tell which process to end.
    writeFileSync(this.#processFile, `${JSON.stringify(ownMark())}\n`, { mode: OWNER_ONLY });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#path, resolve);
    });
    chmodSync(this.#path, OWNER_ONLY);
  }

  /** Replies that are ready are sent first. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await Promise.all(this.#answering);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
    rmSync(this.#processFile, { force: true });
  }

  #meet(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // The client has gone away: nothing can be sent to it.
    socket.on('error', () => socket.destroy());
    socket.setEncoding('utf8');
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    let received = '';
    socket.on('data', (piece: string) => {
      received += piece;
      if (received.length > LINE_MAX) return refuse(socket, `a request has at most ${LINE_MAX} characters`);
      const lines = received.split('\n');
      received = lines.pop() ?? '';
      for (const line of lines) void this.#onLine(socket, line);
    });
  }

  async #onLine(socket: Socket, line: string): Promise<void> {
    const request = readRequest(line);
    if ('fault' in request) return refuse(socket, request.fault);
    socket.setTimeout(0);
    const answer = defined(this.#answer, 'an open server answers')(request, (reply) => write(socket, reply));
    this.#answering.add(answer);
    await answer.finally(() => this.#answering.delete(answer));
    socket.setTimeout(IDLE_MS, () => socket.destroy());
  }
}

function refuse(socket: Socket, what: string): void {
  write(socket, { v: 1, kind: 'refused', code: 'BAD_REQUEST', what });
  socket.destroySoon();
}

function write(socket: Socket, reply: ControlReply): void {
  if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
}
