import { validate as isUuid } from 'uuid'

import { invalid, notFound, type RefusalError } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { eraseUser } from '../jobs/erase-user.ts'
import { findBy } from '../segments/conditions.ts'
import type { Total } from '../segments/counts.ts'
import { peopleByIds } from '../users/answers.ts'
import { checkInvitation, inviteUrl } from '../users/invitation.ts'
import { listPage, memberPage } from '../users/listing.ts'
import { decodeOffset, encodeOffset } from '../users/paging.ts'
import { searchUsers } from '../users/search.ts'
import {
  lockUser,
  userById,
  allUsers,
  type SegmentCondition,
  type UserPage,
  userPage,
} from '../users/storage.ts'
import { storeUsers } from '../users/store.ts'
import { tagOfUser } from '../users/tag.ts'
import { createOrMatch, planUserChange, toTakenRefusal, withFields } from '../users/write.ts'
import { warnInClear } from './in-clear.ts'
import type { Needs } from './needs.ts'

/** Number of users that a list page reveals: a total counted a while ago may be smaller than the page itself. */
export const totalToShow = ({ count }: Pick<UserPage, 'count'>, { total }: ListTotal) =>
  Math.max(count, total)

export function userHandlers({
  database,
  searches,
  inviteUrl: inviteBase,
  counts,
  gate,
  additions,
  definitions,
  dictionary,
}: Needs): Handlers<
  | 'listUsers'
  | 'createUser'
  | 'getUser'
  | 'deleteUser'
  | 'patchUser'
  | 'searchUsers'
  | 'lookUpUsers'
  | 'acceptInvitation'
