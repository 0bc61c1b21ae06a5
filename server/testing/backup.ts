// Helpers shared by the backup tests: the commands of docs/operations.md, "Back up and restore", and functions that
// read a store.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { type Database, openDatabase } from '../sealing/database.ts'
import type { MasterKeys } from '../sealing/master-keys.ts'
import type { StoreSettings } from '../store/store.ts'
import { openContents, type TestService } from './service.ts'

const operationsPage = fs.readFileSync(
  path.join(import.meta.dirname, '../..', 'docs', 'operations.md'),
  'utf8',
)
const [, section = ''] = /^## Back up and restore\n(.*?)^## /ms.exec(operationsPage) ?? []

/** Shell commands of the section, in the order of the page. */
export const commands = [...section.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, command = '']) => command)

export interface Ended {
  readonly status: number | null
  readonly out: string
  readonly problem: string
}

/** Runs a command in a shell, in the folder of the repository. `started` receives the process id. */
export async function run(
  command = '',
  environment: Readonly<Record<string, string>> = {},
  started: (pid: number) => void = () => {},
): Promise<Ended> {
  return await new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-ec', command], {
      cwd: path.join(import.meta.dirname, '../..'),
      env: { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`, ...environment },
    })
    if (child.pid !== undefined) started(child.pid)
    let [out, problem] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, out, problem }))
  })
}

/** Returns every row of every table, as stored. */
async function allRows({ pool }: Pick<Database, 'pool'>): Promise<Record<string, unknown>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const each = tables.map(async ({ name }) => {
    const { rows } = await pool.query<{ rows: string[] }>(
      `select array_agg(t::text order by t::text collate "C") as rows from ${name} t`,
    )
    return [name, rows[0]?.rows] as const
  })
  return Object.fromEntries(await Promise.all(each))
}

/** Opens a store for the duration of `work`. Without `keys`, a store in a folder uses the key in that folder. */
export async function withStore<Result>(
  settings: StoreSettings,
  work: (database: Database) => Promise<Result>,
  keys?: MasterKeys,
): Promise<Result> {
  const database = await openDatabase(settings, keys)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

export const lookInto = async (database: Database) => ({
  rows: await allRows(database),
  values: await openContents(database),
})

export const addUser = async (service: TestService, name: string) =>
  await service.create('steward', '/users', {
    name,
    email: `${name}@example.org`,
    properties: [
      { key: 'iban', type: 'TEXT', sensitive: true, value: `IBAN of ${name}` },
      { key: 'town', type: 'TEXT', value: 'Lyon' },
    ],
  })
