import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { statusOf } from './pid-file.ts'
import type { Programs } from './programs.ts'
import { NotStarted, pickReason } from './tied.ts'

const lookAtWindowsMs = 500

/** Timeout in seconds, long enough for any recovery. */
const aDay = '86400'

/** Starts PostgreSQL on Windows by pg_ctl, which drops administrator rights; PostgreSQL does not start with them. */
export async function startOnWindows(cluster: string, programs: Programs, settings: string[]) {
  const log = path.join(cluster, 'start.log')
  const control = async (...args: string[]) => {
    const {
      file,
      args: given,
      options,
    } = programs.command('pg_ctl', '-D', cluster, '-s', '-w', '-t', aDay, ...args)
    // No pipes: the server would inherit them and keep them open after pg_ctl has ended.
    const child = spawn(file, given, { ...options, cwd: cluster, stdio: 'ignore', windowsHide: true })
    return ((await once(child, 'exit')) as [number | null])[0]
  }
  fs.rmSync(log, { force: true })
  if (statusOf(cluster).pid !== '') await control('stop', '-m', 'immediate')
  const words = () =>
    fs.existsSync(log)
      ? fs
          .readFileSync(log, 'utf8')
          .split('\n')
          .reduce((former, line) => pickReason(former, line), '')
      : ''
  const code = await control('start', '-l', log, '-o', settings.join(' '))
  if (code !== 0) throw new NotStarted(words() || `code ${code}`)
  const pid = Number(statusOf(cluster).pid)
  const watch = async () => {
    while (isAlive(pid)) await setTimeout(lookAtWindowsMs)
    return words()
  }
  const end = (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => {
    if (signal === 'SIGKILL') process.kill(pid, signal)
    else void control('stop', '-m', signal === 'SIGINT' ? 'fast' : 'immediate')
  }
  return { ended: watch(), end }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
