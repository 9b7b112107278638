/** What a person looks at: an index, the OpenAPI documents, and Swagger UI over them, from files of our own. */

import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../wire/openapi.ts';
import { send } from './route-shape.ts';
import type { KnownPath } from './unrouted.ts';

export interface DocumentPages {
  readonly version: string;
  /** The control surface's document. */
  readonly controlDocument: Readonly<Record<string, unknown>>;
}

export const DOCUMENT_PATHS: readonly KnownPath[] = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/control/openapi.json' },
  { method: 'GET', path: '/docs' },
];

export async function addDocumentPages(
  app: FastifyInstance,
  { version, controlDocument }: DocumentPages,
): Promise<void> {
  const index = JSON.stringify({
    ...{ name: 'oddsmith sandbox', version, openapi: '/openapi.json', docs: '/docs' },
    ...{ control: '/control/openapi.json', stream: '/' },
  });
  const api = openApiDocument();
  app.get('/', (_, reply) => send(reply, { status: 200, text: index }));
  // A server address that is relative to the document: it holds for whatever name the sandbox is reached by.
  const servers = [{ url: '/' }];
  const apiText = JSON.stringify({ ...api, servers });
  app.get('/openapi.json', (_, reply) => send(reply, { status: 200, text: apiText }));
  const controlText = JSON.stringify({ ...controlDocument, servers });
  app.get('/control/openapi.json', (_, reply) => send(reply, { status: 200, text: controlText }));
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: 'x', version }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      urls: [
        { url: '/openapi.json', name: 'Exchange' },
        { url: '/control/openapi.json', name: 'Control' },
      ],
    },
  });
}
