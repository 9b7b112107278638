/** Builds the OpenAPI 3.1 document of the control surface from its table of endpoints. */

import type { TObject, TSchema } from '@sinclair/typebox';
import { Problem } from '../../betdex/wire/answers.ts';
import { pathParametersOf } from '../../betdex/wire/endpoint.ts';
import type { AnyControlEndpoint } from './control-endpoint.ts';

type Json = Record<string, unknown>;

export function controlDocument(endpoints: readonly AnyControlEndpoint[]): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = `/control${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sandbox control', version: '0.1', description: DESCRIPTION },
    security: [{ controlKey: [] }],
    tags: [{ name: 'Sandbox control' }],
    paths,
    components: { securitySchemes: { controlKey: { type: 'http', scheme: 'bearer' } } },
  };
}

const DESCRIPTION =
  'What no exchange offers: making and moving everything on it, and faults on purpose. Its key is made, and printed, when the sandbox starts.';

function operationOf({ method, path, summary, body, answer }: AnyControlEndpoint): Json {
  const parameters = pathParametersOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const problems = body === undefined ? REFUSALS : [...REFUSALS, '413', '415'];
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary,
    tags: ['Sandbox control'],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonOf(asRequest(body)) } }),
    responses: {
      200: { description: 'OK', content: jsonOf(answer) },
      ...Object.fromEntries(problems.map((status) => [status, { description: 'refused', content: jsonOf(Problem) }])),
    },
  };
}

const REFUSALS = ['400', '401', '404', '409'];

function jsonOf(schema: TSchema): Json {
  // The copy through JSON drops TypeBox's symbol properties, which are not part of a document.
  return { 'application/json': { schema: JSON.parse(JSON.stringify(schema)) } };
}

/** The schema of a request, in which a field with a default is optional. */
function asRequest(body: TObject): TSchema {
  const required: readonly string[] = body.required ?? [];
  return { ...body, required: required.filter((key) => body.properties[key]?.['default'] === undefined) };
}
