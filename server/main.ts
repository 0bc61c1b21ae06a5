import path from 'node:path'

import { readConfig } from './config.ts'
import { SettingsError } from './sealing/master-keys.ts'
import { startService } from './service.ts'

// The only place that reads the environment and the command line of the service.
try {
  const config = readConfig(process.env)
  const service = await startService(config, {
    consoleFolder: path.join(import.meta.dirname, '..', 'dist'),
    development: process.argv.includes('--dev'),
    stopped: fail,
  })
  process.stdout.write(`${service.welcome}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      service.close().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
    })
} catch (error) {
  fail(error)
}

function fail(error: unknown): never {
  const settings = error instanceof SettingsError
  const message = error instanceof Error ? error.message : 'unknown error'
  process.stderr.write(
    settings ? `The settings are not usable:\n${message}\n` : `Data Store stopped: ${message}\n`,
  )
  process.exit(1)
}
