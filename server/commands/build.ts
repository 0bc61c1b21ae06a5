// `npm run build`: builds the console, even if dist/ exists already.
import { buildConsole } from '../build-console.ts'
import { complain } from './command.ts'

await buildConsole().catch((error: Error) => {
  complain(error.message)
  process.exitCode = 1
})
