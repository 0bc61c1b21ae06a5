import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

import type { Account, Programs } from './programs.ts'

// `lsof` is part of macOS. The processes are killed because a busy backend might not notice for a long time that its
// postmaster is gone, and a stopped one never ends by itself. After ten seconds this gives up: PostgreSQL itself does
// not start next to a process that cannot be ended. The list's own status says nothing: it is that of the last process
// looked at, whichever folder that one works in.
const endAll = `list() {
  [ -d /proc/self ] || { lsof -t -a -d cwd -c postgres -c initdb "$1"; return; }
  for at in /proc/[0-9]*; do
    read -r name <$at/comm && case $name in postgres | initdb) [ $at/cwd -ef "$1" ] && echo \${at#/proc/} ;; esac
  done
}
tries=0
while pids=$(list "$1"); [ "$pids" ] && [ $tries -lt 500 ]; do kill -KILL $pids; sleep 0.02; tries=$((tries + 1)); done`

/**
 * Ends the processes that work in this folder: a killed service leaves its PostgreSQL for a moment. They are
 * identified by the folder, since a pid in a file may belong to any program. Root looks as the files' present and
 * former owner too, because in a container only their own account can see where processes work.
 */
export function endProcessesOf(cluster: string, { owner }: Programs): void {
  const at = fs.statSync(cluster, { throwIfNoEntry: false })
  if (!at) return
  const accounts = new Map<number | undefined, Account | undefined>([[undefined, undefined]])
  if (process.getuid?.() === 0)
    for (const { uid, gid } of [{ uid: at.uid, gid: at.gid }, ...(owner ? [owner] : [])])
      if (uid !== 0) accounts.set(uid, { uid, gid })
  for (const account of accounts.values())
    spawnSync('/bin/sh', ['-c', endAll, 'sh', cluster], { ...account, cwd: '/', stdio: 'ignore' })
}

/**
 * Returns the pid of the process that holds a lock on a file, as far as the system tells: Linux does, unless that
 * process is of another container.
 */
export function holderOf(file: string): number | undefined {
  try {
    const { ino } = fs.statSync(file)
    const locks = fs.readFileSync('/proc/locks', 'utf8').split('\n')
    const ofFile = locks.find((line) => line.includes(' WRITE ') && line.includes(`:${ino} `))
    const pid = Number(/ WRITE (\d+) /.exec(ofFile ?? '')?.[1] ?? 0)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}
