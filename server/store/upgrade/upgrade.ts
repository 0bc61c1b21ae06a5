import fs from 'node:fs'
import path from 'node:path'
import { Kysely } from 'kysely'
import type { PoolClient } from 'pg'

import { formatCount } from '#contract/index.ts'
import { openFolder } from '../engine/embedded.ts'
import { diskTrouble } from '../engine/folder-trouble.ts'
import { lockFolder, makeFolder, moveFolder, syncFolder } from '../engine/folder.ts'
import { endProcessesOf } from '../engine/left-behind.ts'
import { findPrograms } from '../engine/programs.ts'
import { migrate, MigratingDialect } from '../migrate.ts'
import { migrations } from '../migrations/migrations.ts'
import { openPool } from '../pools.ts'
import { compareTables, fillTables, migrationsOf, type Table, tablesOf } from './copy.ts'
import { installPGlite, PGlite } from './pglite.ts'

interface UpgradeOptions {
  readonly say: (line: string) => void
  readonly signal?: AbortSignal
}

/** Disk space needed besides the copy of the old store and the new store: PostgreSQL's log and its sort files. */
const besidesBytes = 512 * 2 ** 20

/**
 * Moves the store of a release that used PGlite into the PostgreSQL of this release. Whatever happens on the way, the
 * folder always holds one complete store, and the next call starts over. Errors are worded for the operator.
 *
 * @returns `kept`: the folder that now holds the old store; absent if there was nothing to move.
 */
export async function upgradeStore(
  dataDir: string,
  { say, signal }: UpgradeOptions,
): Promise<{ kept?: string; isThere: boolean }> {
  const folder = path.resolve(dataDir)
  const place = {
    old: path.join(folder, 'pg'),
    kept: path.join(folder, 'pg-0.2.0'),
    unfinished: path.join(folder, 'upgrading'),
    cluster: path.join(folder, 'postgresql'),
  }
  const isOld = () => fs.existsSync(path.join(place.old, 'PG_VERSION'))
  const isThere = () => fs.existsSync(place.cluster)
  if (!isOld() && !fs.existsSync(place.unfinished)) return { isThere: isThere() }
  let unlock = () => {}
  try {
    unlock = lockFolder(folder)
    if (isOld() && fs.existsSync(place.kept))
      throw new Error(
        `${place.kept} is there already, from an earlier time: move it elsewhere, or delete it.`,
      )
    if (isOld() && !isThere()) {
      // Root made the folder for itself alone. PostgreSQL runs as another user, who must be able to pass through it.
      if (process.getuid?.() === 0 && (fs.statSync(folder).mode & 0o777) === 0o700)
        fs.chmodSync(folder, 0o711)
      refuseWithoutRoom(folder, place.old)
      const programs = findPrograms(folder)
      // An earlier call that was killed may have left its PostgreSQL running for a moment.
      for (const name of ['postgresql', 'postgresql.new'])
        endProcessesOf(path.join(place.unfinished, name), programs)
      await remove(place.unfinished)
      try {
        await fillNewStore(place, { say, ...(signal && { signal }) })
        signal?.throwIfAborted()
        for (const name of ['postgresql-password', 'postgresql']) {
          const made = path.join(place.unfinished, name)
          if (fs.existsSync(made)) await moveFolder(made, path.join(folder, name))
        }
        syncFolder(folder)
      } catch (error) {
        await remove(place.unfinished)
        signal?.throwIfAborted()
        throw error
      }
    }
    // An earlier call may have been killed before it removed this folder.
    await remove(place.unfinished)
    if (!isOld()) return { isThere: isThere() }
    await moveFolder(place.old, place.kept)
    syncFolder(folder)
    return { kept: place.kept, isThere: true }
  } catch (error) {
    throw diskTrouble(folder, error) ?? error
  } finally {
    unlock()
  }
}

/**
 * Builds the new store in its own folder with the old store's schema, copies the rows, then runs the remaining
 * migrations.
 */
