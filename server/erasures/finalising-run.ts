// Process that finalising.test.ts starts: opens the folder, prints a digest of the values that it can read, makes
// deletions final, and kills itself at a given step. One line per message on stdout.
import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'

import { openDatabase } from '../sealing/database.ts'
// oxlint-disable-next-line no-restricted-imports -- a part of the test
import { openContents } from '../testing/service.ts'
import { finaliseErasures } from './finalising.ts'

const [dataDir = '', point = ''] = process.argv.slice(2)
const database = await openDatabase({ dataDir }, undefined)
const { keyring } = database.keys
const contents = JSON.stringify(await openContents(database))
writeLine(`reads ${createHash('sha256').update(contents).digest('hex')} with ${keyring.ids.length}`)
if (point !== 'none')
  await finaliseErasures(database, {
    now: true,
    graceMs: 0,
    batch: 3,
    progress: (done) => reach(`batch ${done}`),
    step: reach,
  })
await database.close()

function reach(name: string) {
  if (name !== point) return
  writeLine(`killed at ${name}`)
  process.kill(process.pid, 'SIGKILL')
}

// Writes synchronously, so that the output is complete before the kill.
function writeLine(line: string) {
  writeSync(1, `${line}\n`)
}
