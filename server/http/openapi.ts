import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'

import {
  type Endpoint,
  endpoints,
  eventStream,
  formatCount,
  JsonNumber,
  problem,
  propertyValues,
  scopes,
  sentMember,
} from '#contract/index.ts'
import { fixedDocument } from './compress.ts'
import { replyExamples } from './reply-examples.ts'
import { requestExamples } from './request-examples.ts'
import { nameSchemas } from './schema-names.ts'

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
  /** Absent if it needs what the whole API needs: a token. */
  security?: unknown[]
  description: string
  /** Shown beside the operation on the page for people. */
  'x-badges': readonly { readonly name: string }[]
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

const changeReason = header(
  'Change-Reason',
  { type: 'string', pattern: '^[ -~]+$', maxLength: 6000 },
  'Why the change is made: 1 to 500 characters as UTF-8, percent-encoded. Kept sealed with the changeset. A service may require it (422 `reason_required`).',
)

const deletionReference = header(
  'Deletion-Reference',
  { type: 'string', pattern: '^[ -~]*$', maxLength: 1200 },
  'What the deletion refers to, such as a ticket: at most 100 characters as UTF-8, percent-encoded. No personal data: it is kept after the deletion, and told with it. A service may require it (422 `reference_required`).',
)

const ifMatch = header(
  'If-Match',
  { type: 'string' },
  'An `ETag` that was answered, several, or `*`: the write happens only if that is still the current one. Spelled as a proxy that compresses spells it (`W/"…"`, `"…-gzip"`), it is the same.',
)

const ifNoneMatch = header(
  'If-None-Match',
  { type: 'string' },
  'An `ETag` that was answered, or several: where the answer would be the same, it is 304 without a body.',
)

const ifMissing = header(
  'If-None-Match',
  { type: 'string', enum: ['*'] },
  'With `*` the write happens only where there is nothing yet.',
)

const lastEventId = header(
  'Last-Event-ID',
  { type: 'string' },
  'The `id` of the last one that came: goes on after it, as `after` does.',
)

/** All documented endpoints by name: those of the contract and the event stream. */
const documented: Record<string, Endpoint> = { ...endpoints, streamEvents: eventStream }

const statusTexts: Record<number, string> = {
  200: 'Done.',
  201: 'Created; `Location` has the address.',
  204: 'Done; empty body.',
  303: 'Written; `Location` has the address.',
}

const etag = {
  schema: { type: 'string' },
  description: 'Stands for what can be edited of it, as it is now, and for this answer.',
}

const propertyWarnings = {
  schema: { type: 'string' },
  description:
    'Values that are stored in clear though their key is defined as sensitive, or its other values are: a list of structured fields (RFC 9651) such as `"known_sensitive";entity="person";key="phone"`, which ends in `"more"` where some are left out. The write is done as it was asked for.',
}

/** A problem as this service answers it; another one may leave out any of its members. */
const ownProblem = problem.required({
  type: true,
  title: true,
  status: true,
  detail: true,
  instance: true,
  code: true,
})

nameSchemas()

/** Builds the whole API as OpenAPI 3.1 from the contract table, without the server's address. */
function apiDescription(): Record<string, unknown> {
  // Collects schemas that refer to themselves.
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
    security: [{ bearer: [] }],
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
        Problem: jsonSchema(ownProblem, 'output', shared),
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
  const isWrite = endpoint.method !== 'GET'
  const problemReply = {
    description: 'A problem (RFC 9457) with `code`, and `errors` that point into the body.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
  return {
    operationId: name,
    // Plain text, unlike the description.
    summary: endpoint.summary.replaceAll('`', ''),
    description: [
      originOf(endpoint),
      scopesOf(endpoint),
      ...Object.entries(endpoint.memberNeeds ?? {}).map(
        ([member, scopes]) => `With "${member}" also ${scopes.join(', ')}.`,
      ),
    ].join(' '),
    'x-badges': [{ name: isAddition(endpoint) ? 'Addition' : 'API document' }],
    tags: [endpoint.tag],
    parameters: parametersOf(endpoint, shared),
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: jsonSchema(endpoint.body, 'input', shared),
            example: exampleOf(name, requestExamples),
          },
        },
      },
    }),
    ...(endpoint.upload && {
      requestBody: {
        required: true,
        description: `A file of at most ${formatCount(endpoint.upload.bytes)} bytes, read as it arrives.`,
        content: Object.fromEntries(endpoint.upload.types.map((type) => [type, {}])),
      },
    }),
    responses: {
      ...answersOf(name, endpoint, shared),
      ...(!isWrite &&
        endpoint.conditional && {
          304: { description: '`If-None-Match` names this very answer.', headers: { ETag: etag } },
        }),
      ...(isWrite &&
        endpoint.conditional && {
          412: {
            ...problemReply,
            description: endpoint.creates
              ? '`If-Match` is stale, or with `If-None-Match: *` there is one already.'
              : '`If-Match` is stale.',
            headers: { ETag: etag },
          },
        }),
      default: problemReply,
    },
    ...(endpoint.needs === 'public' && { security: [] }),
  }
}

/** Describes the answers to requests that are done. */
function answersOf(name: string, endpoint: Endpoint, shared: Definitions): Record<string, unknown> {
  return Object.fromEntries(
    endpoint.status.map((status) => [
      status,
      {
        description: statusTexts[status],
        ...(endpoint === eventStream && {
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        }),
        ...(status === 200 &&
          endpoint.reply && {
            content: {
              'application/json': {
                schema: jsonSchema(endpoint.reply, 'output', shared),
                example: exampleOf(name, replyExamples),
              },
            },
          }),
        ...(endpoint.file && {
          content: Object.fromEntries(
            endpoint.file.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
          ),
        }),
        ...headersOf(endpoint, status),
      },
    ]),
  )
}

