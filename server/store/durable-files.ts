import fs from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Reserve } from './reserve.ts'

// PGlite's files with a working fsync. `stream_ops` is where Emscripten looks for it; stock PGlite has none there.
export class DurableNodeFS extends NodeFS {
  // Successful fsyncs of the write-ahead log.
  walSyncs = 0
  readonly #reserve: Reserve | undefined

  constructor(dataDir: string, reserve?: Reserve) {
    super(dataDir)
    this.#reserve = reserve
  }

  override async init(...[pglite, options]: Parameters<NodeFS['init']>) {
    const started = await super.init(pglite, options)
    started.emscriptenOpts.preRun?.push((module: unknown) => {
      const { stream_ops } = (module as EmscriptenModule).NODEFS
      stream_ops.fsync = ({ nfd, path }) => {
        try {
          fs.fsyncSync(nfd)
        } catch (error) {
          // As an errno, so that PostgreSQL handles it. Thrown from here it would be swallowed, and the commit
          // acknowledged (measured).
          return errno[(error as NodeJS.ErrnoException).code ?? ''] ?? errno.EIO
        }
        if (path.includes('/pg_wal/')) this.walSyncs++
        return 0
      }
      const { write } = stream_ops
      stream_ops.write = (stream, ...what) => {
        for (;;)
          try {
            return write(stream, ...what)
          } catch (error) {
            // A table that cannot grow fails its statement alone; of all the rest the engine would die.
            const isTable = stream.path.includes('/base/')
            if (isTable || !isNoRoom(error) || !this.#reserve?.release()) throw error
          }
      }
    })
    return started
  }
}

interface EmscriptenModule {
  NODEFS: {
    stream_ops: {
      fsync?: (stream: Stream) => number
      write: (stream: Stream, ...what: unknown[]) => number
    }
  }
}

interface Stream {
  nfd: number
  path: string
}

// WASI's numbers. PostgreSQL ignores the first two for folders, which not every system can sync; what Windows says of a
// folder, that it is not permitted, would end the engine.
const errno: Record<string, number> & { EIO: number; ENOSPC: number; EDQUOT: number } = {
  EBADF: 8,
  EINVAL: 28,
  EPERM: 8,
  EIO: 29,
  ENOSPC: 51,
  EDQUOT: 19,
}

function isNoRoom(error: unknown) {
  const { errno: number } = error as { errno?: unknown }
  return number === errno.ENOSPC || number === errno.EDQUOT
}
