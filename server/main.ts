import path from 'node:path'

import { startService } from './service.ts'
import { fail, settingsToStartWith } from './starting.ts'

// Apart from start.ts and the commands, only this module reads the settings from the environment; others get them as
// parameters.
try {
  const config = await settingsToStartWith(process.env)
  const service = await startService(config, {
    consoleFolder: path.join(import.meta.dirname, '..', 'dist'),
    development: process.argv.includes('--dev'),
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
