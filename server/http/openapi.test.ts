import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { generateSource } from 'oazapfts'
import { expect, test, vi } from 'vitest'

import { endpoints } from '#contract/index.ts'
import { apiDocument } from './openapi.ts'

type Document = Record<string, unknown> & { paths: Record<string, Record<string, unknown>> }

const parsed = () => JSON.parse(String(apiDocument('https://example.org/api'))) as Document

/** Returns the faults that an independent validator finds, including references that lead nowhere. */
async function faults(document: Document): Promise<string[]> {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(document)
  if (!valid) return [JSON.stringify(errors)]
  try {
    validator.resolveRefs()
    return []
  } catch (error) {
    return [String(error)]
  }
}

test('is valid OpenAPI, and every reference leads somewhere', async () => {
  expect(parsed()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://example.org/api' }] })
  expect(await faults(parsed())).toEqual([])

  const astray = JSON.parse(JSON.stringify(parsed()).replace('#/components/schemas/Filter', '#/$defs/Filter'))
  expect(await faults(astray as Document)).not.toEqual([])
  expect(await faults({ ...parsed(), paths: { '/users': { get: { responses: 'any' } } } })).not.toEqual([])
})

interface Content {
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>
}

test('has an example of each body, right by its schema, and tells additions from the API document', () => {
  // Closed, so that an example with a member that is none is wrong too. Only how a column is read has members by its
  // kind, which the description leaves open.
  const closed = JSON.parse(JSON.stringify(parsed()), (key, value: unknown) =>
    key !== 'proposed' &&
    key !== 'mapping' &&
    isObject(value) &&
    isObject(value.properties) &&
    value.type === 'object'
      ? { additionalProperties: false, ...value }
      : value,
  ) as Document
  const checker = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  checker.addSchema(closed, 'api')
  const wrong: unknown[] = []
  for (const [path, operations] of Object.entries(closed.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const { requestBody, responses, description } = operation as {
        requestBody?: Content
        responses: Record<string, Content>
        description: string
      }
      const within = `api#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`
      for (const [place, body] of [
        ['requestBody', requestBody],
        ['responses/200', responses[200]],
      ] as const) {
        const json = body?.content?.['application/json']
        if (!json) continue
        expect(json.example, `${method} ${path} ${place}`).toBeTypeOf('object')
        const validate = checker.getSchema(`${within}/${place}/content/application~1json/schema`)
        if (validate?.(json.example) !== true) wrong.push([method, path, place, validate?.errors])
      }
      expect(description).toMatch(/^(?:An addition, |Of the API document, )/)
    }
  expect(wrong).toEqual([])
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

test('is built once for all addresses, and kept for each', () => {
  const readSummary = vi.spyOn(endpoints.listUsers, 'summary', 'get')
  try {
    const addresses = Array.from({ length: 20 }, (_, port) => `http://localhost:${port + 1}/api`)
    const descriptions = addresses.map((address) => {
      const { servers, ...description } = JSON.parse(String(apiDocument(address))) as Document
      expect(servers).toEqual([{ url: address }])
      return JSON.stringify(description)
    })
    expect(new Set(descriptions).size).toBe(1)
    // The summary is read from the contract whenever a description is built.
    expect(readSummary).not.toHaveBeenCalled()
    expect(apiDocument('https://example.org/api')).toBe(apiDocument('https://example.org/api'))
  } finally {
    readSummary.mockRestore()
  }
})

test('gives a client that compiles, and that knows the types', async () => {
  // The generated client lies inside `node_modules`, because it imports its runtime from there.
  const cache = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(path.join(cache, 'client-'))
  try {
    const document = path.join(folder, 'openapi.json')
    writeFileSync(document, apiDocument('https://example.org/api'))
    writeFileSync(path.join(folder, 'client.ts'), await generateSource(document))
    writeFileSync(
      path.join(folder, 'use.ts'),
      `import { createSegment, getEntity, getSegment, getUser, listUsers } from './client.ts'
import { patchUser, replaceEntity, replaceSegment } from './client.ts'

type Done<Reply> = Extract<Reply, { status: 200 }>
const isDone = <Reply extends { status: number }>(reply: Reply): reply is Done<Reply> => reply.status === 200

const reply = await listUsers()
if (isDone(reply)) for (const { id } of reply.data.users) await getUser(id)
await createSegment({ name: 'All', filter: { not: { all: [{ any: [] }] } } })
// @ts-expect-error A filter is no text.
await createSegment({ name: 'All', filter: 'everybody' })

const user = await getUser('1')
if (isDone(user)) await patchUser('1', { ...user.data, name: user.data.name.trim() })
const entity = await getEntity('1', '2')
if (isDone(entity)) {
  const { properties } = entity.data
  properties.push({ key: 'doors', type: 'NUMBER', sensitive: false, value: 5 })
  await replaceEntity('1', '2', { ...entity.data, properties })
  // @ts-expect-error There is no such data type.
  properties.push({ key: 'doors', type: 'STRING', sensitive: false })
}
const segment = await getSegment('1')
if (isDone(segment)) {
  const { name, filter } = segment.data
  await replaceSegment('1', { ...segment.data, name: name.trim(), filter: { not: filter } })
}
`,
    )
    const compiler = path.join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'lib', 'tsc.js')
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions']
    const libraries = ['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--types', '']
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck']
    const args = [compiler, ...options, ...libraries, ...modules, path.join(folder, 'use.ts')]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    )
    expect(stdout + stderr).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('says what this service always answers, and names what clients call it by', () => {
  const { components, security } = parsed() as unknown as {
    components: { schemas: Record<string, { required: string[] }>; securitySchemes: object }
    security: unknown
  }
  const { User, Entity, Property, Segment, Event, Problem } = components.schemas
  expect(User?.required).toEqual(['id', 'email', 'name', 'created', 'since', 'account'])
  expect(Entity?.required).toEqual(['id', 'type', 'created', 'properties'])
  expect(Property?.required).toEqual(['key', 'type', 'sensitive'])
  expect(Segment?.required).toEqual(['id', 'name', 'filter', 'created', 'updated'])
  expect(Event?.required).toEqual(['id', 'eventtime', 'type', 'properties', 'delivered'])
  expect(Problem?.required).toEqual(['type', 'title', 'status', 'detail', 'instance', 'code'])
  expect(JSON.stringify([User, Entity, Property, Segment, Event, Problem])).not.toContain('"null"')
  expect(security).toEqual([{ bearer: [] }])
  expect(Object.keys(components.securitySchemes)).toEqual(['bearer'])
})
