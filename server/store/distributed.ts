import {
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type RawBuilder,
  type RawNode,
  sql,
} from 'kysely'

import { fence, type Handle } from './sql.ts'

class SpreadAdapter extends PostgresAdapter {}

const [fenceText] = fence.toOperationNode().sqlFragments

class SpreadCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    if (node.sqlFragments.length > 1 || node.sqlFragments[0] !== fenceText) super.visitRaw(node)
  }
}

/** Dialect for a store whose users are distributed over several machines. */
export class SpreadDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new SpreadAdapter()
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new SpreadCompiler()
  }
}

/** Which identifiers are whose, spread by what they are; only in such a store. */
export const userIdentifiers = 'user_identifiers'

/** Whether a store that is being opened has been spread. */
export async function spreadAlready(db: Handle): Promise<boolean> {
  const { rows } = await sql`select 1 where to_regclass(${userIdentifiers}) is not null`.execute(db)
  return rows.length > 0
}

/** Whether users are spread over several machines, by Citus: docs/decisions/0035-more-machines.md. */
export const isSpread = (handle: Handle): boolean => handle.getExecutor().adapter instanceof SpreadAdapter

/**
 * A statement and others besides it, of which none needs what another one writes: in one, or where users are spread, which takes no
 * such statements, one after the other. To be called in a transaction.
 */
export async function together<Row>(
  transaction: Handle,
  statement: RawBuilder<Row>,
  besides: readonly RawBuilder<unknown>[],
): Promise<readonly Row[]> {
  if (!isSpread(transaction)) {
    const parts = besides.map((each, at) => sql`${sql.ref(`besides_${at}`)} as (${each})`)
    const all = parts.length === 0 ? statement : sql<Row>`with ${sql.join(parts)} ${statement}`
    return (await all.execute(transaction)).rows
  }
  const { rows } = await statement.execute(transaction)
  for (const each of besides) await each.execute(transaction)
  return rows
}
