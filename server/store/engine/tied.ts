import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

import type { Programs } from './programs.ts'

/** Error for a program that did not do its work. The message is the reason from its log. */
export class NotStarted extends Error {
  override name = 'NotStarted'
}

const lastWordsMs = 100

// The shell starts a reader in the background and then replaces itself with the program. When this process exits or is
// killed, its end of the pipe closes, and the reader stops the program at once. The reader is orphaned deliberately:
// PostgreSQL would treat the exit of its own child as a crash.
const tie = `( ( read -r line <&3 || kill -QUIT $$ ) >/dev/null 2>&1 & ) 3<&0; exec "$@" </dev/null`

/** Runs a program that ends with this process. It has its own session, so that Ctrl-C only reaches this process. */
export function spawnTied(
  cwd: string,
  programs: Programs,
  run: { program: string; args: string[]; env?: object; isQuotable?: boolean },
) {
  const isWindows = process.platform === 'win32'
  const { file, args: rest, options } = programs.command(run.program, ...run.args)
  const command = isWindows ? [file, ...rest] : ['/bin/sh', '-c', tie, 'sh', file, ...rest]
  const child = spawn(command[0] ?? '', command.slice(1), {
    ...options,
    env: { ...options.env, ...run.env },
    cwd,
    detached: !isWindows,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const { stdin, stderr } = child
  if (!stdin || !stderr) throw new Error('A child has no pipes')
  let words = ''
  createInterface(stderr).on('line', (line) => (words = pickReason(words, line, run.isQuotable)))
  stdin.on('error', () => {})
  // The program's children may keep the pipe open for a moment longer.
  const closed = once(child, 'close')
  closed.catch(() => {})
  const exit = once(child, 'exit').then(
    async ([code, signal]: (number | NodeJS.Signals | null)[]) => {
      // Ends the reader: there is no program left to stop, and another one may soon get the same pid.
      stdin.end('over\n')
      await Promise.race([closed, setTimeout(lastWordsMs)])
      return { code, words: words || `${signal ?? `code ${code}`}` }
    },
    (error: Error) => ({ code: null, words: error.message }),
  )
  return { pid: child.pid, exit, kill: (signal: NodeJS.Signals) => void child.kill(signal) }
}

/** Log lines that do not explain why a program ends: activity, refused connections, what is said beside a reason. */
const others =
  /^(LOG|WARNING|NOTICE|DETAIL|HINT|CONTEXT|STATEMENT|\t)|FATAL: *(the database system|terminating)/
/** Log lines of failed statements, which can quote what was written. */
const ofStatements = /^ERROR/
/** Log lines that say what is wrong with a file of settings; the reason that follows names the file alone. */
const ofSettings = /^LOG: *(.*(?:configuration parameter|parameter "|syntax error in file).*)/
/** Reasons of the operating system, which are worth more than what PostgreSQL concludes from them. */
const ofSystem =
  /: (No space left|Disk quota|Read-only file|Permission denied|Operation not permitted|Too many open files|File too large|Cannot allocate|Input\/output error|Resource temporarily|No such file)/

/**
 * Picks the line that explains why a program ended: the last reason it gave, otherwise the first line.
 *
 * @param isQuotable Whether failed statements are none of a caller.
 */
export function pickReason(former: string, line: string, isQuotable = false): string {
  const setting = ofSettings.exec(line)?.[1]
  if (setting !== undefined && former === '') return setting
  if (others.test(line) || (!isQuotable && ofStatements.test(line))) return former
  if (isQuotable && ofSystem.test(former)) return former
  const reason = /(?:PANIC|FATAL|ERROR|error)\b.*/.exec(line)?.[0]
  if (reason?.includes('contains errors') && former !== '') return `${reason}: ${former}`
  return reason ?? (former || line)
}
