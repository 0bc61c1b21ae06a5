// Runs PGlite on one folder in its own process and answers the calls of `PGlite` in pglite.ts. The memory is freed by
// ending the process, since V8 has been seen to abort while freeing WebAssembly (nodejs/node#64500).
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

// The last line of an engine that ends names a file and a reason, never data. Other messages can quote rows.
let lastWords: string | undefined
const onStderr = (line: string): false => {
  lastWords = /(?:PANIC|FATAL): .*/.exec(line)?.[0] ?? lastWords
  return false
}

/** Error classes whose messages name files and blocks. Messages of other classes may quote a row. */
const isOfFiles = /^(XX|58|53)/

async function answer(work: () => Promise<object>): Promise<void> {
  try {
    const answered = await work()
    // An engine that has ended may still answer as if nothing had happened.
    if (lastWords !== undefined) throw new Error(lastWords)
    process.send?.(answered)
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    process.send?.({ error: lastWords ?? (code === undefined || isOfFiles.test(code) ? message : code) })
  }
}

await answer(async () => {
  const { PGlite } = (await import(address)) as Package
  // Uses less memory than PGlite's default: tables are read in sequence, which needs no large cache.
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
