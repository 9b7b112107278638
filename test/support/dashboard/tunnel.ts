/** What stands between a page and its server, as a tunnel does, and can break without a word. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** `stall`: what is open stays open, and brings nothing any more. */
export async function tunnelTo(port: number) {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    sockets.push(near, far);
    near.pipe(far).pipe(near);
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const stall = (): void => {
    for (const socket of sockets) socket.unpipe().resume();
  };
  return { port: (server.address() as AddressInfo).port, stall };
}
