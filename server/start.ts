// `npm start`: builds the console where it is not the one of its sources, then runs the service in this same process. The
// script begins with `exec`, so that npm's signals reach it and not a shell in between, which keeps them; where there is
// no `exec` (Windows), the second half of the script runs instead.
import { seeConsoleBuilt } from './commands/build-console.ts'
import { fail, settingsToStartWith } from './starting.ts'

await settingsToStartWith(process.env).catch(fail)
if (!process.argv.includes('--dev')) await seeConsoleBuilt().catch(fail)
await import('./main.ts')
