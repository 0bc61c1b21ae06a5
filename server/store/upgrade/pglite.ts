import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const name = '@electric-sql/pglite'
const pgliteVersion = '0.5.16'
/** Hash of the package: npm refuses one with other content, whichever source it comes from. */
const integrity =
  'sha512-Nj8KcIsJL748W408U2N8q4+9IlONdpRIU8MJypIAAINMJ5nqKyqpX7Mgg/5XKkXiAib3AoZGR6hnJFlrlLBrcg=='

/**
 * Has npm install the engine of releases before 0.3 in a folder created for it. Returns the engine's address. Throws
 * an error worded for the operator.
 */
export async function installPGlite(folder: string, signal?: AbortSignal): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const dependencies = { [name]: pgliteVersion }
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: pgliteVersion, integrity } }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env
  // Uses the npm that started this command; `npm` from the PATH if something else started it.
  const [file, ...before] = /npm-cli\.c?js$/.test(npm) ? [node, npm] : ['npm']
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--no-progress']
  const child = spawn(file, [...before, 'ci', '--prefix', folder, ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // On Windows npm is a script, which only a shell can start.
    shell: file === 'npm' && process.platform === 'win32',
    ...(signal && { signal }),
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const problem = await new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('close', (status) => resolve(status === 0 ? undefined : reasonIn(said)))
  })
  if (problem !== undefined)
    throw new Error(
      `npm could not get ${name} ${pgliteVersion}, which reads the old store (${problem}). It needs the network, or a registry ` +
        'that can be reached: npm_config_registry names another one, npm_config_proxy a proxy.',
    )
  return pathToFileURL(path.join(folder, 'node_modules', name, 'dist', 'index.js')).href
}

/** Returns the first two lines of npm's error output, without the `npm error` prefix. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
  return lines.filter(Boolean).slice(0, 2).join(', ') || 'it did not say why'
}

type PGliteAnswer = { rows: object[]; bytes?: Uint8Array } | { error: string }

/** A PGlite database, opened in its own process by the engine that `installPGlite` installed. */
export class PGlite {
  readonly #process: ChildProcess

  private constructor(child: ChildProcess) {
    this.#process = child
  }

  /** Creates the database if there is none; recovers one whose process was killed. */
  static async open(address: string, folder: string): Promise<PGlite> {
    const child = fork(path.join(import.meta.dirname, 'pglite-process.ts'), [address, folder], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const opened = new PGlite(child)
    await opened.#answer(() => {})
    return opened
  }

  /** Returns the rows of the last statement. */
  async rows<Row extends object>(statements: string): Promise<Row[]> {
    return (await this.#answer(() => this.#process.send(statements))).rows as Row[]
  }

  /** Returns the rows of a query in the format of `copy (…) to stdout`. */
  async copy(query: string): Promise<Uint8Array> {
    const { bytes } = await this.#answer(() => this.#process.send(`copy (${query}) to '/dev/blob'`))
    if (bytes === undefined) throw new Error('The old store answered nothing.')
    return bytes
  }

  /** Kills the process: the folder holds everything committed. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await ended
  }

  /** Sends one request and waits for its answer. Requests must not overlap. */
  async #answer(ask: () => unknown): Promise<Exclude<PGliteAnswer, { error: string }>> {
    const child = this.#process
    const answer = await new Promise<PGliteAnswer>((resolve) => {
      const ended = () => resolve({ error: 'its engine ended' })
      child.once('exit', ended)
      child.once('message', (message: PGliteAnswer) => {
        child.off('exit', ended)
        resolve(message)
      })
      if (child.connected) ask()
      else ended()
    })
    if ('error' in answer)
      throw new Error(
        `The old store could not be read (${answer.error}). If the release that wrote it still opens it, stop that cleanly and ` +
          'run this again; if not, go back to a backup.',
      )
    return answer
  }
}
