import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

import { giveTo } from './access.ts'
import { type Address, addressOf, passwordFile, removeSocketFolder } from './address.ts'
import { folderTrouble, isNoRoom } from './folder-trouble.ts'
import { lockFolder, makeFolder, moveFolder, syncFolder, warningOfMode } from './folder.ts'
import { endProcessesOf } from './left-behind.ts'
import { type Life, makeCluster, startServer } from './postmaster.ts'
import { findPrograms, NotOpened, type Programs } from './programs.ts'
import { DiskFull, Reserve } from './reserve.ts'
import { NotStarted } from './tied.ts'

/** The PostgreSQL of a data folder, which runs as long as this process. */
export interface Embedded {
  readonly address: Address
  /** Whether the disk is full or nearly full, so that transactions with changes are refused. */
  isReadOnly(): boolean
  /** Ends PostgreSQL; after `withinMs` without waiting until it has written everything where it belongs. */
  close(withinMs?: number): Promise<void>
}

/** Functions for what the operator is told. */
interface Telling {
  /** Called with later problems: the database ended and is being restarted, or the disk is full. */
  readonly failed: (error: Error) => void
  /** Called at the start with what could be safer. */
  readonly warn?: (line: string) => void
}

/** Error for an embedded PostgreSQL that ended by itself and is being restarted. */
export class ServerEnded extends Error {
  override name = 'ServerEnded'
}

/** Interval of restart attempts, and the number of attempts per report: one report a minute. */
const again = { afterMs: 1_000, saidEvery: 60 }
/** Time for an answer to a question of the service's own. */
const answerMs = 10_000

/** Times for an orderly end: where nobody waits, as of a command, and of a PostgreSQL that has just started. */
const [orderlyMs, hastyMs] = [60_000, 3_000]

