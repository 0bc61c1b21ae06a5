import fs from 'node:fs'
import path from 'node:path'

type Status = Readonly<Record<'pid' | 'port' | 'host' | 'state', string>>

export const pidFileOf = (cluster: string): string => path.join(cluster, 'postmaster.pid')

/** Reads the server's state from its pid file; all fields are empty without one. A killed server leaves its file. */
export function statusOf(cluster: string): Status {
  const file = pidFileOf(cluster)
  let lines: string[] = []
  try {
    lines = fs.readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    // A starting server deletes the old file before it writes its own. Node names no file when it fails to read one.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw Object.assign(error as Error, { path: file })
  }
  // Lines of the file: pid, folder, start time, port, socket folder, address, shared memory, state.
  const [pid = '', , , port = '', host = '', , , state = ''] = lines.map((line) => line.trim())
  return { pid, port, host, state }
}
