import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generateSource } from 'oazapfts'
import { expect, test } from 'vitest'

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

test('is made once: for a hundred addresses in less time than one was made in', () => {
  const begun = performance.now()
  for (let port = 1; port <= 100; port++) apiDocument(`http://localhost:${port}/api`)
  // Measured before the document was built only once: 900 ms.
  expect(performance.now() - begun).toBeLessThan(300)
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
      `import { createSegment, getUser, listUsers } from './client.ts'

const reply = await listUsers()
if (reply.status === 200) for (const { id } of reply.data.users) await getUser(id)
await createSegment({ name: 'All', filter: { not: { all: [{ any: [] }] } } })
// @ts-expect-error A filter is no text.
await createSegment({ name: 'All', filter: 'everybody' })
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
