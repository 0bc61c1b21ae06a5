import {
  type Changeset,
  type Definitions,
  type Entity,
  type Event,
  eventsPerPage,
  type Membership,
  type Property,
} from '#contract/index.ts'
import { everyPage } from '../../api/every-page.ts'
import { api, isFull, serviceUrl } from '../../api/index.ts'
import { isRefused } from '../page-route.ts'
import { isSensitiveProperty, maskEntity } from '../people/mask-entity.ts'
import { maskChangeset } from '../queries/changesets.ts'
import { requestMasked } from '../queries/entities.ts'
import { findLogEnd, logPages } from '../queries/event-log.ts'
import type { UserWithoutInvitation } from '../queries/users.ts'
import { runInParallel } from '../work/concurrency.ts'
import type { Run } from '../work/use-work.ts'
import type { DocumentPart, SubjectAccess, TypeOfDocument } from './document.ts'
import { type LogSearch, createLogSearch, searchLog } from './log-search.ts'

interface AccessRequest {
  readonly userId: string
  readonly madeBy: string | undefined
  /** Reason for reading sensitive values; undefined if they are to stay masked. */
  readonly reason: string | undefined
  /** Converts a datetime without a zone to milliseconds since the epoch, in the service's zone. */
  readonly instantOf: (zoneless: string) => number | undefined
  /** Reads the definitions of a full service. */
  readonly readDefinitions: () => Promise<Definitions>
}

export interface Progress {
  readonly part: DocumentPart
  readonly done?: number | undefined
  readonly of?: number | undefined
}

type Tell = (at: Progress) => void

const changesetsAtOnce = 4

/**
 * Reads all data about one person, step by step. Run again after a failure or a stop, it continues where it left off.
 * Its data may be sensitive: it must live only in the component that shows it.
 */
export class Collection {
  readonly #request: AccessRequest
  readonly #isFull = isFull()
  readonly #omitted: { part: DocumentPart; scope: string | null }[] = []
  #user: UserWithoutInvitation | undefined
  #entities: Entity[] | undefined
  #definitions: readonly TypeOfDocument[] | null | undefined
  /** Id of the recorded access that the reads of sensitive values belong to; `undefined` until it has begun. */
  #access: string | undefined
  /** Revealed properties with their values, by entity id. */
  readonly #revealed = new Map<string, readonly Property[]>()
  #segments: Membership[] | null | undefined
  #events: Event[] | undefined
  /** Events read so far, newest first. */
  #newest: Event[] = []
  #search: LogSearch | undefined
  readonly #changesets = new Map<string, Changeset | undefined>()

  constructor(request: AccessRequest) {
    this.#request = request
  }

