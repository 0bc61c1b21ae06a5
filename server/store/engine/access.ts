import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { superuser } from './address.ts'
import type { Account, Programs } from './programs.ts'

/** Gives the files of a database to the account that runs it, and closes them to all others. */
export function giveTo(cluster: string, owner: Account | undefined): void {
  if (process.platform === 'win32') return
  fs.chmodSync(cluster, 0o700)
  if (owner) give(cluster, owner)
}

function give(place: string, owner: Account): void {
  const at = fs.lstatSync(place)
  // Links are not followed: the account that has owned the folder until now could have made one to any place.
  if (at.uid !== owner.uid || at.gid !== owner.gid) fs.lchownSync(place, owner.uid, owner.gid)
  if (at.isDirectory()) for (const name of fs.readdirSync(place)) give(path.join(place, name), owner)
}

/**
 * Writes who may connect to the socket. Only the account of its folder reaches it, which is the service's. If other
 * programs share that account, PostgreSQL asks the system which account a client runs as, and takes the service's alone.
 * Written at each start, because the folder may come from a machine where the other way was taken. On Windows the
 * password decides, and the file is the one that initdb wrote.
 */
export function writeAccess(cluster: string, { sharedWith }: Programs): void {
  if (process.platform === 'win32') return
  const map = 'service'
  const [hba, ident] =
    sharedWith === undefined
      ? ['local all all trust', '']
      : [`local all all peer map=${map}`, `${map} "${os.userInfo().username}" ${superuser}`]
  for (const [name, line] of [
    ['pg_hba.conf', hba],
    ['pg_ident.conf', ident],
  ] as const)
    fs.writeFileSync(path.join(cluster, name), `# Written by the service at each start.\n${line}\n`, {
      mode: 0o600,
    })
}
