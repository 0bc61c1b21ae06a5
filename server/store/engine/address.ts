import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'

import { statusOf } from './pid-file.ts'
import { NotOpened, type Programs } from './programs.ts'

/** Address of a PostgreSQL for `pg`, including everything that `pg` would otherwise take from the environment. */
export interface Address extends Readonly<typeof ours> {
  /** Folder of the socket; on Windows an IP address. */
  readonly host: string
  readonly port: number
  readonly password: string
}

export const superuser = 'postgres'

// No member may be empty or false, because `pg` would then look for it in the environment (PGOPTIONS, PGREPLICATION).
const ours = {
  user: superuser,
  database: superuser,
  ssl: false,
  options: ' ',
  client_encoding: 'UTF8',
  application_name: 'data-store',
  replication: 'false',
  sslnegotiation: 'postgres',
} as const

const socketPort = 5432
/** Maximum length of a socket's path; if the folder's path is longer, the socket is elsewhere. */
const longestSocket = 103

/**
 * Returns the address for a server that will be started: a socket in the folder, or on Windows a local port with a
 * password.
 */
export async function addressOf(cluster: string, programs: Programs): Promise<Address> {
  const secret = passwordFile(cluster)
  if (secret !== undefined)
    return { ...ours, host: '127.0.0.1', port: await freePort(), password: fs.readFileSync(secret, 'utf8') }
  const host = isShort(cluster) ? cluster : makeSocketFolder(cluster, programs)
  return { ...ours, host, port: socketPort, password: socketPassword }
}

/** Returns the address of another process's server; `undefined` if it does not accept connections. */
export function addressOfRunning(cluster: string): Address | undefined {
  const { port, host, state } = statusOf(cluster)
  if (state !== 'ready') return undefined
  const secret = passwordFile(cluster)
  return secret === undefined
    ? { ...ours, port: Number(port), host, password: socketPassword }
    : { ...ours, port: Number(port), host: '127.0.0.1', password: fs.readFileSync(secret, 'utf8') }
}

// Never asked for, since a server with a socket knows its clients by their account. Empty, it would be PGPASSWORD.
const socketPassword = 'none'

/**
 * Returns the password file next to the database, and creates it if needed; undefined if the server is reached by a
 * socket.
 */
export function passwordFile(cluster: string): string | undefined {
  if (process.platform !== 'win32') return undefined
  const file = `${cluster}-password`
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return file
}

const isShort = (folder: string) =>
  Buffer.byteLength(path.join(folder, `.s.PGSQL.${socketPort}`)) <= longestSocket

/**
 * Creates the folder of the socket below the system's temporary folder, for a database whose path is too long. Its name
 * follows from that path, so that a killed service's folder is used again instead of being left for ever.
 */
function makeSocketFolder(cluster: string, { owner }: Programs): string {
  const name = `data-store-socket-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
  let cause: unknown
  for (const temporary of new Set([os.tmpdir(), '/tmp'])) {
    const wanted = path.join(temporary, name)
    if (!isShort(`${wanted}-XXXXXX`)) continue
    try {
      removeSocketFolder(wanted)
      const made = makeFolderAt(wanted)
      if (owner) fs.chownSync(made, owner.uid, owner.gid)
      return made
    } catch (error) {
      cause = error
    }
  }
  throw new NotOpened(
    `The path of ${cluster} is too long for a socket, and the temporary folder ${os.tmpdir()} takes none either` +
      `${cause instanceof Error ? ` (${cause.message})` : ''}. Set TMPDIR to a folder with a short path that this process may ` +
      'write to, or DATA_DIR to a shorter path. Nothing is damaged or lost by it.',
    { cause },
  )
}

/** Creates a folder. If another account has made one of that name, the name gets an addition that nobody can guess. */
function makeFolderAt(wanted: string): string {
  try {
    fs.mkdirSync(wanted, { mode: 0o700 })
    return wanted
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return fs.mkdtempSync(`${wanted}-`)
  }
}

/** Creates the folder of the socket again if it has been removed, as programs that tidy temporary folders do. */
export function restoreSocketFolder({ host }: Address, { owner }: Programs): void {
  if (fs.existsSync(host)) return
  fs.mkdirSync(host, { mode: 0o700 })
  if (owner) fs.chownSync(host, owner.uid, owner.gid)
}

/** Removes the folder of a socket, with what a killed PostgreSQL left in it and nothing else. */
export function removeSocketFolder(folder: string): void {
  try {
    for (const end of ['', '.lock'])
      fs.rmSync(path.join(folder, `.s.PGSQL.${socketPort}${end}`), { force: true })
    fs.rmdirSync(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'ENOTEMPTY', 'EACCES', 'EPERM', 'ENOTDIR'].includes(code)) throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