async function fillNewStore(
  { old, unfinished }: { readonly old: string; readonly unfinished: string },
  { say, signal }: UpgradeOptions,
): Promise<void> {
  const closing: (() => Promise<void>)[] = []
  let closed = Promise.resolve()
  const closeAll = async (before: Promise<void>) => {
    await before
    for (let next = closing.pop(); next; next = closing.pop()) await next()
  }
  const close = () => (closed = closeAll(closed))
  // On an abort, closing both stores makes the step in progress fail.
  const stop = () => void close().catch(() => {})
  signal?.addEventListener('abort', stop)
  try {
    makeFolder(unfinished)
    say(`Getting the old store's engine from npm …`)
    const address = await installPGlite(path.join(unfinished, 'engine'), signal)
    say('Copying the old store, so that its own files stay as they are …')
    // A process left over from a killed call may still work on its copy, so this copy gets a new folder.
    const read = fs.mkdtempSync(path.join(unfinished, 'pg-'))
    await fs.promises.cp(old, read, { recursive: true, mode: fs.constants.COPYFILE_FICLONE })
    signal?.throwIfAborted()
    const source = await PGlite.open(address, read)
    closing.push(() => source.close())
    signal?.throwIfAborted()
    say('Reading it …')
    const provider = await upTo(await migrationsOf(source))
    const tables = await tablesOf(source)
    const target = await openFolder(unfinished, { failed: () => {} })
    const pool = openPool(target.address, () => {}, { statementLimitMs: 0, max: 1 })
    const db = new Kysely<unknown>({ dialect: new MigratingDialect({ pool }) })
    closing.push(
      () => db.destroy(),
      () => target.close(),
    )
    signal?.throwIfAborted()
    await migrate(db, { provider })
    // A store killed within its first second has no tables.
    if (tables.length > 0) await copy({ client: await pool.connect(), source, tables, say })
    await source.close()
    await migrate(db, { waiting: say })
    await pool.query('vacuum (analyze)')
  } finally {
    signal?.removeEventListener('abort', stop)
    await close()
  }
}

async function copy({
  client,
  source,
  tables,
  say,
}: {
  readonly client: PoolClient
  readonly source: PGlite
  readonly tables: readonly Table[]
  readonly say: (line: string) => void
}): Promise<void> {
  try {
    const all = tables.flatMap(({ pieces }) => pieces)
    say(`Copying ${tables.length} tables with ${formatCount(sumPieces(all, 'rows'))} rows …`)
    const of = sumPieces(all, 'bytes')
    let so = 0
    let tenth = 0
    const indexes = await fillTables(client, source, tables, (bytes) => {
      so += bytes
      if (Math.floor((so / of) * 10) <= tenth) return
      tenth = Math.floor((so / of) * 10)
      say(`${tenth * 10} %`)
    })
    // PGlite holds 300 MB, which PostgreSQL can use for the indexes.
    await source.close()
    say(`Making ${indexes.length} indexes …`)
    for (const index of indexes) await client.query(index)
    say('Comparing both …')
    await compareTables(client, tables, ({ name, pieces }) =>
      say(`${name}: ${formatCount(sumPieces(pieces, 'rows'))} rows are the same`),
    )
  } finally {
    // This connection has settings that must not reach another user of the pool.
    client.release(true)
  }
}

/** Returns the migrations that the old store has run. Throws if it has run one unknown here. */
async function upTo(names: readonly string[]): Promise<ReturnType<typeof migrations>> {
  const known = Object.entries(await migrations().getMigrations())
  const done = known.filter(([name]) => names.includes(name))
  if (done.length < names.length)
    throw new Error('It was made by a version that this one does not know: upgrade it with a newer release.')
  return { getMigrations: () => Promise.resolve(Object.fromEntries(done)) }
}

const sumPieces = (pieces: Table['pieces'], what: 'rows' | 'bytes') =>
  pieces.reduce((all, piece) => all + piece[what], 0)
function refuseWithoutRoom(folder: string, old: string): void {
  let bytes = besidesBytes
  for (const name of fs.readdirSync(old, { recursive: true, encoding: 'utf8' })) {
    const stat = fs.lstatSync(path.join(old, name))
    if (stat.isFile()) bytes += 2 * stat.size
  }
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize < bytes)
    throw new Error(
      `${folder} lacks room: ${formatCount(Math.ceil(bytes / 2 ** 20))} MB are needed beside the old store, for a copy of it to work ` +
        `on and for the new one, and ${formatCount(Math.floor((bavail * bsize) / 2 ** 20))} are free. Make room, or copy the whole ` +
        'folder to a larger disk and set DATA_DIR.',
    )
}

const remove = (unwanted: string) =>
  fs.promises.rm(unwanted, { recursive: true, force: true, maxRetries: 10 })
