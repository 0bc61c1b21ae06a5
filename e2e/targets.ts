import { mkdtempSync } from 'node:fs'
import path from 'node:path'

import { fastestFolder } from '../server/testing/folder.ts'

interface Target {
  readonly name: string
  readonly url: string
  /** Files of the only journeys that run on this target (`only`), or of those that do not (`without`). */
  readonly only?: readonly string[]
  readonly without?: readonly string[]
  readonly environment: Record<string, string>
  /** Port of the service itself, if a compressing proxy is at `url`. */
  readonly behindProxy?: number
}

// Playwright reads its configuration once per worker, so the folder is created before (run.ts), or else by the first
// reader.
const folder = (process.env.E2E_FOLDER ??= mkdtempSync(path.join(fastestFolder(), 'data-store-e2e-')))

function target(name: string, port: number, settings: Record<string, string>): Target {
  return {
    name,
    url: `http://localhost:${port}/`,
    environment: {
      PORT: String(port),
      DATA_DIR: path.join(folder, name),
      SAMPLE_DATA: '400',
      LOG_LEVEL: 'error',
      // The journeys' receivers run on this machine.
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      ...settings,
    },
  }
}

// Journeys about sessions, with different providers and storages, do not depend on additions.
const ofSessions = ['back', 'lock', 'policy', 'providers', 'restored', 'session', 'sleep', 'storage']

/**
 * Journeys that run on a second service with all additions. Journeys on one service run one at a time; these take as long
 * as those that are left to the first.
 */
const onSecond = [
  'everywhere',
  'create-user',
  'editor',
  'entities',
  'faults',
  'segments',
  'search',
  'user',
  'transfer',
  'widths',
  'why',
  'webhooks',
  'unloaded',
  'slow',
  'sensitive',
  'record',
  'audit',
]

const file = (journey: string) => `${journey}.e2e.ts`
const proxied = 8393
const secondProxied = 8395

/** Services that the journeys run on: one has none of the additions, for the journeys of `bare.e2e.ts` and of sessions. */
export const targets: readonly Target[] = [
  {
    ...target('all additions', 8391, {
      PORT: String(proxied),
      CONSOLE_URL: 'http://localhost:8391/',
    }),
    without: ['bare', ...ofSessions, ...onSecond].map(file),
    behindProxy: proxied,
  },
  {
    ...target('bare document', 8392, { ADDITIONS: 'none' }),
    only: ['bare', ...ofSessions].map(file),
  },
  {
    ...target('all additions, second', 8394, {
      PORT: String(secondProxied),
      CONSOLE_URL: 'http://localhost:8394/',
    }),
    only: onSecond.map(file),
    behindProxy: secondProxied,
  },
]
