/** Reason of the operating system why a call failed, and the file that the call was about, if any is named. */
export interface Reason {
  readonly code: string
  readonly file?: string
}

const messages: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/quota exceeded/i, 'EDQUOT'],
  [/Read-only file system/, 'EROFS'],
  [/Permission denied|Operation not permitted/, 'EACCES'],
  [/Too many open files|insufficient file descriptors/, 'EMFILE'],
  [/File too large/, 'EFBIG'],
  [/Is a directory/, 'EISDIR'],
  [/Not a directory/, 'ENOTDIR'],
  [/File name too long/, 'ENAMETOOLONG'],
  [/Input\/output error/, 'EIO'],
  [/lock file .* already exists|shared memory block .* is still in use/, 'EBUSY'],
  [/out of memory|Cannot allocate memory/i, 'ENOMEM'],
  [/cannot fork|could not fork|Resource temporarily unavailable/i, 'EAGAIN'],
  [/max_stack_depth/, 'ESTACK'],
  [/Unix-domain socket|Unix address|\.s\.PGSQL/, 'ESOCKET'],
]

/** Finds the reason in a line of PostgreSQL's log, or of the shell that starts it: messages of the C library, mostly. */
export function reasonIn(line: string): Reason | undefined {
  const code = messages.find(([message]) => message.test(line))?.[1]
  const file = /"([^"]+)"/.exec(line)?.[1]
  return code === undefined ? undefined : { code, ...(file !== undefined && { file }) }
}
