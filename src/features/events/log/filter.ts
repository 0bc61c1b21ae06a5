import { deliveryStates, type Endpoints, type Query } from '#contract/index.ts'
import { momentIn } from '../../../domain/log-page/moments.ts'

/** Filter of the log, as in the URL and in the API: codes, ids and moments, but no personal data. */
export interface EventFilter extends Pick<
  EventQuery,
  'type' | 'delivered' | 'delivery' | 'user' | 'entity' | 'actor' | 'job' | 'from' | 'to'
> {
  /** `each` shows each change that a job made; otherwise each job is one row. */
  readonly jobs?: 'each' | undefined
}

type EventQuery = Query<Endpoints['listEvents']>

/**
 * Returns the query for a filter. Each job is one row, except where each of its changes matters: to a user or an entity, to
 * webhooks, and to whoever looks into the job.
 */
export function queryOf({ jobs, ...filter }: EventFilter): EventQuery {
  const { user, entity, job, delivered, delivery } = filter
  const isEach =
    jobs === 'each' || [user, entity, job, delivered, delivery].some((each) => each !== undefined)
  return isEach ? filter : { ...filter, jobs: 'one' }
}

/** Returns the codes of the event types; none for all types. */
export const typesOf = ({ type }: EventFilter) => type?.split(',') ?? []

/** Returns the parameter for several event types; undefined for all types. */
export const typeParameter = (types: readonly string[]) => types.toSorted().join(',') || undefined

/** Reads the filter from a URL and ignores all other parameters. */
export function readEventFilter(address: URLSearchParams): EventFilter {
  const word = (name: string) => address.get(name)?.trim() || undefined
  const delivery = deliveryStates.find((state) => state === word('delivery'))
  const delivered = (['true', 'false'] as const).find((each) => each === word('delivered'))
  return {
    type: typeParameter([...new Set(word('type')?.split(',').filter(Boolean))]),
    delivered: delivery === undefined ? delivered : undefined,
    delivery,
    user: word('user'),
    entity: word('entity'),
    actor: word('actor'),
    job: word('job'),
    jobs: word('jobs') === 'each' ? 'each' : undefined,
    from: momentIn(address, 'from'),
    to: momentIn(address, 'to'),
  }
}

export function isFiltered(filter: EventFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
