// Runs `npm start` and `npm run dev`: builds the console (not for `dev`) unless it matches its sources, then runs the
// service in this same process. The npm scripts begin with `exec`, so that npm's signals reach this process instead of
// being kept by a shell. If there is no `exec` (Windows), the second half of the script runs instead.
import { seeConsoleBuilt } from './build-console.ts'
import { fail, settingsToStartWith } from './starting.ts'

await settingsToStartWith(process.env).catch(fail)
if (!process.argv.includes('--dev')) await seeConsoleBuilt().catch(fail)
await import('./main.ts')
