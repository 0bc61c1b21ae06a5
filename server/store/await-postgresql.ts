import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'

const everyMs = 1_000
const sayEveryMs = 5_000
const connectMs = 5_000

/**
 * Resolves when PostgreSQL takes connections. Until then it is asked every second, for so long, and `say` is told every
 * five; what waiting does not mend (a wrong password) is thrown at once, in words for the operator.
 */
export async function awaitPostgres(
  connectionString: string,
  waitSeconds: number,
  say: (line: string) => void,
): Promise<void> {
  const startedMs = performance.now()
  const endsAtMs = startedMs + waitSeconds * 1_000
  let sayAtMs = startedMs
  for (;;) {
    const client = new Client({ connectionString, connectionTimeoutMillis: connectMs })
    // Never the address as it was given: it holds the password.
    const place = `PostgreSQL at ${client.host}:${client.port}`
    let why: string
    try {
      await client.connect()
      return
    } catch (error) {
      if (error instanceof DatabaseError && !isPassing(error)) throw refused(error, place, client)
      if (isSettings(error)) throw unusable(error, place)
      why = reason(error)
    } finally {
      void client.end().catch(() => {})
    }
    const nowMs = performance.now()
    if (nowMs + everyMs > endsAtMs)
      throw new Error(
        `${place} does not answer (${why})${waitSeconds === 0 ? '' : `, not within ${waitSeconds} s (DATABASE_WAIT)`}. ` +
          'Start it, or correct DATABASE_URL; nothing was changed.',
      )
    if (nowMs >= sayAtMs) {
      const leftSeconds = Math.round((endsAtMs - nowMs) / 1_000)
      say(`${place} does not answer yet (${why}): waiting for it, ${leftSeconds} s more at most.`)
      sayAtMs = nowMs + sayEveryMs
    }
    await sleep(everyMs)
  }
}

/** Starting up or shutting down, out of connections or memory, failing over. */
const isPassing = ({ code = '' }: DatabaseError) => /^(57P|53|08)/.test(code)

/** Of TLS: a certificate that is not trusted, a server without it. */
function isSettings(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string }
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || /\bSSL\b|SASL/.test(message)
  )
}

function reason(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code ?? (message.includes('timeout') ? 'no answer' : 'the connection was closed')
}

function refused(error: DatabaseError, place: string, { user, database }: Client): Error {
  const { code = '' } = error
  const why = code.startsWith('28')
    ? `refuses the user "${user}" or the password: correct DATABASE_URL`
    : code === '3D000'
      ? `has no database "${database}": create it, or correct DATABASE_URL`
      : `refuses the connection (${code}): see its log`
  return new Error(`${place} ${why}.`, { cause: error })
}

const unusable = (error: unknown, place: string) =>
  new Error(`${place} cannot be connected to as DATABASE_URL asks (${(error as Error).message}).`, {
    cause: error,
  })
