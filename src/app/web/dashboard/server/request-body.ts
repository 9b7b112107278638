/** Reads the body of a POST: one small JSON object of texts, or nothing. */

import type { IncomingMessage } from 'node:http';

const BYTES_MAX = 4_096;

type Fields = Readonly<Record<string, string>>;

/** Undefined where the body is larger, of another type, or anything but an object of texts. */
export async function readBody(request: IncomingMessage): Promise<Fields | undefined> {
  // A form of another page cannot send this type without asking first, which nobody answers.
  if (request.headers['content-type']?.split(';')[0]?.trim() !== 'application/json') return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request) {
      bytes += piece.length;
      if (bytes > BYTES_MAX) return undefined;
      pieces.push(piece);
    }
  } catch {
    // The caller went away in the middle of it: there is nobody to answer.
    return undefined;
  }
  return fieldsOf(Buffer.concat(pieces).toString('utf8'));
}

function fieldsOf(text: string): Fields | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(said)) {
    if (typeof value !== 'string') return undefined;
    fields[name] = value;
  }
  return fields;
}
