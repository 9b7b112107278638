/** Reads what messages of changes have in common, and leaves the changes themselves unread. */

import { documentReader } from '../../../codec/codec-read.ts';
import { document, type Read, text } from '../../../codec/notation.ts';
import { CHANGE_ENVELOPE } from '../../wire/stream/messages.ts';
import type { StreamFeed } from './stream-event.ts';

const Envelope = document('ChangeEnvelope', { op: text, ...CHANGE_ENVELOPE });
const readEnvelope = documentReader(Envelope);

export interface ChangeEnvelope extends Read<typeof Envelope> {
  readonly changes: readonly unknown[];
}

/** The feed of a message's op, and the field that holds its changes. */
const LISTS: Readonly<Record<string, { readonly feed: StreamFeed; readonly list: 'mc' | 'oc' }>> = {
  mcm: { feed: 'markets', list: 'mc' },
  ocm: { feed: 'orders', list: 'oc' },
};

export function feedOf(op: unknown): StreamFeed | undefined {
  return typeof op === 'string' && Object.hasOwn(LISTS, op) ? LISTS[op]?.feed : undefined;
}

/** Undefined where it is no message of changes: one without a time tells its status alone. */
export function envelopeOf(message: Readonly<Record<string, unknown>>): ChangeEnvelope | undefined {
  const envelope = readEnvelope(message);
  const changes = message[LISTS[String(message['op'])]?.list ?? ''] ?? [];
  if (envelope.kind !== 'read' || !Array.isArray(changes)) return undefined;
  const { pt, status } = envelope.value;
  const isReadable = pt !== undefined || (status !== undefined && changes.length === 0);
  return isReadable ? { ...envelope.value, changes } : undefined;
}
