import { access, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { loadKeys } from './signing-keys.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signing-keys-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

test('keys of the sign-in are on disk before they have their name, and the name before they are used', async () => {
  const file = join(folder, 'sign-in.json')
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const synced: [isFolder: boolean, isNamed: boolean][] = []
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof handle) {
    synced.push([(await this.stat()).isDirectory(), await isThere(file)])
    await this.datasync()
  })
  const keys = await loadKeys(file)
  expect(synced).toEqual([[false, false], ...(process.platform === 'win32' ? [] : [[true, true]])])
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(keys)
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await loadKeys(file)).toEqual(keys)
})
