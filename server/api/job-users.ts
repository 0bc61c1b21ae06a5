import { maxBatchUsers } from '#contract/index.ts'
import type { Caller } from '../http/auth/caller.ts'
import { tooManyUsers } from '../jobs/limits.ts'
import { usersWho } from '../jobs/storage.ts'
import { type Asking, findBy, type Selection } from '../segments/conditions.ts'
import { countUsers } from '../segments/counts.ts'
import type { Transaction } from '../store/sql.ts'
import type { Needs } from './needs.ts'

/** Time limit for counting the matches of a filter that finds too many users, for the error message. */
const countMs = 1000

interface JobUsers extends Selection {
  readonly ids?: readonly string[] | undefined
}

/** Chooses the users of a job when it begins: those who are named, or whom a filter or segment finds at that moment. */
export function chooseUsers({ database, gate }: Pick<Needs, 'database' | 'gate'>) {
  const askingOf = (caller: Caller): Asking => ({ caller, gate, by: 'batch' })

  /** Counts the matches of a filter that finds too many users; `undefined` if counting takes too long. */
  async function countFound(users: JobUsers, caller: Caller) {
    return await findBy(database, users, askingOf(caller), async ({ where }) => {
      const count = await countUsers(database, where(), { limitMs: countMs })
      return { answer: count, users: count ?? maxBatchUsers }
    })
  }

  return {
    async usersOf(transaction: Transaction, users: JobUsers, caller: Caller): Promise<readonly string[]> {
      if (users.ids) return [...new Set(users.ids)]
      const reading = { sql: transaction, keys: database.keys }
      return await findBy(reading, users, askingOf(caller), async ({ where }) => {
        const found = await usersWho(transaction, where(), maxBatchUsers + 1)
        if (found.length > maxBatchUsers) throw new FoundTooMany()
        return { answer: found, users: found.length }
      })
    },

    /** Waits for the beginning of a job, and says how many users were found if they are too many. */
    async refuseFoundTooMany<Answer>(
      users: JobUsers,
      caller: Caller,
      begun: Promise<Answer>,
    ): Promise<Answer> {
      return await begun.catch(async (error: unknown) => {
        // The count runs after the transaction has released its connection, so that no request waits for a second one.
        if (error instanceof FoundTooMany) throw tooManyUsers(await countFound(users, caller))
        throw error
      })
    },
  }
}

/** Thrown if a filter finds more users than a job may have. */
class FoundTooMany extends Error {}