/** Opens the database in `<dataDir>/postgresql` for this process alone, and creates it if there is none. */
export async function openFolder(dataDir: string, { failed, warn = () => {} }: Telling): Promise<Embedded> {
  const folder = path.resolve(dataDir)
  let unlock = () => {}
  try {
    makeFolder(folder)
    unlock = lockFolder(folder)
    refuseFormerStore(folder)
    const warning = warningOfMode(folder)
    if (warning !== undefined) warn(warning)
    const programs = findPrograms(folder)
    if (programs.sharedWith !== undefined) warn(warningOfAccount(programs.sharedWith))
    removeUnfinished(folder, programs)
    const cluster = path.join(folder, 'postgresql')
    if (fs.existsSync(cluster)) refuseStandby(cluster)
    else await createCluster(cluster, programs)
    const address = await addressOf(cluster, programs)
    const supervisor = new Supervisor({ folder, cluster, programs, address, failed })
    await supervisor.open()
    return {
      address,
      isReadOnly: () => supervisor.isReadOnly,
      async close(withinMs) {
        await supervisor.close(withinMs)
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error instanceof NotOpened ? error : folderTrouble(folder, error)
  }
}

const warningOfAccount = (account: string) =>
  `PostgreSQL runs under the account "${account}", since this machine allows root no user namespace. Other programs that run ` +
  'under that account can read the files of the store: start the service as a user of its own, or allow user namespaces.'

interface ClusterPlace {
  readonly folder: string
  readonly cluster: string
  readonly programs: Programs
  readonly address: Address
  readonly failed: (error: Error) => void
}

class Supervisor {
  readonly #place: ClusterPlace
  readonly #reserve: Reserve
  readonly #closing = new AbortController()
  #life: Life | undefined
  #watching: Promise<void> | undefined
  #isShort = false
  /** Last known read-only state of PostgreSQL; undefined if unknown. */
  #isReadOnly: boolean | undefined
  #switching: Promise<void> | undefined

  constructor(place: ClusterPlace) {
    this.#place = place
    this.#reserve = new Reserve(place.folder)
  }

  get isReadOnly(): boolean {
    return this.#reserve.isShort
  }

  async open(): Promise<void> {
    try {
      await this.#reserve.watch(() => this.#follow())
      this.#watching = this.#watch(await this.#start())
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async close(withinMs = orderlyMs): Promise<void> {
    this.#closing.abort()
    await this.#reserve.stop()
    await this.#life?.stop(withinMs)
    await this.#watching
    const { cluster, address } = this.#place
    // The socket has a folder of its own.
    if (address.host !== cluster && process.platform !== 'win32') removeSocketFolder(address.host)
  }

  /** Starts PostgreSQL. If a full disk lacks the space for that, releases some of the reserve. */
  async #start(): Promise<Life> {
    const { folder, cluster, programs, address } = this.#place
    const { signal } = this.#closing
    for (;;)
      try {
        const life = await startServer(cluster, programs, { address, signal })
        await this.#check().catch(async (error: unknown) => {
          const words = await life.stop(hastyMs)
          throw reasonOfServer(error, words)
        })
        this.#life = life
        this.#isReadOnly = undefined
        await this.#switch()
        return life
      } catch (error) {
        if (!isNoRoom(folder, error) || !this.#reserve.release()) throw error
      }
  }

  /** Restarts PostgreSQL whenever it ends by itself. */
  async #watch(first: Life): Promise<void> {
    const { folder, failed } = this.#place
    const { signal } = this.#closing
    for (let life = first; ;) {
      const words = await life.ended
      if (signal.aborted) return
      this.#life = undefined
      failed(new ServerEnded(`The embedded database ended by itself (${words}) and is being started again.`))
      for (let attempts = 0; !this.#life; attempts++)
        try {
          life = await this.#start()
        } catch (error) {
          if (signal.aborted) return
          const { message } = error instanceof NotOpened ? error : folderTrouble(folder, error)
          if (attempts % again.saidEvery === 0)
            failed(new ServerEnded(`The embedded database does not start again. ${message}`))
          await setTimeout(again.afterMs, undefined, { signal }).catch(() => {})
          if (signal.aborted) return
        }
      // Closing was requested during the restart.
      if (signal.aborted) await life.stop(hastyMs)
    }
  }

  /**
   * Throws unless the settings guarantee that an acknowledged commit is on disk and that a page corrupted by the disk
   * is detected.
   */
  async #check(): Promise<void> {
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']
    const rows = await this.#ask<{ name: string }>(
      `select name from pg_settings where name = any ('{${names.join()}}') and setting <> 'on'`,
    )
    if (rows.length > 0)
      throw new NotOpened(
        `The database in ${this.#place.cluster} was not opened: it does not keep what it acknowledges, since ` +
          `${rows.map(({ name }) => name).join(', ')} is not "on". Undo what has changed that (alter role, alter ` +
          'database, pg_checksums), and start again.',
      )
  }

  #follow(): void {
    const { isShort } = this.#reserve
    const words = `The disk of ${this.#place.folder} is full, or nearly: changes are refused until there is room.`
    if (isShort && !this.#isShort) this.#place.failed(new DiskFull(words))
    this.#isShort = isShort
    void this.#switch()
  }

  /** Applies the read-only state. A failure is ignored, because this is called again a second later. */
  #switch(): Promise<void> {
    return (this.#switching ??= this.#refuseChanges(this.#reserve.isShort)
      .catch(() => {})
      .finally(() => (this.#switching = undefined)))
  }

  /** Makes PostgreSQL refuse or accept changes. Open sessions follow from their next transaction on. */
  async #refuseChanges(wanted: boolean): Promise<void> {
    if (!this.#life || this.#isReadOnly === wanted) return
    const set = () => this.#ask(`alter system set default_transaction_read_only = ${wanted}`)
    await set().catch((error: unknown) => {
      if (this.#closing.signal.aborted || !this.#reserve.release()) throw error
      return set()
    })
    await this.#ask('select pg_reload_conf()')
    this.#isReadOnly = wanted
  }

  async #ask<Row extends object>(statement: string): Promise<Row[]> {
    const client = new Client({
      ...this.#place.address,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(statement)).rows
    } finally {
      // Not awaited: a server that hangs does not say goodbye either.
      client.end().catch(() => {})
    }
  }
}

/** Returns the reason that the log of a server gives, if its clients only hear that it is not there at the moment. */
function reasonOfServer(error: unknown, words: string): unknown {
  const { code = '57P', message } = error as { code?: string; message: string }
  const isPassing = /^(57P|ECONN|EPIPE|ENOENT)/.test(code)
  return isPassing ? new NotStarted(/^(PANIC|FATAL)/.test(words) ? words : message, { cause: error }) : error
}

/**
 * Refuses a store of release 0.2.0 or older: its database was PostgreSQL in WebAssembly, whose files PostgreSQL itself
 * cannot read.
 */
function refuseFormerStore(folder: string): void {
  if (fs.existsSync(path.join(folder, 'postgresql')) || !fs.existsSync(path.join(folder, 'pg', 'PG_VERSION')))
    return
  throw new NotOpened(
    `The database in ${path.join(folder, 'pg')} is of release 0.2.0 or older, which this release does not open. ` +
      'Nothing is damaged or lost: "npm run upgrade-store" moves all of it into a new one, and keeps the old one aside.',
  )
}

/** Refuses a database that a file makes the copy of another one: it would accept no changes. */
function refuseStandby(cluster: string): void {
  for (const name of ['standby.signal', 'recovery.signal'])
    if (fs.existsSync(path.join(cluster, name)))
      throw new NotOpened(
        `The file ${path.join(cluster, name)} makes the database follow another one, which the service does not provide. ` +
          'Delete the file, and start again. Nothing is damaged or lost by it.',
      )
}

/** Removes what a killed "npm run upgrade-store" left: copies of all personal data. */
function removeUnfinished(folder: string, programs: Programs): void {
  const unfinished = path.join(folder, 'upgrading')
  if (!fs.existsSync(unfinished)) return
  for (const name of ['postgresql', 'postgresql.new']) endProcessesOf(path.join(unfinished, name), programs)
  fs.rmSync(unfinished, { recursive: true, force: true, maxRetries: 10 })
}

// The database is created next to its place and moved there once every file is on disk, so that a crash leaves no
// partial database that looks complete.
async function createCluster(cluster: string, programs: Programs): Promise<void> {
  const unfinished = `${cluster}.new`
  endProcessesOf(unfinished, programs)
  fs.rmSync(unfinished, { recursive: true, force: true, maxRetries: 10 })
  fs.mkdirSync(unfinished, { mode: 0o700 })
  giveTo(unfinished, programs.owner)
  await makeCluster(unfinished, programs, passwordFile(cluster))
  await moveFolder(unfinished, cluster)
  syncFolder(path.dirname(cluster))
}
