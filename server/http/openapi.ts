import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import * as z from 'zod'

import {
  type Endpoint,
  endpoints,
  eventStream,
  JsonNumber,
  problem,
  propertyValues,
  scopes,
} from '#contract/index.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: unknown
  description?: string
}

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: unknown
  responses: Record<string, unknown>
  security: unknown[]
  description: string
}

const header = (name: string, schema: object, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  schema,
  description,
})

const idempotencyKey = header(
  'Idempotency-Key',
  { type: 'string', pattern: '^[!-~]{1,200}$' },
  'Sent again within 24 hours with the same key, the write is not done again: the first answer comes back, with `Idempotency-Replayed: true`.',
)

const ifMatch = header(
  'If-Match',
  { type: 'string' },
  'An `ETag` that was answered, several, or `*`: the write happens only if that is still the current one.',
)

const lastEventId = header(
  'Last-Event-ID',
  { type: 'string' },
  'The `id` of the last one that came: goes on after it, as `after` does.',
)

/** All that is answered, by name. */
const documented: Record<string, Endpoint> = { ...endpoints, streamEvents: eventStream }

const statusTexts: Record<number, string> = {
  200: 'Done.',
  201: 'Created; `Location` has the address.',
  204: 'Done; empty body.',
  303: 'Written; `Location` has the address.',
}

const etag = {
  schema: { type: 'string' },
  description: 'Stands for what can be edited of it, as it is now.',
}

/** The whole API as OpenAPI 3.1, made from the contract table; all but the address that it is served at. */
function apiDescription(): Record<string, unknown> {
  // Schemas that refer to themselves, as they are met.
  const shared: Definitions = {}
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, endpoint] of Object.entries(documented)) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(name, endpoint, shared)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Data Store Service',
      version: '1.5',
      description:
        'Users own entities, entities hold typed properties; segments, data types and an event log.',
    },
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `Scopes: ${scopes.join(', ')}.`,
        },
      },
      schemas: {
        Problem: jsonSchema(problem, 'output', shared),
        ...Object.fromEntries(
          Object.entries(propertyValues).map(([type, schema]) => [
            `Value_${type}`,
            jsonSchema(schema, 'input', shared),
          ]),
        ),
        ...shared,
      },
    },
  }
}

function operation(name: string, endpoint: Endpoint, shared: Definitions): Operation {
  const needs = endpoint.needs === 'public' ? [] : endpoint.needs
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => ({
    name: parameter,
    in: 'path' as const,
    required: true,
    schema: { type: 'string' },
  }))
  const shape = { ...endpoint.query?.shape, ...endpoint.additionalQuery?.shape }
  const query = Object.entries(shape).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query' as const,
    required: false,
    schema: jsonSchema(schema as z.ZodType, 'input', shared),
  }))
  const isWrite = endpoint.method !== 'GET'
  const headers = [
    ...(isWrite && !endpoint.reply ? [idempotencyKey] : []),
    ...(isWrite && endpoint.conditional ? [ifMatch] : []),
    ...(endpoint === eventStream ? [lastEventId] : []),
  ]
  const problemReply = {
    description: 'A problem (RFC 9457) with `code`, and `errors` that point into the body.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
  return {
    operationId: name,
    summary: endpoint.summary,
    description: needs.length > 0 ? `Needs ${needs.join(', ')}.` : 'No token needed.',
    tags: [endpoint.tag],
    parameters: [...path, ...query, ...headers],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input', shared) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        endpoint.status.map((status) => [
          status,
          {
            description: statusTexts[status],
            ...(endpoint === eventStream && {
              content: { 'text/event-stream': { schema: { type: 'string' } } },
            }),
            ...(status === 200 &&
              endpoint.reply && {
                content: { 'application/json': { schema: jsonSchema(endpoint.reply, 'output', shared) } },
              }),
            ...((status === 201 || status === 303) && {
              headers: { Location: { required: true, schema: { type: 'string', format: 'uri' } } },
            }),
            ...(!isWrite && endpoint.conditional && { headers: { ETag: etag } }),
          },
        ]),
      ),
      ...(isWrite &&
        endpoint.conditional && {
          412: { ...problemReply, description: '`If-Match` is stale.', headers: { ETag: etag } },
        }),
      default: problemReply,
    },
    security: needs.length > 0 ? [{ bearer: [] }] : [],
  }
}

