import { mkdtempSync } from 'node:fs'
import path from 'node:path'

import { fastestFolder } from '../server/testing-folder.ts'

interface Target {
  readonly name: string
  readonly url: string
  /** Files of journeys that are made on the other service only. */
  readonly without: readonly string[]
  readonly environment: Record<string, string>
  /** The service's own port, where a proxy that compresses stands at the address. */
  readonly behindProxy?: number
}

// Playwright reads its configuration once per worker: the folder is made before (run.ts), or else by the first reader.
const folder = (process.env.E2E_FOLDER ??= mkdtempSync(path.join(fastestFolder(), 'data-store-e2e-')))

function target(
  name: string,
  port: number,
  journeysElsewhere: readonly string[],
  settings: Record<string, string>,
): Target {
  return {
    name,
    without: journeysElsewhere.map((journey) => `${journey}.e2e.ts`),
    url: `http://localhost:${port}/`,
    environment: {
      PORT: String(port),
      DATA_DIR: path.join(folder, name),
      SAMPLE_DATA: '400',
      LOG_LEVEL: 'error',
      // The receivers of the journeys run on this machine.
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      ...settings,
    },
  }
}

/** What sets the services of a project apart. */
export function additionsOf(project: string): { readonly ADDITIONS: string } {
  const { ADDITIONS = 'all' } = targets.find(({ name }) => name === project)?.environment ?? {}
  return { ADDITIONS }
}

// How a session gets on with providers and storages has nothing to do with additions.
const ofSessions = ['back', 'lock', 'policy', 'providers', 'restored', 'session', 'storage']
// Nor has how the console waits, where pages are sent from and come back to, and how wide they are; with additions there is
// more of it.
const ofPages = ['elsewhere', 'locale', 'navigation', 'pins', 'slow', 'unloaded', 'widths']

const proxied = 8393

/** What the journeys are made on: nearly all of them on both. */
export const targets: readonly Target[] = [
  {
    ...target('all additions', 8391, ofSessions, {
      PORT: String(proxied),
      CONSOLE_URL: 'http://localhost:8391/',
    }),
    behindProxy: proxied,
  },
  target('bare document', 8392, ofPages, { ADDITIONS: 'none' }),
]
