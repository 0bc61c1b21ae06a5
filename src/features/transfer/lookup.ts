import { emailKey, maxLookedUp, type User, usersPerPage } from '#contract/index.ts'
import { importedEntity } from '#contract/reading/targets.ts'
import { api } from '../../api/index.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { userPages } from '../../domain/user-list/user-pages.ts'
import { runInParallel, retryWhileBusy } from '../../domain/work/concurrency.ts'
import type { Run } from '../../domain/work/use-work.ts'

/** Ids, normalised e-mails and unchanged refs to look up. */
export interface Wanted {
  readonly ids: ReadonlySet<string>
  readonly emails: ReadonlySet<string>
  readonly refs: ReadonlySet<string>
}

export interface FoundUser {
  readonly id: string
  readonly name: string | undefined
}

export interface Existing {
  readonly ids: ReadonlyMap<string, FoundUser>
  readonly emails: ReadonlyMap<string, FoundUser>
  readonly refs: ReadonlyMap<string, FoundUser>
  /** Stored consents by user id and property key, as far as they are known and readable. */
  readonly consents: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

interface LookupProgress {
  readonly done: number
  /** Total amount of work; undefined if unknown. */
  readonly of: number | undefined
  readonly waitSeconds?: number | undefined
}

const searchesAtOnce = 6
/** Longest search text that the service accepts, in characters. */
const longestSearch = 200

/** `search`: one search for each e-mail and ref. `walk`: reads all users once. */
type Way = 'search' | 'walk'

/** Returns the strategy with fewer rounds of requests. */
export function cheapestWay({ emails, refs }: Wanted, users: number | undefined): Way {
  const searches = (emails.size + refs.size) / searchesAtOnce
  return users !== undefined && users / usersPerPage < searches ? 'walk' : 'search'
}

/**
 * Finds the wanted users who exist already, by the matching rules of the service, and their consents under these keys.
 * A repeated run resumes.
 */
export function createLookup(
  wanted: Wanted,
  way: Way,
  consentKeys: readonly string[],
): Run<LookupProgress, Existing> {
  const consents = new Map<string, Readonly<Record<string, unknown>>>()
  const ids = new Map<string, FoundUser>()
  const asked = new Set<string>()
  const emails = new Map<string, FoundUser>()
  const refs = new Map<string, FoundUser>()
  const note = (user: User) => {
    const found = { id: user.id, name: nameOf(user) }
    const email = emailOf(user)
    const key = email === undefined ? undefined : emailKey(email.trim())
    if (key !== undefined && wanted.emails.has(key)) emails.set(key, found)
    if (typeof user.ref === 'string' && wanted.refs.has(user.ref)) refs.set(user.ref, found)
  }

  let progress: LookupProgress = {
    done: 0,
    of: way === 'search' ? wanted.emails.size + wanted.refs.size : undefined,
  }
  const searched = new Set<string>()
  const search = async (signal: AbortSignal, onProgress: (progress: LookupProgress) => void) => {
    const one = async (field: 'email' | 'ref', value: string) => {
      const search =
        value.length <= longestSearch
          ? { [field]: value, match: 'exact' as const }
          : { [field]: value.slice(0, longestSearch), match: 'prefix' as const }
      // Refs may differ only by case, which the search ignores, so the exact match need not be the first result.
      for await (const { users } of userPages({ search, signal })) for (const user of users) note(user)
      searched.add(`${field} ${value}`)
      progress = { ...progress, done: searched.size }
      onProgress(progress)
    }
    const open = [
      ...[...wanted.emails].map((value) => ['email', value] as const),
      ...[...wanted.refs].map((value) => ['ref', value] as const),
    ].filter(([field, value]) => !searched.has(`${field} ${value}`))
    await runInParallel(open, searchesAtOnce, ([field, value]) => one(field, value))
  }

  let from: string | undefined
  const walk = async (signal: AbortSignal, onProgress: (progress: LookupProgress) => void) => {
    for await (const { users, total, next } of userPages({ from, signal })) {
      for (const user of users) note(user)
      from = next
      progress = { done: progress.done + users.length, of: total }
      onProgress(progress)
    }
  }

  return async (signal, onProgress) => {
    const find = async () => {
      await (way === 'search' ? search : walk)(signal, onProgress)
      await readIds(
        [...wanted.ids].filter((id) => !asked.has(id)),
        { ids, asked },
        signal,
      )
      const found = new Set([...ids.values(), ...emails.values(), ...refs.values()].map(({ id }) => id))
      await readConsents([...found], { keys: consentKeys, consents }, signal)
    }
    await retryWhileBusy(find, {
      signal,
      place: () => progress.done + asked.size + consents.size,
      onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
    })
    return { ids, emails, refs, consents }
  }
}

/** Finds users by their ids, and notes those that were asked for. */
async function readIds(
  open: readonly string[],
  { ids, asked }: { readonly ids: Map<string, FoundUser>; readonly asked: Set<string> },
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < open.length; from += maxLookedUp) {
    const batch = open.slice(from, from + maxLookedUp)
    for (const user of await api.lookUpUsers({ body: { ids: batch }, signal }))
      ids.set(user.id, { id: user.id, name: nameOf({ name: user.name, email: user.email }) })
    for (const id of batch) asked.add(id)
  }
}

/** Reads the consents under these keys of users whose consents are not known yet. */
async function readConsents(
  found: readonly string[],
  {
    keys,
    consents,
  }: { readonly keys: readonly string[]; readonly consents: Map<string, Readonly<Record<string, unknown>>> },
  signal: AbortSignal,
): Promise<void> {
  if (keys.length === 0) return
  const open = found.filter((id) => !consents.has(id))
  const columns = keys.map((key) => `${importedEntity}.${key}`)
  for (let from = 0; from < open.length; from += usersPerPage) {
    const ids = open.slice(from, from + usersPerPage)
    for (const { id, columns: own = {} } of await api.lookUpUsers({ body: { ids, columns }, signal }))
      consents.set(
        id,
        Object.fromEntries(keys.map((key) => [key, own[`${importedEntity}.${key}`]?.[0]?.value])),
      )
  }
}