> {
  const { keys } = database
  const { secrets } = keys
  const inClear = warnInClear({ additions, definitions, dictionary })
  return {
    async listUsers({ query: { segment, offset = '' }, caller }) {
      const after = offset === '' ? undefined : decodeOffset(secrets.paging, offset, segment)
      const toAnswer = (page: UserPage, total: ListTotal) => {
        const next = page.more && page.last ? encodeOffset(secrets.paging, page.last, segment) : ''
        return { status: 200, json: listJson({ ...page, ...total, offset, next }, additions) } as const
      }
      if (segment === undefined) {
        const page = await userPage(database.sql, { after })
        return toAnswer(page, page)
      }
      return await findBy(searches, { segment }, { caller, gate, by: 'list' }, async (condition) => {
        const known = counts.lastCount(condition.name)?.total
        const [page, counted] = await Promise.all([
          memberPage(searches, condition, { after, known }),
          counts.total(condition),
        ])
        const total = totalOf(page, offset, counted)
        return { answer: toAnswer(page, total), users: totalToShow(page, total) }
      })
    },

    async createUser({ body, caller, reason, baseUrl, write, warn }) {
      return await write(async (transaction) => {
        const olderConsents = (left: { entity: string; key: string }) => {
          if (additions) warn({ code: 'older_consent', ...left })
        }
        const writing = { transaction, keys, caller, reason, gate, inClear: inClear(warn), olderConsents }
        const { id, created } = await createOrMatch(writing, body)
        return { status: created ? 201 : 303, location: `${baseUrl}/user/${id}` }
      })
    },

    async getUser({ params: { user_id: id } }) {
      const row = await userById(database.sql, id)
      if (!row) throw notFound('user')
      const { ref, ...fields } = row
      const invitation = inviteUrl(inviteBase, secrets.invitation, row.id, Date.now())
      return {
        status: 200,
        body: { ...fields, ...(ref !== null && { ref }), invite_url: invitation },
        etag: tagOfUser(secrets.etag, row.id, row),
      }
    },

    async deleteUser({
      params: { user_id: id },
      caller,
      reason: { required },
      reference,
      write,
      requireUnchanged,
    }) {
      return await write(async (transaction) => {
        // Locks out entity writes too: whether any entity has sealed values must not change before all are deleted.
        const row = await lockUser(transaction, id, { entities: true })
        if (!row) throw notFound('user')
        requireUnchanged(() => tagOfUser(secrets.etag, id, row))
        await eraseUser({ transaction, keys, caller, required }, row, reference)
        return { status: 204 }
      })
    },

    async patchUser({ params: { user_id: id }, body, caller, reason, baseUrl, write, requireUnchanged }) {
      const work = write(async (transaction) => {
        const before = await lockUser(transaction, id)
        if (!before) throw notFound('user')
        requireUnchanged(() => tagOfUser(secrets.etag, id, before))
        const writing = { transaction, keys, caller, reason, gate }
        const plan = planUserChange(writing, before, withFields(before, body))
        if (plan) await storeUsers(writing, [plan])
        return { status: 303, location: `${baseUrl}/user/${id}` }
      })
      return await work.catch((error: unknown) => {
        throw toTakenRefusal(error) ?? error
      })
    },

    async searchUsers({ body, caller }) {
      const { q, email, name, ref, id, offset = '' } = body
      const sought = [q, email, name, ref, id]
      const isSearch = sought.some((each) => each !== undefined)
      const find = async (condition?: SegmentCondition) => {
        if (isSearch) {
          const values = caller.scopes.has('entities:read')
          const { json, total } = await searchUsers(searches, secrets.search, body, { condition, values })
          return { answer: json, users: total }
        }
        const known = condition && counts.lastCount(condition.name)?.total
        const [page, counted] = await Promise.all([
          listPage(searches, secrets.search, body, condition, known),
          condition ? counts.total(condition) : allUsers(searches.sql),
        ])
        const next = page.more && page.last ? page.last : ''
        const total = totalOf(page, offset, counted)
        return { answer: listJson({ ...page, ...total, offset, next }), users: totalToShow(page, total) }
      }
      const isLimited = body.filter !== undefined || body.segment !== undefined
      const json = isLimited
        ? await findBy(searches, body, { caller, gate, by: 'search', sought }, find)
        : (await find()).answer
      return { status: 200, json }
    },

    async lookUpUsers({ body: { ids, columns } }) {
      const known = ids.filter((id) => isUuid(id))
      return { status: 200, json: await peopleByIds(searches.sql, known, columns) }
    },

    async acceptInvitation({ params: { user_id: id }, body, caller, write }) {
      return await write(async (transaction) => {
        const before = await lockUser(transaction, id)
        if (!before) throw notFound('user')
        const state = checkInvitation(secrets.invitation, id, body.token, Date.now())
        if (state !== 'valid') throw invalid([badInvitation(state)])
        // No reason is required: the invitation is the reason.
        const writing = { transaction, keys, caller, reason: { required: false }, gate }
        const plan = planUserChange(writing, before, { account: true })
        if (plan) await storeUsers(writing, [plan])
        return { status: 204 }
      })
    },
  }
}

/** A total; with `atLeast`, a lower bound. */
type ListTotal = Total & { readonly atLeast?: true }

/**
 * Returns the total of a list. A first page without a successor holds all users. `counted` is undefined if counting
 * timed out; the total is then a lower bound from the page.
 */
function totalOf(page: UserPage, offset: string, counted: Total | undefined): ListTotal {
  if (offset === '' && !page.more) return { total: page.count }
  return counted ?? { total: page.count, atLeast: true }
}

/** Builds the list's envelope. The rows are JSON text already; of the rest, only `offset` needs escaping. */
function listJson(
  {
    json,
    count,
    total,
    counted,
    atLeast,
    offset,
    next,
  }: UserPage & ListTotal & { readonly offset: string; readonly next: string },
  additions = true,
): string {
  const said = atLeast ? ',"atLeast":true' : counted ? `,"counted":"${counted}"` : ''
  return `{"total":${total},"numberOfRecords":${count},"offset":${JSON.stringify(offset)},"next":"${next}","users":${json}${additions ? said : ''}}`
}

function badInvitation(state: 'expired' | 'invalid'): RefusalError {
  const pointer = '/token'
  return state === 'expired'
    ? {
        pointer,
        code: 'expired_invitation',
        detail: 'This invitation has expired; the user has a new one.',
      }
    : { pointer, code: 'invalid_invitation', detail: 'This invitation is not for this user.' }
}
