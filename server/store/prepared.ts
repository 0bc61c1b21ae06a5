import { sql } from 'kysely'
import { Client, type QueryConfig } from 'pg'

const mark = '/* prepared */'

/**
 * Goes at the beginning of a statement that requests run all the time: connections keep it parsed and planned, which
 * takes longer than to run it. Its text must not vary with what it is given, and a plan for any values must be good for
 * all: numbers of rows are literals. Omitted if users are distributed over several machines.
 */
export const prepared = sql.raw<never>(`${mark} `)

/** Names of the marked statements, by their texts. */
const statementNames = new Map<string, string>()

function statementName(text: string): string {
  const name = statementNames.get(text) ?? `prepared_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/**
 * Time after which a connection plans again: its marked statements, and the checks of foreign keys, whose plans
 * PostgreSQL keeps too. A plan is made for tables as large as they are then, and a table may grow by a million rows
 * before it is analyzed.
 */
const replanMs = 10_000

/** A connection that keeps marked statements prepared, and plans again after a while, if its session is its own. */
export class PreparingClient extends Client {
  /** Whether the session is shared with nobody: a pooler gives each transaction another one, which knows no statements. */
  isOwn = false
  #plannedAtMs = 0

  override query(...given: unknown[]): never {
    const send = (...words: unknown[]) => super.query(...(words as [QueryConfig])) as unknown as never
    const [text, values] = given
    if (!this.isOwn || typeof text !== 'string') return send(...given)
    const isMarked = text.startsWith(mark)
    const nowMs = performance.now()
    if ((isMarked || text === 'begin') && nowMs - this.#plannedAtMs > replanMs) {
      this.#plannedAtMs = nowMs
      // A connection that fails here fails the statement too.
      void (send('discard plans') as Promise<unknown>).catch(() => {})
    }
    return isMarked ? send({ name: statementName(text), text, values }) : send(...given)
  }
}
