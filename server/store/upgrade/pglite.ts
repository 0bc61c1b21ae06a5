import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const name = '@electric-sql/pglite'
const pgliteVersion = '0.5.16'
/** npm refuses a package with another content, wherever it has it from. */
const integrity =
  'sha512-Nj8KcIsJL748W408U2N8q4+9IlONdpRIU8MJypIAAINMJ5nqKyqpX7Mgg/5XKkXiAib3AoZGR6hnJFlrlLBrcg=='

/**
 * Has npm install the engine of releases before 0.3 in a folder that is made for it, and answers where it is. Throws with
 * words for the operator.
 */
export async function installPGlite(folder: string, signal?: AbortSignal): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const dependencies = { [name]: pgliteVersion }
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: pgliteVersion, integrity } }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env
  // The npm that runs this command, unless another program does.
  const [file, ...before] = /npm-cli\.c?js$/.test(npm) ? [node, npm] : ['npm']
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--no-progress']
  const child = spawn(file, [...before, 'ci', '--prefix', folder, ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // On Windows npm is a script, which a shell alone starts.
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

/** The first two lines of what npm tells, without its own name before each. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
  return lines.filter(Boolean).slice(0, 2).join(', ') || 'it did not say why'
}

type PGliteAnswer = { rows: object[]; bytes?: Uint8Array } | { error: string }

/** A database of PGlite's, opened by the engine that `installPGlite` has installed, in a process of its own. */
export class PGlite {
  readonly #process: ChildProcess

  private constructor(child: ChildProcess) {
    this.#process = child
  }

  /** Makes the database where there is none; recovers one whose process was killed. */
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

  /** The rows of the last of the statements. */
  async rows<Row extends object>(statements: string): Promise<Row[]> {
    return (await this.#answer(() => this.#process.send(statements))).rows as Row[]
  }

  /** The rows of a query, as `copy (…) to stdout` would send them. */
  async copy(query: string): Promise<Uint8Array> {
    const { bytes } = await this.#answer(() => this.#process.send(`copy (${query}) to '/dev/blob'`))
    if (bytes === undefined) throw new Error('The old store answered nothing.')
    return bytes
  }

  /** Kills it: what was committed is in the folder. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await ended
  }

  /** To be asked one thing at a time. */
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
