import fs from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

import { type Address, addressOfRunning, passwordFile } from './engine/address.ts'
import { openFolder } from './engine/embedded.ts'
import { syncFolder } from './engine/folder.ts'

interface BackupOptions {
  readonly signal: AbortSignal
  /** Called once everything is copied. Until it resolves, no service destroys the master key that the copy needs. */
  readonly copied: () => Promise<void>
}

const answersWithinMs = 30_000
const backupPollMs = 100

/**
 * Folders that a backup leaves empty: they hold state of a running process, or the log, whose files are copied
 * separately.
 */
const emptied = new Set(
  'pg_wal pg_dynshmem pg_notify pg_replslot pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
const leftOut =
  /^(pgsql_tmp.*|pg_internal\.init.*|\.s\.PGSQL.*|postmaster\.(pid|opts)|(backup_label|tablespace_map)(\.old)?|backup_manifest|postgresql\.auto\.conf\.tmp|start\.log)$/
const controlFile = path.join('global', 'pg_control')

/**
 * Copies the database of a data folder into an existing folder and returns its size in bytes; a service may be using
 * the database. A start on the copy recovers everything that was committed before `pg_backup_stop`, and nothing else.
 * Follows the PostgreSQL manual under "Making a Base Backup Using the Low Level API".
 */
export async function backUpStore(
  dataDir: string,
  to: string,
  { signal, copied }: BackupOptions,
): Promise<number> {
  const cluster = path.join(dataDir, 'postgresql')
  const { client, close } = await reachServer(dataDir, cluster, signal)
  const ask = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows
  try {
    return await copyCluster(cluster, path.join(to, 'postgresql'), { ask, signal, copied })
  } finally {
    await client.end().catch(() => {})
    await close()
  }
}

/** Connects to the database of the service that uses the folder; if none does, starts the database for the backup. */
async function reachServer(
  dataDir: string,
  cluster: string,
  signal: AbortSignal,
): Promise<{ client: Client; close: () => Promise<void> }> {
  const owner = fs.statSync(dataDir).uid
  const isOwn = process.getuid === undefined || process.getuid() === owner
  const givenUpAt = performance.now() + answersWithinMs
  for (;;) {
    signal.throwIfAborted()
    // Opening a store may change the owner of its files, so only the folder's owner opens it.
    const opened = isOwn ? await openFolder(dataDir, { failed: () => {} }).catch(unlessInUse) : undefined
    const address = opened?.address ?? addressOfRunning(cluster)
    const client = address && (await connect(address))
    if (client) return { client, close: async () => opened?.close() }
    await opened?.close()
    if (!isOwn && !address)
      throw new Error(`${dataDir} belongs to the user with the id ${owner}: run this command as that user.`)
    if (performance.now() > givenUpAt)
      throw new Error(
        `A process has ${dataDir}, and its database does not answer. Run this again when it does.`,
      )
    await setTimeout(backupPollMs)
  }
}

function unlessInUse(error: { cause?: { code?: unknown } }): undefined {
  if (error.cause?.code !== 'EBUSY') throw error
}

/** Connects to a server; returns `undefined` if that fails. */
async function connect(address: Address): Promise<Client | undefined> {
  const client = new Client(address)
  // A broken connection already fails the statement that waits for it.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

interface Copying extends BackupOptions {
  readonly ask: <Row extends object>(text: string) => Promise<Row[]>
}

async function copyCluster(from: string, to: string, { ask, signal, copied }: Copying): Promise<number> {
  // The slot keeps the log from here on until the connection ends.
  await ask(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`)
  // Read before the backup's own checkpoint: if the label gets lost, a start recovers from an earlier point or finds
  // none.
  const control = await readControlFile(from)
  const [begun] = await ask<{ start: string }>(`select pg_backup_start('data-store', fast => true) as start`)
  let bytes = await copyFolder(from, to, signal)
  await write(path.join(to, controlFile), control)
  const [ended] = await ask<{ stop: string; label: string; tablespaces: string }>(
    `select lsn as stop, labelfile as label, spcmapfile as tablespaces from pg_backup_stop(wait_for_archive => false)`,
  )
  if (!begun || !ended) throw new Error('PostgreSQL did not say where the backup begins and ends.')
  if (ended.tablespaces !== '')
    throw new Error('The database has tablespaces, which lie elsewhere and are not copied.')
  await write(path.join(to, 'backup_label'), ended.label)
  const segments = await ask<{ name: string; size: number }>(`
    select pg_walfile_name('0/0'::pg_lsn + number * size) as name, size::int
    from (select setting::numeric as size from pg_settings where name = 'wal_segment_size'),
      generate_series(div('${begun.start}'::pg_lsn - '0/0', size), div('${ended.stop}'::pg_lsn - 1 - '0/0', size)) as number`)
  for (const { name, size } of segments) {
    const found = await copyFile(path.join(from, 'pg_wal', name), path.join(to, 'pg_wal', name), signal)
    if (found !== size) throw new Error(`The log's file ${name} is not whole.`)
    bytes += found
  }
  for (const folder of ['pg_wal', 'global', '.']) syncFolder(path.join(to, folder))
  const secret = passwordFile(from)
  if (secret !== undefined) await write(`${to}-password`, await readFile(secret))
  await copied()
  return bytes
}

/**
 * Reads the control file until two reads agree: the server writes it in one piece, but a concurrent read may see parts
 * of two versions.
 */
async function readControlFile(cluster: string): Promise<Buffer> {
  for (let before: Buffer | undefined; ;) {
    const now = await readFile(path.join(cluster, controlFile))
    if (before?.equals(now)) return now
    before = now
  }
}

/** Copies a folder. Files may appear, grow and vanish while it runs; the log contains what happened to them. */
async function copyFolder(from: string, to: string, signal: AbortSignal, isEmptied = false): Promise<number> {
  await mkdir(to, { mode: 0o700 })
  const entries = isEmptied ? [] : await readdir(from, { withFileTypes: true }).catch(unlessGone)
  let bytes = 0
  for (const entry of entries ?? []) {
    const { name } = entry
    const [source, copy] = [path.join(from, name), path.join(to, name)]
    if (entry.isDirectory() && !leftOut.test(name))
      bytes += await copyFolder(source, copy, signal, emptied.has(name))
    else if (entry.isFile() && !leftOut.test(name) && name !== path.basename(controlFile))
      bytes += (await copyFile(source, copy, signal).catch(unlessGone)) ?? 0
  }
  syncFolder(to)
  return bytes
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

const chunkBytes = 2 ** 20
const chunk = Buffer.allocUnsafe(chunkBytes)

/**
 * Copies a file up to its current end. `fs.copyFile` would read the size first, and hang if the file is truncated
 * meanwhile.
 */
async function copyFile(from: string, to: string, signal: AbortSignal): Promise<number> {
  const source = await open(from)
  try {
    return await writeWhole(to, async (file) => {
      for (let bytes = 0; ;) {
        signal.throwIfAborted()
        const { bytesRead } = await source.read(chunk, 0, chunkBytes)
        if (bytesRead === 0) return bytes
        await file.writeFile(chunk.subarray(0, bytesRead))
        bytes += bytesRead
      }
    })
  } finally {
    await source.close()
  }
}

export const write = (file: string, content: string | Buffer) =>
  writeWhole(file, (handle) => handle.writeFile(content))

async function writeWhole<Result>(
  file: string,
  fill: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const result = await fill(handle)
    await handle.sync()
    return result
  } finally {
    await handle.close()
  }
}

/** Creates a folder with everything that `fill` puts into it, or not at all; only its owner may list it. */
export async function makeWhole<Result>(
  folder: string,
  fill: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = `${folder}.unfinished`
  for (const place of [folder, unfinished])
    if (fs.existsSync(place))
      throw new Error(
        place === folder
          ? `${place} is there already: name a folder that is not.`
          : `${place} is there: another backup is being made, or was killed. In that case delete it, and run this again.`,
      )
  // If root runs PostgreSQL under another account, that account must be able to pass through, in case this becomes a
  // data folder.
  await mkdir(unfinished, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  try {
    const result = await fill(unfinished)
    syncFolder(unfinished)
    await rename(unfinished, folder)
    syncFolder(path.dirname(folder))
    return result
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}
