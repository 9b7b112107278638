/** Encodes a message as the bytes of one frame, so that it can be sent to many connections. */

import { serverMessageToWire } from '../../betdex/wire/messages/stream-codec.ts';

/** Always a single object: clients also accept an array of messages, but not for every type (wire-shapes D). */
export function frame(message: Parameters<typeof serverMessageToWire>[0]): Buffer {
  return Buffer.from(JSON.stringify(serverMessageToWire(message)));
}
