import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { Client } from 'pg'

import { lockFolder, makeFolder, moveFolder, syncFolder } from './folder.ts'
import { folderTrouble, isNoRoom } from './folder-trouble.ts'
import {
  type Address,
  addressOf,
  endProcessesOf,
  giveTo,
  type Life,
  makeCluster,
  passwordFile,
  startServer,
} from './postmaster.ts'
import { findPrograms, NotOpened, type Programs } from './programs.ts'
import { DiskFull, Reserve } from './reserve.ts'

/** The PostgreSQL of a data folder, which runs as long as this process. */
export interface Embedded {
  readonly address: Address
  /** Whether the disk is full or nearly full, so that transactions with changes are refused. */
  isReadOnly(): boolean
  close(): Promise<void>
}

/** Error for an embedded PostgreSQL that ended by itself and is being restarted. */
export class ServerEnded extends Error {
  override name = 'ServerEnded'
}

/** Interval of restart attempts, and the number of attempts per report: one report a minute. */
const again = { afterMs: 1_000, saidEvery: 60 }

/**
 * Opens the database in `<dataDir>/postgresql` for this process alone, and creates it if there is none. `failed` is
 * called with later problems: the database ended and is being restarted, or the disk is full.
 */
export async function openFolder(dataDir: string, failed: (error: Error) => void): Promise<Embedded> {
  const folder = path.resolve(dataDir)
  let unlock = () => {}
  try {
    makeFolder(folder)
    unlock = lockFolder(folder)
    refuseFormerStore(folder)
    const programs = findPrograms(folder)
    const cluster = path.join(folder, 'postgresql')
    if (!fs.existsSync(cluster)) await createCluster(cluster, programs)
    const address = await addressOf(cluster, programs)
    const supervisor = new Supervisor({ folder, cluster, programs, address, failed })
    await supervisor.open()
    return {
      address,
      isReadOnly: () => supervisor.isReadOnly,
      async close() {
        await supervisor.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error instanceof NotOpened ? error : folderTrouble(folder, error)
  }
}

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
    await this.#reserve.watch(() => this.#follow())
    try {
      this.#watching = this.#watch(await this.#start())
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#reserve.stop()
    await this.#switching
    await this.#life?.stop()
    await this.#watching
    const { cluster, address } = this.#place
    // The socket has a folder of its own.
    if (address.host !== cluster && process.platform !== 'win32')
      fs.rmSync(address.host, { recursive: true, force: true })
  }

  /** Starts PostgreSQL. If a full disk lacks the space for that, releases some of the reserve. */
  async #start(): Promise<Life> {
    const { folder, cluster, programs, address } = this.#place
    for (;;)
      try {
        const life = await startServer(cluster, programs, address)
        await this.#check().catch(async (error: unknown) => {
          await life.stop()
          throw error
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
      for (let tries = 0; !this.#life; tries++)
        try {
          life = await this.#start()
        } catch (error) {
          const { message } = error instanceof NotOpened ? error : folderTrouble(folder, error)
          if (tries % again.saidEvery === 0)
            failed(new ServerEnded(`The embedded database does not start again. ${message}`))
          await setTimeout(again.afterMs, undefined, { signal }).catch(() => {})
          if (signal.aborted) return
        }
      // Closing was requested during the restart.
      if (signal.aborted) await life.stop()
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
      if (!this.#reserve.release()) throw error
      return set()
    })
    await this.#ask('select pg_reload_conf()')
    this.#isReadOnly = wanted
  }

  async #ask<Row extends object>(statement: string): Promise<Row[]> {
    const client = new Client(this.#place.address)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }
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
