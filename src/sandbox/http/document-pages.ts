/** What a person looks at: an index, the OpenAPI documents, and Swagger UI over them, from files of our own. */

import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../betdex/wire/openapi.ts';
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
  // An address relative to the document holds for whatever name the sandbox is reached by.
  const servers = [{ url: '/' }];
  const api = { ...openApiDocument(), servers };
  const texts = {
    '/': index,
    '/openapi.json': JSON.stringify(api),
    '/control/openapi.json': JSON.stringify({ ...controlDocument, servers }),
  };
  for (const [path, text] of Object.entries(texts)) app.get(path, (_, reply) => send(reply, { status: 200, text }));
  const info = { title: 'oddsmith sandbox', version };
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info, paths: {}, ...api } },
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
