/** Stands before a sandbox's stream and passes everything on; what comes back is what a test makes of each message. */

import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

export type StreamMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** What becomes of a message: each of these is a frame of its own, a text as it is, all else as JSON. None: it is lost. */
export type Fate = readonly { readonly frame: unknown; readonly afterMs?: number }[];

export interface StreamProxy {
  readonly url: string;
  /** Where it is absent, messages pass as they are. */
  fate: ((message: StreamMessage) => Fate) | undefined;
  /** Whether it answers pings: else all messages are lost as well, and the connection stays. */
  lives: boolean;
  /** Sends a frame to all who listen, as if the exchange did. */
  say(frame: unknown): void;
}

/** For one test, at whose end it is closed. Pings it answers itself: a connection lives whatever becomes of its messages, unless it is to be dead. */
export async function openStreamProxy(target: string): Promise<StreamProxy> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong: false });
  await new Promise((resolve) => server.once('listening', resolve));
  const outward = new Set<WebSocket>();
  const state: Pick<StreamProxy, 'fate' | 'lives'> = { fate: undefined, lives: true };
  server.on('connection', (inward) => {
    const upstream = new WebSocket(target);
    outward.add(upstream);
    const opened = new Promise((resolve) => upstream.once('open', resolve));
    inward.on('message', (data) => void opened.then(() => upstream.send(data.toString())));
    inward.on('ping', (data) => {
      if (state.lives) inward.pong(data);
    });
    upstream.on('message', (data) => {
      if (!state.lives) return;
      for (const message of messagesIn(data.toString()))
        for (const { frame, afterMs } of state.fate?.(message) ?? [{ frame: message }])
          if (afterMs === undefined) send(inward, frame);
          else setTimeout(() => send(inward, frame), afterMs);
    });
    inward.on('close', () => upstream.terminate());
    upstream.on('close', () => inward.terminate());
    for (const socket of [inward, upstream]) socket.on('error', () => socket.terminate());
  });
  onTestFinished(async () => {
    for (const socket of [...outward, ...server.clients]) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  return Object.assign(state, {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    say: (frame: unknown) => {
      for (const client of server.clients) send(client, frame);
    },
  });
}

function messagesIn(frame: string): readonly StreamMessage[] {
  const read: StreamMessage | readonly StreamMessage[] = JSON.parse(frame);
  return [read].flat();
}

function send(client: WebSocket, frame: unknown): void {
  if (client.readyState === WebSocket.OPEN) client.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
}
