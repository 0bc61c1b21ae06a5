import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants as modes,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Root of the checkout that contains this file. */
export const checkout = path.join(import.meta.dirname, '..')

/** Files and folders that a build reads, besides installed packages. */
export const sources = [
  'contract',
  'index.html',
  'package.json',
  'public',
  'server/build-console.ts',
  'src',
  'tsconfig.json',
  'vite.config.ts',
]

/** Marker file with digests of the sources that `dist/` was built from and of the result. */
const markOf = (root: string) => path.join(root, 'dist', '.built-from')

/**
 * Builds the console unless `dist/` is complete and was built from exactly these sources. Compares contents: file
 * times are unreliable after a checkout and do not reveal deleted files.
 */
export async function seeConsoleBuilt(root = checkout): Promise<void> {
  const mark = markOf(root)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === `${digestSources(root)} ${digestBuilt(root)}\n`)
    return
  await buildConsole(root)
}

/** Builds the console unconditionally. */
export async function buildConsole(root = checkout): Promise<void> {
  const folder = path.join(root, 'dist')
  seeWritable(folder)
  process.stdout.write('Building the console …\n')
  let from: string
  do {
    from = digestSources(root)
    runVite(root)
    // Sources that changed during the build may or may not be included, so build again.
  } while (digestSources(root) !== from)
  await Promise.all(filesOf(folder).map(compress))
  await writeFile(markOf(root), `${from} ${digestBuilt(root)}\n`)
}

function digestSources(root: string): string {
  const files = sources.flatMap((name) => filesOf(path.join(root, name)))
  return digestFiles(
    root,
    files.filter((file) => !/\.test\.tsx?$/.test(file)),
    `${readInstalledPackages(root)}${process.env.VITE_LOCALE ?? ''}`,
  )
}

function digestBuilt(root: string): string {
  const files = filesOf(path.join(root, 'dist'))
  return digestFiles(
    root,
    files.filter((file) => file !== markOf(root)),
  )
}

function digestFiles(root: string, files: readonly string[], more = ''): string {
  const hash = createHash('sha256').update(more)
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`\0${path.relative(root, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('base64url')
}

/**
 * Returns the packages that npm recorded at installation; after a checkout, the lock file may be ahead of them. Leaves
 * out development packages, which may be removed once the console is built.
 */
function readInstalledPackages(root: string): string {
  const noted = ['node_modules/.package-lock.json', 'package-lock.json'].map((name) => path.join(root, name))
  const { packages } = JSON.parse(readFileSync(noted.find(existsSync) ?? '', 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string; dev?: boolean }>
  }
  const used = Object.entries(packages).filter(([, { dev }]) => dev !== true)
  return JSON.stringify(used.map(([name, { version, integrity }]) => [name, version, integrity]))
}

/** Returns the files of a folder in a stable order, or the file itself. */
function filesOf(entry: string): string[] {
  const found = statSync(entry, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [entry] : []
  const names = readdirSync(entry).toSorted()
  return names.flatMap((name) => filesOf(path.join(entry, name)))
}

function seeWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, modes.W_OK)
  } catch (cause) {
    throw new Error(
      `The console has to be built, since ${folder} is not what its sources make, and nothing can be written there. ` +
        'Run npm run build in a copy of this folder that can be written to, and put the dist/ that it makes here.',
      { cause },
    )
  }
}

/**
 * Runs Vite in its own process: Vite sets NODE_ENV to production, which in this process would forbid the development
 * sign-in.
 */
function runVite(root: string): void {
  const vite = [path.join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, error, stdout, stderr } = spawnSync(process.execPath, vite, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (status === 0) return
  throw new Error(`The console could not be built:\n${error?.message ?? (stderr + stdout).trim()}`)
}

/** Compresses a script, a style sheet or an SVG image once, instead of on every request. */
async function compress(file: string): Promise<void> {
  if (!/\.(js|css|svg)$/.test(file)) return
  const content = await readFile(file)
  const packed = {
    gz: await promisify(gzip)(content, { level: 9 }),
    br: await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  }
  for (const [coding, smaller] of Object.entries(packed))
    if (smaller.length < content.length) await writeFile(`${file}.${coding}`, smaller)
}
