// Runs PGlite on one folder in a process of its own, which answers the calls of `PGlite` in pglite.ts. Its memory is
// freed with the process, since V8 has been seen to abort while freeing WebAssembly (nodejs/node#64500).
interface Engine {
  exec(statements: string): Promise<{ rows: object[]; blob?: Blob }[]>
}

interface Package {
  PGlite: {
    readonly defaultStartParams: readonly string[]
    create(options: {
      dataDir: string
      startParams: string[]
      onStderr: (line: string) => false
    }): Promise<Engine>
  }
}

const [address = '', folder = ''] = process.argv.slice(2)
process.on('disconnect', () => process.exit())

// The engine ends with a line that names a file and a reason, never data; others can quote rows.
let lastWords: string | undefined
const onStderr = (line: string): false => {
  lastWords = /(?:PANIC|FATAL): .*/.exec(line)?.[0] ?? lastWords
  return false
}

/** Classes whose words name files and blocks. Those of others may quote a row. */
const isOfFiles = /^(XX|58|53)/

async function answer(work: () => Promise<object>): Promise<void> {
  try {
    const answered = await work()
    // An engine that has ended may answer as if nothing had been.
    if (lastWords !== undefined) throw new Error(lastWords)
    process.send?.(answered)
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    process.send?.({ error: lastWords ?? (code === undefined || isOfFiles.test(code) ? message : code) })
  }
}

await answer(async () => {
  const { PGlite } = (await import(address)) as Package
  // Less memory than it would take by itself: each page is read once.
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']
  const engine = await PGlite.create({ dataDir: folder, startParams, onStderr })
  process.on('message', (statements: string) => {
    void answer(async () => {
      const { rows = [], blob } = (await engine.exec(statements)).at(-1) ?? {}
      return { rows, ...(blob && { bytes: new Uint8Array(await blob.arrayBuffer()) }) }
    })
  })
  return { rows: [] }
})
