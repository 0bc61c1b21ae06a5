import { type DeliveryState, deliveryStates, type Event } from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { momentIn } from '../../../domain/log-page/moments.ts'

/** Filter of the log, kept in the URL: codes, ids and moments, but no personal data. */
export interface EventFilter {
  /** Codes of the event types; empty for all types. */
  readonly types: readonly string[]
  readonly delivered?: boolean | undefined
  /** Delivery state; used if the service distinguishes the reasons why an event is undelivered. */
  readonly delivery?: DeliveryState | undefined
  /** Ids as used in events. */
  readonly user?: string | undefined
  readonly entity?: string | undefined
  /** Start (inclusive) and end (exclusive) of the period: UTC with `Z`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const noFilter: EventFilter = { types: [] }

/** Reads the filter from a URL and ignores all other parameters. */
export function readEventFilter(address: URLSearchParams): EventFilter {
  const word = (name: string) => address.get(name)?.trim() || undefined
  return {
    types: [...new Set(word('type')?.split(',').filter(Boolean))].toSorted(),
    ...readDelivery(word('delivered'), word('delivery')),
    user: word('user'),
    entity: word('entity'),
    from: momentIn(address, 'from'),
    to: momentIn(address, 'to'),
  }
}

/** Reads the delivery state from a URL. Some services know only delivered or not. */
function readDelivery(
  delivered: string | undefined,
  delivery: string | undefined,
): Pick<EventFilter, 'delivered' | 'delivery'> {
  const state = deliveryStates.find((each) => each === delivery)
  if (state !== undefined && isFull()) return { delivery: state }
  if (state !== undefined) return { delivered: state === 'delivered' }
  if (delivered !== 'true' && delivered !== 'false') return {}
  return { delivered: delivered === 'true' }
}

/** Returns the filter as parameters, which have the same names in the URL and in the API. */
export function toParameters({ types, delivered, delivery, user, entity, from, to }: EventFilter) {
  return {
    type: types.length === 0 ? undefined : types.join(','),
    delivered: delivered === undefined ? undefined : delivered ? ('true' as const) : ('false' as const),
    delivery,
    user,
    entity,
    from,
    to,
  }
}

/** Returns the filter as a query to a service that filters; also requests delivery states. */
export function toEventQuery(filter: EventFilter) {
  return { ...toParameters(filter), with: 'delivery' as const }
}

export function isFiltered(filter: EventFilter): boolean {
  return Object.values(toParameters(filter)).some((value) => value !== undefined)
}

/** Whether an event names the entity among several: events about sensitive values list their keys by entity. */
function namesEntity({ properties: { entities } }: Event, entity = ''): boolean {
  return typeof entities === 'string' && entities.includes(`"${entity}":`)
}

/** Returns the filter as a predicate, for services that cannot filter. Ids are compared without case, as by others. */
export function createMatcher(filter: EventFilter): (event: Event) => boolean {
  const { types, delivered } = filter
  const wanted = new Set(types)
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
    if (delivered !== undefined && (event.delivered ?? false) !== delivered) return false
    if (!names(event, 'user', user)) return false
    if (!names(event, 'entity', entity) && !namesEntity(event, entity)) return false
    const ms = Date.parse(event.eventtime)
    return ms >= fromMs && ms < toMs
  }
}
