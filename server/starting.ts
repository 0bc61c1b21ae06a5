import { once } from 'node:events'
import { createServer } from 'node:net'

import { type Config, readConfig } from './config.ts'
import { SettingsError } from './sealing/master-keys.ts'

/** The settings, once they are sound and their port is free: a start that cannot end well has made nothing by then. */
export async function settingsToStartWith(environment: NodeJS.ProcessEnv): Promise<Config> {
  const config = readConfig(environment)
  const { host, port } = config
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    throw portTrouble(config, error)
  }
  server.close()
  await once(server, 'close')
  return config
}

/** Ends the process, with words for its operator. */
export function fail(error: unknown): never {
  const settings = error instanceof SettingsError
  const message = error instanceof Error ? error.message : 'unknown error'
  process.stderr.write(
    settings ? `The settings are not usable:\n${message}\n` : `Data Store stopped: ${message}\n`,
  )
  process.exit(1)
}

function portTrouble({ host, port }: Pick<Config, 'host' | 'port'>, cause: unknown): unknown {
  const { code } = cause as { code?: string }
  const words = {
    EADDRINUSE: `Another process has port ${port} of ${host}. Stop that process, or set PORT to another one.`,
    EACCES: `This process may not open port ${port}. Set PORT to 1024 or above, or permit it.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Set HOST to one of its own, or to 0.0.0.0 for all of them.`,
    ENOTFOUND: `${host} is no name of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`,
  }[code ?? '']
  return words === undefined ? cause : new Error(`${words} Nothing was changed.`, { cause })
}
