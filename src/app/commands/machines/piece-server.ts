/** Serves the pieces of a tape and their list over HTTP, for reading alone. */

import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MANIFEST_FILE, type Manifest, readManifest, type TapePiece } from '../../../recording/pieces/manifest.ts';
import { followed } from '../../../recording/tape/path-kind.ts';
import { TapeFailure } from '../../../recording/tape/tape-failure.ts';

export interface PieceServer {
  readonly address: string;
  readonly manifest: Manifest;
  /** Ends at once: a piece that is on its way is cut off, and whoever fetches it notices. */
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly directory: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly onServed: (request: { readonly path: string; readonly status: number }) => void;
}

/** @throws TapeFailure PIECES_NOT_FOUND, PIECES_UNREADABLE; an error of the system's where it cannot listen */
export async function servePieces({ directory, host, port, onServed }: ServeOptions): Promise<PieceServer> {
  const manifest = readManifest(join(directory, MANIFEST_FILE));
  for (const piece of manifest.pieces) checkPiece(directory, piece);
  const pieceBySha256 = new Map(manifest.pieces.map((piece) => [piece.sha256, piece]));
  const server = createServer((request, response) => {
    void answer(request, response, { directory, pieceBySha256 }).then(() =>
      onServed({ path: request.url ?? '', status: response.statusCode }),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return { address: addressOf(server), manifest, close: () => closed(server) };
}

function checkPiece(directory: string, { file, bytes }: TapePiece): void {
  const path = join(directory, file);
  const { kind, words } = followed(path);
  const next = 'split the tape again, into another directory';
  if (kind === 'nothing') throw new TapeFailure('PIECES_NOT_FOUND', path, path, next);
  if (kind !== 'file') throw new TapeFailure('PIECES_UNREADABLE', path, `it is ${words}`, next);
  const { size } = statSync(path);
  if (size !== bytes)
    throw new TapeFailure('PIECES_UNREADABLE', path, `it has ${size} bytes, and its list says ${bytes}`, next);
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

interface Served {
  readonly directory: string;
  readonly pieceBySha256: ReadonlyMap<string, TapePiece>;
}

/** What is served is found by its hash alone: no part of an address becomes a path. */
async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const path = request.url ?? '';
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'read only', { Allow: 'GET, HEAD' });
  if (path === `/${MANIFEST_FILE}`) return send(request, response, join(served.directory, MANIFEST_FILE), JSON_TYPE);
  const [, sha256 = ''] = /^\/blobs\/([0-9a-f]{64})$/.exec(path) ?? [];
  const piece = served.pieceBySha256.get(sha256);
  if (piece === undefined) return refuse(response, 404, `there are /${MANIFEST_FILE} and /blobs/SHA256`);
  return send(request, response, join(served.directory, piece.file), 'application/octet-stream');
}

const JSON_TYPE = 'application/json';

async function send({ method }: IncomingMessage, response: ServerResponse, path: string, type: string): Promise<void> {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return refuse(response, 404, 'it was removed');
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': size });
  if (method === 'HEAD') {
    response.end();
    return;
  }
  try {
    // No more than was announced, should the file grow.
    if (size === 0) response.end();
    else await pipeline(createReadStream(path, { end: size - 1 }), response);
  } catch {
    // Whoever asked went away, or the file cannot be read any further: the connection is cut, and the piece's hash will not fit.
    response.destroy();
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'text/plain', ...headers });
  response.end(`${text}\n`);
}

async function closed(server: Server): Promise<void> {
  const gone = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await gone;
}
