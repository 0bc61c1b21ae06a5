import { deliveryStates, type Endpoints, type Event, type Query } from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { momentIn } from '../../../domain/log-page/moments.ts'

/** Filter of the log, as in the URL and in the API: codes, ids and moments, but no personal data. */
export type EventFilter = Pick<
  Query<Endpoints['listEvents']>,
  'type' | 'delivered' | 'delivery' | 'user' | 'entity' | 'from' | 'to'
>

/** Returns the codes of the event types; none for all types. */
export const typesOf = ({ type }: EventFilter) => type?.split(',') ?? []

/** Returns the parameter for several event types; undefined for all types. */
export const typeParameter = (types: readonly string[]) => types.toSorted().join(',') || undefined

/** Reads the filter from a URL and ignores all other parameters. The result names all of its own, in one order. */
export function readEventFilter(address: URLSearchParams): EventFilter {
  const word = (name: string) => address.get(name)?.trim() || undefined
  return {
    type: typeParameter([...new Set(word('type')?.split(',').filter(Boolean))]),
    delivered: undefined,
    delivery: undefined,
    ...readDelivery(word('delivered'), word('delivery')),
    user: word('user'),
    entity: word('entity'),
    from: momentIn(address, 'from'),
    to: momentIn(address, 'to'),
  }
}

/** Reads the delivery state from a URL. Some services know only delivered or not. */
function readDelivery(delivered: string | undefined, delivery: string | undefined): EventFilter {
  const state = deliveryStates.find((each) => each === delivery)
  if (state !== undefined && isFull()) return { delivery: state }
  if (state !== undefined) return { delivered: state === 'delivered' ? 'true' : 'false' }
  return delivered === 'true' || delivered === 'false' ? { delivered } : {}
}

/** Returns the filter as a query to a service that filters; also requests delivery states. */
export function toEventQuery(filter: EventFilter) {
  return { ...filter, with: 'delivery' as const }
}

export function isFiltered(filter: EventFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

/** Whether an event names the entity among several: events about sensitive values list their keys by entity. */
function namesEntity({ properties: { entities } }: Event, entity = ''): boolean {
  return typeof entities === 'string' && entities.includes(`"${entity}":`)
}

/** Returns the filter as a predicate, for services that cannot filter. Ids are compared without case, as by others. */
export function createMatcher(filter: EventFilter): (event: Event) => boolean {
  const { delivered } = filter
  const wanted = new Set(typesOf(filter))
  const user = filter.user?.toLowerCase()
  const entity = filter.entity?.toLowerCase()
  const fromMs = filter.from === undefined ? -Infinity : Date.parse(filter.from)
  const toMs = filter.to === undefined ? Infinity : Date.parse(filter.to)
  const names = ({ properties }: Event, kind: string, id: string | undefined) => {
    const named = properties[kind]
    return id === undefined || (typeof named === 'string' && named.toLowerCase() === id)
  }
  return (event) => {
    if (wanted.size > 0 && !wanted.has(event.type)) return false
    if (delivered !== undefined && String(event.delivered ?? false) !== delivered) return false
    if (!names(event, 'user', user)) return false
    if (!names(event, 'entity', entity) && !namesEntity(event, entity)) return false
    const ms = Date.parse(event.eventtime)
    return ms >= fromMs && ms < toMs
  }
}