  run: Run<Progress, SubjectAccess> = async (signal, tell) => {
    const { userId, madeBy, reason, readDefinitions } = this.#request
    const params = { user_id: userId }
    const step = async <Result>(part: DocumentPart, work: () => Promise<Result>, ifForbidden?: Result) => {
      signal.throwIfAborted()
      tell({ part })
      try {
        return await work()
      } catch (error) {
        if (signal.aborted || ifForbidden === undefined || !isRefused(error, 403)) throw error
        this.#omitted.push({ part, scope: error.missingScope ?? null })
        return ifForbidden
      }
    }

    this.#user ??= await step('user', async () => {
      const { invite_url: _, ...user } = await api.getUser({ params, signal })
      return user
    })
    this.#entities ??= await step(
      'entities',
      async () => {
        // A full service reveals sensitive values through separate requests that record the reason.
        const masked = reason === undefined || this.#isFull
        const query = masked ? requestMasked() : {}
        const entities = await api.listEntities({ params, query, signal })
        return masked ? entities.map(maskEntity) : entities
      },
      [],
    )
    const held = this.#entities
    this.#definitions ??= this.#isFull
      ? await step('definitions', async () => pickDefinitions(await readDefinitions(), held))
      : null
    const secret = held.filter(({ properties }) => properties.some(isSensitiveProperty))
    if (reason !== undefined && this.#isFull)
      await step('sensitive', () => this.#reveal(secret, reason, signal, tell))
    this.#segments ??= await step(
      'segments',
      async () =>
        this.#isFull ? await everyPage((query) => api.listUserSegments({ params, query, signal })) : null,
      [],
    )
    this.#events ??= await step('events', () => this.#readEvents(signal, tell), [])
    const events = this.#events
    if (this.#isFull) await step('changesets', () => this.#readChangesets(events, signal, tell), null)

    const entities = this.#withValues()
    const isAnyMasked = entities.some(({ properties }) => properties.some(({ masked }) => masked === true))
    return {
      format: 'data-store/subject-access',
      version: 1,
      made: new Date().toISOString(),
      madeBy: madeBy ?? null,
      service: serviceUrl(),
      sensitive: secret.length === 0 ? 'none' : isAnyMasked ? 'withheld' : 'included',
      reason: reason ?? null,
      reasonRecorded: this.#revealed.size > 0,
      user: this.#user,
      entities,
      definitions: this.#definitions,
      segments: this.#segments,
      events,
      changesets: this.#isFull ? idsOf(events).flatMap((id) => this.#changesets.get(id) ?? []) : null,
      omitted: this.#omitted,
    }
  }

  async #reveal(secret: readonly Entity[], reason: string, signal: AbortSignal, tell: Tell) {
    const { userId: user_id } = this.#request
    if (secret.length > 0)
      this.#access ??= (await api.beginAccess({ params: { user_id }, body: { reason }, signal })).access
    for (const [index, { id, properties }] of secret.entries()) {
      tell({ part: 'sensitive', done: index, of: secret.length })
      if (this.#revealed.has(id)) continue
      const { properties: revealed } = await api.revealProperties({
        params: { user_id, entity_id: id },
        body: {
          keys: properties.filter(isSensitiveProperty).map(({ key }) => key),
          reason,
          access: this.#access,
        },
        signal,
      })
      this.#revealed.set(id, revealed)
    }
    return null
  }

  #withValues(): readonly Entity[] {
    return (this.#entities ?? []).map((entity) => {
      const revealed = new Map(this.#revealed.get(entity.id)?.map((property) => [property.key, property]))
      const properties = entity.properties.map((property) => revealed.get(property.key) ?? property)
      return Object.assign({}, entity, { properties })
    })
  }

  async #readEvents(signal: AbortSignal, tell: Tell): Promise<Event[]> {
    const { userId: user, instantOf } = this.#request
    if (this.#isFull) {
      for (;;) {
        const after = this.#newest.at(-1)?.id
        const page = await api.listEvents({ query: { user, order: 'desc', after }, signal })
        // If the run was stopped, another run may have started, which reads this page itself.
        signal.throwIfAborted()
        this.#newest.push(...page)
        tell({ part: 'events', done: this.#newest.length })
        if (page.length < eventsPerPage) return this.#newest.toReversed()
      }
    }
    const readPage = logPages(signal)
    const count = await findLogEnd(readPage)
    const created = this.#user?.created
    const createdMs = typeof created === 'string' ? instantOf(created) : undefined
    this.#search ??= createLogSearch(count)
    for await (const search of searchLog({ userId: user, createdMs, readPage }, this.#search, count)) {
      signal.throwIfAborted()
      this.#search = search
      tell({ part: 'events', done: search.to - search.from, of: search.to })
    }
    return this.#search.events.toReversed()
  }

  async #readChangesets(events: readonly Event[], signal: AbortSignal, tell: Tell) {
    const ids = idsOf(events)
    const open = ids.filter((id) => !this.#changesets.has(id))
    await runInParallel(open, changesetsAtOnce, async (id) => {
      signal.throwIfAborted()
      this.#changesets.set(id, await this.#readChangeset(id, signal))
      tell({ part: 'changesets', done: this.#changesets.size, of: ids.length })
    })
    return null
  }

  /** Reads a changeset; `undefined` if the service does not keep it, or no longer does. */
  async #readChangeset(id: string, signal: AbortSignal): Promise<Changeset | undefined> {
    const { reason } = this.#request
    try {
      const query = reason === undefined ? ({ sensitive: 'masked' } as const) : { access: this.#access }
      const changeset = await api.getChangeset({ params: { changeset_id: id }, query, signal })
      const { entity } = changeset
      // Values are included only if the reason has been recorded for this entity.
      const maySee = reason !== undefined && typeof entity === 'string' && this.#revealed.has(entity)
      return maySee ? changeset : maskChangeset(changeset)
    } catch (error) {
      if (isRefused(error, 404)) return undefined
      throw error
    }
  }
}

/** Returns what somebody has written about properties that the entities have, in the order of the entities. */
function pickDefinitions(
  { entityTypes }: Definitions,
  entities: readonly Entity[],
): readonly TypeOfDocument[] {
  return [...Map.groupBy(entities, ({ type }) => type)].flatMap(([type, ofType]) => {
    const keys = new Set(ofType.flatMap(({ properties }) => properties.map(({ key }) => key)))
    const written = (entityTypes.find((each) => each.type === type)?.properties ?? [])
      .filter(({ key, inferred }) => inferred !== true && keys.has(key))
      .map(({ key, label, unit, choices, purpose, basis, recipients, keptFor }) => ({
        key,
        label,
        unit,
        choices,
        purpose,
        basis,
        recipients,
        keptFor,
      }))
    return written.length === 0 ? [] : [{ type, properties: written }]
  })
}

function idsOf(events: readonly Event[]): string[] {
  const ids = events.flatMap(({ properties: { changeset } }) =>
    typeof changeset === 'string' && changeset !== '' ? [changeset] : [],
  )
  return [...new Set(ids)]
}
