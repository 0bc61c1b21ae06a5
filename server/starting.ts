import { once } from 'node:events'
import { createServer } from 'node:net'

import { type Config, readConfig } from './config.ts'
import { SettingsError } from './sealing/master-keys.ts'

/**
 * Returns the settings if they are valid and their ports are free, so that a start that must fail has created nothing.
 */
export async function settingsToStartWith(environment: NodeJS.ProcessEnv): Promise<Config> {
  const config = readConfig(environment)
  const { host, port, metricsPort } = config
  await seeFree('PORT', host, port)
  if (metricsPort !== undefined) await seeFree('METRICS_PORT', host, metricsPort)
  return config
}

async function seeFree(setting: string, host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    throw portTrouble(setting, host, port, error)
  }
  server.close()
  await once(server, 'close')
}

/** Ends the process with a message for the operator. */
export function fail(error: unknown): never {
  const settings = error instanceof SettingsError
  const message = error instanceof Error ? error.message : 'unknown error'
  process.stderr.write(
    settings ? `The settings are not usable:\n${message}\n` : `Data Store stopped: ${message}\n`,
  )
  process.exit(1)
}

function portTrouble(setting: string, host: string, port: number, cause: unknown): unknown {
  const { code } = cause as { code?: string }
  const words = {
    EADDRINUSE: `Another process has port ${port} of ${host}. Stop that process, or set ${setting} to another one.`,
    EACCES: `This process may not open port ${port}. Set ${setting} to 1024 or above, or permit it.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Set HOST to one of its own, or to 0.0.0.0 for all of them.`,
    ENOTFOUND: `${host} is no name of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`,
  }[code ?? '']
  return words === undefined ? cause : new Error(`${words} Nothing was changed.`, { cause })
}