type Definitions = Record<string, unknown>

/**
 * A zod schema as JSON Schema 2020-12. A `JsonNumber` is how our parser hands on a number: on the wire it is one. Where
 * a part refers to itself, it goes to `shared`, which stands among the schemas of the whole document.
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', shared: Definitions): Definitions {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      if (zodSchema instanceof z.ZodCustom && zodSchema.safeParse(new JsonNumber('1')).success)
        written.type = 'number'
    },
  }) as Definitions
  // zod refers from the root of each schema: in one document of many, that is nowhere.
  const { $defs = {}, ...placed } = JSON.parse(
    JSON.stringify(described, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string'
        ? value.replace(/^#\/\$defs\//, '#/components/schemas/')
        : value,
    ),
  ) as Definitions & { $defs?: Definitions }
  for (const [name, definition] of Object.entries($defs)) {
    if (!isDeepStrictEqual(shared[name] ?? definition, definition))
      throw new Error(`There are two schemas of the name ${name}.`)
    shared[name] = definition
  }
  return placed
}

const described = JSON.stringify(apiDescription())

/** Made once: only the address of the service differs. */
export function apiDocument(baseUrl: string): string {
  return `{"servers":${JSON.stringify([{ url: baseUrl }])},${described.slice(1)}`
}

const styles = `:root{color-scheme:light dark;--line:light-dark(#dee2e6,#373a40);--dim:light-dark(#5c636a,#a6a7ab)}
body{font:14px/1.5 Inter,system-ui,sans-serif;max-width:960px;margin:0 auto;padding:24px 16px 64px;background:light-dark(#fff,#1a1b1e);color:light-dark(#1f2328,#e9ecef)}
h1{font-size:20px}h2{font-size:16px;margin:32px 0 8px}code,pre{font:12px/1.5 "JetBrains Mono",ui-monospace,monospace}
details{border-top:1px solid var(--line)}summary{cursor:pointer;padding:8px 4px;display:flex;gap:12px;align-items:baseline;flex-wrap:wrap}
summary:focus-visible{outline:2px solid light-dark(#4263eb,#748ffc)}.method{font-weight:600;width:56px}.dim{color:var(--dim)}
pre{border:1px solid var(--line);border-radius:4px;padding:12px;overflow-x:auto;margin:4px 0 12px}section{padding:0 4px 8px 72px}
@media(max-width:640px){section{padding-left:4px}}p{margin:4px 0}a{color:light-dark(#3b5bdb,#91a7ff)}`

/** The same for people: one page without scripts. */
export const apiPage = {
  html: page(),
  policy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

function page(): string {
  const byTag = Map.groupBy(Object.entries(documented), ([, endpoint]) => endpoint.tag)
  const sections = [...byTag].map(
    ([tag, list]) =>
      `<h2>${tag}</h2>${list.map(([name, endpoint]) => operationHtml(operation(name, endpoint, {}), endpoint)).join('')}`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Data Store API</title><style>${styles}</style></head>
<body><main><h1>Data Store API</h1><p class="dim">Version 1.5. Send an access token as <code>Authorization: Bearer …</code>. The same for programs: <a href="openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`
}

function operationHtml(described: Operation, { method, path, body, reply, status }: Endpoint): string {
  const parameters = described.parameters
    .filter((parameter) => parameter.in !== 'path')
    .map(
      ({ name, in: place, schema, description = '' }) =>
        `<p>${place === 'query' ? 'Query' : 'Header'} <code>${name}</code> ${withCode(description)}</p><pre>${json(schema)}</pre>`,
    )
  return `<details><summary><code class="method">${method}</code><code>${path}</code><span class="dim">${escapeHtml(described.summary)}</span></summary><section>
<p class="dim">${escapeHtml(described.description)} Answers ${status.map((code) => `${code} ${withCode(statusTexts[code] ?? '')}`).join(' ')}</p>${parameters.join('')}
${body ? `<p>Request body</p><pre>${json(jsonSchema(body, 'input', {}))}</pre>` : ''}${reply ? `<p>Response body</p><pre>${json(jsonSchema(reply, 'output', {}))}</pre>` : ''}</section></details>`
}

function json(value: unknown): string {
  return escapeHtml(JSON.stringify(value, undefined, 2))
}

/** Backquotes, as the description for programs has them (CommonMark), as code. */
function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
