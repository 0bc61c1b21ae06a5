import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, describe, it, onTestFinished } from 'vitest'

import { type Database, openDatabase } from '../../sealing/database.ts'
import { clusterOf, emptyStores, kill, open, processesIn, waitUntilGone } from '../../testing/embedded.ts'
import { testKeys } from '../../testing/service.ts'

const stores = emptyStores()

const openHere = async (folder: string, options?: Parameters<typeof openDatabase>[2]): Promise<Database> => {
  const database = await openDatabase({ dataDir: folder }, testKeys, options)
  onTestFinished(() => database.close())
  return database
}

describe('a data folder', () => {
  it('is closed to others: who passes through finds nothing that opens', async () => {
    const folder = stores.none()
    await (await openHere(folder)).close()
    const mode = (file: string) => fs.statSync(path.join(folder, file)).mode & 0o777
    expect(mode('')).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
    const modes = fs.readdirSync(folder).map((name) => [name, mode(name)])
    expect(Object.fromEntries(modes)).toEqual({ lock: 0o600, postgresql: 0o700, reserve: 0o600 })
  })

  it.each([
    [
      0o777,
      /has the mode 0777: other accounts of this machine can delete its files, or put others in their place\. Close/,
    ],
    [0o770, /has the mode 0770: .* can delete/],
    [
      0o755,
      /has the mode 0755: other accounts of this machine can list its files\. Close it to them \(chmod 07/,
    ],
    [0o711, undefined],
    [0o700, undefined],
  ])(
    'with the mode %o is opened, with a warning if others may do more than pass through',
    async (mode, words) => {
      const folder = stores.copy()
      fs.chmodSync(folder, mode)
      const warned: string[] = []
      await (await openHere(folder, { warn: (line) => warned.push(line) })).close()
      const about = warned.filter((line) => line.includes('has the mode'))
      if (words === undefined) expect(about).toEqual([])
      else expect(about).toEqual([expect.stringMatching(words)])
    },
  )

  it('is not opened with another key under the same name', async () => {
    const folder = stores.copy()
    await (await openHere(folder)).close()
    const other = [{ id: 'test', key: Buffer.alloc(32, 8) }] as const
    await expect(openDatabase({ dataDir: folder }, other)).rejects.toThrow(
      'The master key "test" is not the one that this store was written with.',
    )
    await openHere(folder)
  })

  it('that another version made is refused, and left as it is', async () => {
    const folder = stores.copy()
    const first = await openHere(folder)
    await first.pool.query("update kysely_migration set name = '0001-first-tables' where name like '0001-%'")
    await first.close()
    for (let start = 1; start <= 2; start++)
      await expect(openHere(folder)).rejects.toThrow('This store was made by another version of Data Store')
  })

  it('with a blind index whose key is lost does not get a new key, which would find nothing', async () => {
    const folder = stores.copy()
    const first = await openHere(folder)
    await first.pool.query(`
      with made as (insert into users (id, created, since) values (gen_random_uuid(), now(), now()) returning id)
      insert into user_keys (user_id, master, wrapped) select id, 'test', '' from made`)
    await first.pool.query("delete from service_keys where name = 'blind index'")
    await first.close()
    await expect(openHere(folder)).rejects.toThrow('lost the key of its index')
  })

  it.each([
    ['blanks and umlauts', 'Größe und Maß, 100 %'],
    ['quotes and what a shell would read', `Ada's "own" $HOME \`id\`; * \\`],
  ])('with %s in its path is opened', async (_, name) => {
    const database = await openHere(path.join(stores.none(), name))
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('is closed in good order: nothing is reported, nothing runs any more, and nothing has to be recovered', async () => {
    const folder = stores.copy()
    const failures: Error[] = []
    const database = await openHere(folder, { failed: (error) => void failures.push(error) })
    await Promise.all(Array.from({ length: 20 }, () => database.pool.query('select 1')))
    await database.close()
    expect(failures).toEqual([])
    await waitUntilGone(clusterOf(folder))
    expect(fs.readdirSync(clusterOf(folder)).filter((name) => /pid|PGSQL/.test(name))).toEqual([])
  })
})

describe('a path that is too long for a socket', () => {
  const socketsOf = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('data-store-socket-'))
  const long = () => path.join(stores.none(), 'longer'.repeat(20))

  it('has its socket in a private folder elsewhere, which is gone afterwards', async () => {
    const before = socketsOf()
    const folder = long()
    for (let start = 0; start < 2; start++) {
      const database = await openHere(folder)
      const made = socketsOf().find((name) => !before.includes(name)) ?? ''
      expect(fs.statSync(path.join(os.tmpdir(), made)).mode & 0o777).toBe(0o700)
      expect(database.pool.options.host).toBe(path.join(os.tmpdir(), made))
      await database.close()
      expect(socketsOf()).toEqual(before)
    }
  })

  it('leaves that folder after kills, one for all of them, until a service ends in order', async () => {
    const before = socketsOf()
    const folder = long()
    for (let kills = 0; kills < 3; kills++) {
      const service = open(folder)
      await service.found
      const all = processesIn(clusterOf(folder))
      await service.kill()
      all.forEach(kill)
      await waitUntilGone(clusterOf(folder))
      expect(socketsOf().length).toBe(before.length + 1)
    }
    await (await openHere(folder)).close()
    expect(socketsOf()).toEqual(before)
  })

  it('does not have its socket in a folder that another account has made in its place', async () => {
    if (process.getuid?.() !== 0) return
    const folder = long()
    const first = await openHere(folder)
    const place = String(first.pool.options.host)
    await first.close()
    fs.mkdirSync(place)
    onTestFinished(() => fs.rmSync(place, { recursive: true }))
    fs.writeFileSync(path.join(place, 'of another'), '')
    fs.chownSync(place, 12_345, 12_345)
    const second = await openHere(folder)
    expect(second.pool.options.host).not.toBe(place)
    expect(fs.readdirSync(place)).toEqual(['of another'])
  })
})
