import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import * as z from 'zod'

export interface IdentityKeys {
  /** Private key (ES256) that signs access and ID tokens. */
  signing: JWK
  /** Keys for signing cookies; the first one signs. */
  cookies: string[]
}

const stored = z.object({
  signing: z.looseObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    d: z.string(),
  }),
  cookies: z.array(z.string().min(32)).min(1),
})

/**
 * Loads the keys from `file`, which is created if it does not exist. Without a file, makes keys that are lost when the
 * process ends.
 */
export async function loadKeys(file?: string): Promise<IdentityKeys> {
  if (file === undefined) return generateKeys()
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) return parseKeys(text, file)

  const keys = await generateKeys()
  await mkdir(dirname(file), { recursive: true })
  // The file is synced before it is renamed into place: a process that dies while writing leaves no partial key, and a
  // power cut leaves no empty file under the final name.
  const unfinished = `${file}.${process.pid}.new`
  await syncFile(unfinished, 'w', (handle) => handle.writeFile(JSON.stringify(keys)))
  await rename(unfinished, file)
  // Windows cannot open folders, so the folder is not synced there.
  if (process.platform !== 'win32') await syncFile(dirname(file), 'r')
  return keys
}

async function syncFile(path: string, flags: 'w' | 'r', work?: (handle: FileHandle) => Promise<void>) {
  const handle = await open(path, flags, 0o600)
  try {
    await work?.(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function parseKeys(text: string, file: string): IdentityKeys {
  try {
    return stored.parse(JSON.parse(text))
  } catch {
    // The cause is omitted, because its message would quote the private key.
    throw new Error(`${file} does not hold the sign-in's keys. Delete it to have new ones made.`)
  }
}

async function generateKeys(): Promise<IdentityKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return {
    signing: { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' },
    cookies: [randomBytes(32).toString('base64url')],
  }
}