function parametersOf(endpoint: Endpoint, shared: Definitions): Parameter[] {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => ({
    name: parameter,
    in: 'path' as const,
    required: true,
    schema: endpoint.texts?.shape[parameter]
      ? jsonSchema(endpoint.texts.shape[parameter] as z.ZodType, 'input', shared)
      : { type: 'string' },
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
    ...(isWrite && !endpoint.reply && !endpoint.upload ? [idempotencyKey] : []),
    ...(endpoint.reasoned ? [changeReason] : []),
    ...(endpoint.referenced ? [deletionReference] : []),
    ...(endpoint.conditional ? [isWrite ? ifMatch : ifNoneMatch] : []),
    ...(endpoint.creates ? [ifMissing] : []),
    ...(endpoint === eventStream ? [lastEventId] : []),
  ]
  return [...path, ...query, ...headers]
}

/** Finds the worked example of an operation; undefined without one. */
const exampleOf = (name: string, examples: Readonly<Record<string, unknown>>) => examples[name]

/** Whether an operation is none of the API document, whose answers never change. */
const isAddition = ({ addition, path }: Endpoint) => addition !== undefined || path === '/capabilities'

function originOf(endpoint: Endpoint): string {
  if (!isAddition(endpoint)) return 'Of the API document, whose answers stay as they are.'
  return endpoint.addition
    ? `An addition, ${endpoint.addition} in /capabilities.`
    : 'An addition, which tells all others.'
}

function scopesOf({ needs }: Endpoint): string {
  if (needs === 'public') return 'No token needed.'
  return needs.length > 0 ? `Needs ${needs.join(', ')}.` : 'Any token.'
}

function headersOf({ method, conditional, warns, file }: Endpoint, status: number): { headers?: object } {
  const headers = {
    ...(file && { 'Content-Disposition': { required: true, schema: { type: 'string' } } }),
    ...((status === 201 || status === 303) && {
      Location: { required: true, schema: { type: 'string', format: 'uri' } },
    }),
    ...(method === 'GET' && conditional && { ETag: etag }),
    ...(warns && { 'Property-Warnings': propertyWarnings }),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

type Definitions = Record<string, unknown>

/**
 * Describes an object of an answer as this service sends it: with the members that it always has, and null only where it
 * sends null. Further members of later releases need no word, because JSON Schema allows them.
 */
function describeSent({ shape }: z.ZodObject, written: Definitions, shared: Definitions): void {
  if (JSON.stringify(written.additionalProperties) === '{}') delete written.additionalProperties
  const properties = written.properties as Definitions
  const required = new Set(written.required as string[] | undefined)
  for (const [name, member] of Object.entries(shape)) {
    const { own, isAlways } = sentMember(member)
    if (isAlways) required.add(name)
    if (own) properties[name] = jsonSchema(own as z.ZodType, 'output', shared)
    else if (member instanceof z.ZodOptional && member.unwrap() instanceof z.ZodNullable)
      properties[name] = jsonSchema(
        (member.unwrap() as z.ZodNullable).unwrap() as z.ZodType,
        'output',
        shared,
      )
  }
  if (required.size > 0) written.required = Object.keys(shape).filter((name) => required.has(name))
}

/**
 * Converts a zod schema to JSON Schema 2020-12. A `JsonNumber`, which our parser makes of some numbers, is described as
 * the number that is sent. Parts that refer to themselves go to `shared`, the component schemas of the whole document.
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', shared: Definitions): Definitions {
  // Within another object, because zod names only schemas that others refer to.
  const described = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      if (zodSchema instanceof z.ZodCustom && zodSchema.safeParse(new JsonNumber('1')).success)
        written.type = 'number'
      if (io === 'output' && zodSchema instanceof z.ZodObject) describeSent(zodSchema, written, shared)
    },
  }) as Definitions
  // zod resolves references from the root of each schema; in a document that combines many, they would lead nowhere.
  const {
    $defs = {},
    properties: { schema: placed },
  } = JSON.parse(
    JSON.stringify(described, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string'
        ? value.replace(/^#\/\$defs\//, '#/components/schemas/')
        : value,
    ),
  ) as { $defs?: Definitions; properties: { schema: Definitions } }
  for (const [name, definition] of Object.entries($defs)) {
    if (!isDeepStrictEqual(shared[name] ?? definition, definition))
      throw new Error(`There are two schemas of the name ${name}.`)
    shared[name] = definition
  }
  return placed
}

const descriptionJson = JSON.stringify(apiDescription())

/** Documents by address. A service is known by a few: a client can make up more only on the machine itself. */
const documents = new Map<string, Buffer>()
const maxDocuments = 8

/** Returns the API document for one address. Only the address differs, so the rest is serialized once. */
export function apiDocument(baseUrl: string): Buffer {
  const known = documents.get(baseUrl)
  if (known) return known
  const document = fixedDocument(
    `{"servers":${JSON.stringify([{ url: baseUrl }])},${descriptionJson.slice(1)}`,
  )
  if (documents.size >= maxDocuments) documents.delete(documents.keys().next().value ?? '')
  documents.set(baseUrl, document)
  return document
}
