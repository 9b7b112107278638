/** A message as the bytes of one frame, so that many connections can be sent the same. */

import { serverMessageToWire } from '../../betdex/wire/messages/stream-codec.ts';

type Message = Parameters<typeof serverMessageToWire>[0];

/** Always a bare object: clients read an array of messages too, but not for every type (wire-shapes D). */
export function frame(message: Message): Buffer {
  return Buffer.from(JSON.stringify(serverMessageToWire(message)));
}
