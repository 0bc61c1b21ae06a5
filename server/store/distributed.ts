import {
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type RawBuilder,
  type RawNode,
  sql,
} from 'kysely'

import { fence, type Handle } from './sql.ts'

class DistributedAdapter extends PostgresAdapter {}

const [fenceText] = fence.toOperationNode().sqlFragments

class DistributedCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    if (node.sqlFragments.length > 1 || node.sqlFragments[0] !== fenceText) super.visitRaw(node)
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
 */
export async function runTogether<Row>(
  transaction: Handle,
  returning: Readonly<Record<string, RawBuilder<Row>>>,
  besides: readonly RawBuilder<unknown>[],
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
  const { rows } = await sql<Row>`
    with ${sql.join(parts.map(([name, each]) => sql`${sql.ref(name)} as (${each})`))}
    ${found.length === 0 ? sql`select where false` : sql.join(found, sql` union all `)}`.execute(transaction)
  return rows
}
