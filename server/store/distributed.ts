import {
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type RawBuilder,
  type RawNode,
  sql,
} from 'kysely'

import { prepared } from './prepared.ts'
import { fence, type Handle } from './sql.ts'

class DistributedAdapter extends PostgresAdapter {}

/** Texts that distributed statements do without. */
const omitted = new Set([fence, prepared].flatMap((text) => text.toOperationNode().sqlFragments))

class DistributedCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    const [text = ''] = node.sqlFragments
    if (node.sqlFragments.length > 1 || !omitted.has(text)) super.visitRaw(node)
  }
}

/** Dialect for a store whose users are distributed over several machines. */
export class DistributedDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new DistributedAdapter()
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new DistributedCompiler()
  }
}

/** Table of the users' unique identifiers, distributed by their values; it exists only in a distributed store. */
export const userIdentifiers = 'user_identifiers'

/** Whether a store that is being opened is distributed. */
export async function detectDistribution(db: Handle): Promise<boolean> {
  const { rows } = await sql`select 1 where to_regclass(${userIdentifiers}) is not null`.execute(db)
  return rows.length > 0
}

/** Whether users are distributed over several machines by Citus; see docs/decisions/0035-more-machines.md. */
export const isDistributed = (handle: Handle): boolean =>
  handle.getExecutor().adapter instanceof DistributedAdapter

/**
 * Runs statements that do not depend on each other's writes, and returns the rows of those in `returning`, which all
 * have the same columns and are known to the others by their names. Combines all into one; with distributed users,
 * where such statements are not possible, runs them one after another. Must be called in a transaction.
 *
 * @param isUsual Whether requests run this combination all the time, so that connections keep it prepared.
 */
export async function runTogether<Row>(
  transaction: Handle,
  returning: Readonly<Record<string, RawBuilder<Row>>>,
  besides: readonly RawBuilder<unknown>[],
  { isUsual }: { readonly isUsual: boolean },
): Promise<readonly Row[]> {
  const named = Object.entries(returning)
  if (isDistributed(transaction)) {
    const rows: Row[] = []
    for (const [, each] of named) rows.push(...(await each.execute(transaction)).rows)
    for (const each of besides) await each.execute(transaction)
    return rows
  }
  const parts = [...named, ...besides.map((each, at) => [`besides_${at}`, each] as const)]
  const found = named.map(([name]) => sql`select * from ${sql.ref(name)}`)
  const { rows } = await sql<Row>`${isUsual ? prepared : sql``}
    with ${sql.join(parts.map(([name, each]) => sql`${sql.ref(name)} as (${each})`))}
    ${found.length === 0 ? sql`select where false` : sql.join(found, sql` union all `)}`.execute(transaction)
  return rows
}
