import { mkdtempSync } from 'node:fs'
import path from 'node:path'

import { fastestFolder } from '../server/testing/folder.ts'

interface Target {
  readonly name: string
  readonly url: string
  /** The files of the journeys that are made on it, or those that are not. */
  readonly only?: readonly string[]
  readonly without?: readonly string[]
  readonly environment: Record<string, string>
  /** The service's own port, where a proxy that compresses stands at the address. */
  readonly behindProxy?: number
}

// Playwright reads its configuration once per worker: the folder is made before (run.ts), or else by the first reader.
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
      // The receivers of the journeys run on this machine.
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      ...settings,
    },
  }
}

/**
 * Journeys that lead another way where the service has no additions, and are made on both. What an addition merely brings, or
 * leaves out, is held by tests of the pages with all additions and with none.
 */
const onBoth = {
  'create-user':
    'who is there already is found by posting, and a lost answer is not asked for again by itself',
  editor: 'hidden values are in the page before they are revealed, and nothing can be put back',
  entities: 'what others have is known of what was loaded alone',
  events: 'the log is searched from its end, and rows name nobody',
  faults: 'a write has neither tag nor key: whether it was done is found out by reading',
  find: 'whoever is sought is found by an id alone',
  screens: 'the same screens stand in another frame, with fewer areas',
  search: 'the users are gone through page by page',
  segments: 'a segment cannot be changed: a new one takes its place',
  'sign-in': 'other areas come first, and the page asks for its settings itself',
  users: 'a deletion leaves no receipt',
}

// How a session gets on with providers and storages has nothing to do with additions.
const ofSessions = ['back', 'lock', 'policy', 'providers', 'restored', 'session', 'storage']

/**
 * Made on a second service with all additions, by the worker that has no more to do on the one without: of what one service has,
 * one journey is made at a time. So many of them that both workers take as long.
 */
const onSecond = [
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

export const bareName = 'bare document'

/** The services that journeys are made on: all but those of sessions on a service with all additions. */
export const targets: readonly Target[] = [
  {
    ...target('all additions', 8391, {
      PORT: String(proxied),
      CONSOLE_URL: 'http://localhost:8391/',
    }),
    without: [...ofSessions, ...onSecond].map(file),
    behindProxy: proxied,
  },
  {
    ...target(bareName, 8392, { ADDITIONS: 'none' }),
    only: [...Object.keys(onBoth), ...ofSessions].map(file),
  },
  // Last: a worker takes the first project that has a journey for it and none under way.
  {
    ...target('all additions, second', 8394, {
      PORT: String(secondProxied),
      CONSOLE_URL: 'http://localhost:8394/',
    }),
    only: onSecond.map(file),
    behindProxy: secondProxied,
  },
]
