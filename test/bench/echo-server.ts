/** Bare fastify as a process of its own: the yardstick of the sandbox benches, which answers recorded bytes. */

import Fastify from 'fastify';
import { answerTimes, type EchoAccess, type EchoRoute } from './server-message.ts';

const routes = JSON.parse(process.argv[2] ?? '[]') as readonly EchoRoute[];
const app = Fastify();
for (const { method, path, headers, text } of routes) {
  app.route({ method, url: path, handler: (_, reply) => reply.headers(headers).send(text) });
}
const url = await app.listen({ host: '127.0.0.1', port: 0 });
answerTimes(() => app.close());
process.send?.({ url } satisfies EchoAccess);
