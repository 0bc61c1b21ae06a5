import { spawn } from 'node:child_process'
import { once } from 'node:events'

const stopped = new AbortController()

/**
 * Turns signals into errors of a test run, so that its temporary resources are cleaned up. Call this before making any.
 */
export function endInOrder(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stopped.abort(new Error(`The tests were ended by ${signal}.`)))
}

/** Runs the service tests of the release in `cwd`; throws if they fail. The `nights` project runs only when named. */
export async function runTests(
  files: readonly string[],
  {
    project = 'server',
    ...options
  }: { readonly project?: string; readonly cwd?: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  stopped.signal.throwIfAborted()
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...files]
  const running = spawn('node', vitest, { stdio: 'inherit', ...options })
  const stop = () => running.kill()
  stopped.signal.addEventListener('abort', stop)
  const [status] = (await once(running, 'exit')) as [number | null]
  stopped.signal.removeEventListener('abort', stop)
  stopped.signal.throwIfAborted()
  if (status !== 0) throw new Error(`The tests ended with ${status}.`)
}
