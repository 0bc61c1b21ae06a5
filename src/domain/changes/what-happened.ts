import type { Changeset, Event } from '#contract/index.ts'
import { activityText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { eventTypeName } from '../event-type-name.ts'
import { propertyLabel, typeWithin } from '../labels.ts'
import { changeLabel } from './labels.ts'

const lineText = activityText.line

/** Returns an event's property if it is a text, such as an id. */
export function eventProperty({ properties }: Event, name: string): string | undefined {
  const value = properties[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

type DescribedChangeset = Pick<Changeset, 'entity' | 'entityType' | 'op' | 'time'> &
  Partial<Pick<Changeset, 'actor' | 'reason'>> & {
    readonly changes: readonly Pick<Changeset['changes'][number], 'key'>[]
  }

/** Context for describing an event in more detail than its type. */
export interface KnownOfEvent {
  /** Changes made by the write, with or without their values; `undefined` if they are not loaded. */
  readonly changeset: DescribedChangeset | undefined
  /** Types of the user's entities by entity id; `undefined` if they are not loaded. */
  readonly entityTypes: ReadonlyMap<string, string> | undefined
  /** Whether the entity existed before, so that adding it restores it. */
  readonly isRestored?: boolean
}

/**
 * Returns the ids of events that change an entity after an earlier change of it. Entity ids are never reused, so a
 * later event that adds the entity restores it.
 * @param events Oldest first.
 */
export function laterOnesOf(events: readonly Event[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const later = new Set<string>()
  for (const event of events) {
    const entity = event.type === 'DIRECT_DATA_CHANGE' ? eventProperty(event, 'entity') : undefined
    if (entity === undefined) continue
    if (seen.has(entity)) later.add(event.id)
    seen.add(entity)
  }
  return later
}

/** Describes an event about a user in one line, with actor and reason if the event or its changeset has them. */
export function eventLine(event: Event, known: KnownOfEvent) {
  return {
    what: describeEvent(event, known),
    actor: eventProperty(event, 'actor') ?? known.changeset?.actor ?? undefined,
    reason: eventProperty(event, 'reason') ?? known.changeset?.reason,
  }
}

/** Describes an event about a user in as much detail as is known. An unknown event type is shown as it is. */
export function describeEvent(event: Event, { changeset, entityTypes, isRestored }: KnownOfEvent): string {
  const types = new Set(entitiesOf(event).flatMap((id) => entityTypes?.get(id) ?? []))
  const type = changeset?.entityType ?? (types.size === 0 ? undefined : [...types].join(', '))
  const labels = changeset?.changes.map(({ key }) => changeLabel(changeset, key)) ?? []
  switch (event.type) {
    case 'USER_UPDATED':
      return labels.length === 0
        ? lineText.userChangedSomehow
        : lineText.userChanged({ fields: listNames(labels) })
    case 'DIRECT_DATA_CHANGE': {
      if (changeset && type !== undefined) {
        if (changeset.op === 'add')
          return isRestored === true || isOlder(changeset)
            ? lineText.entityRestored({ type: typeWithin(type) })
            : lineText.entityAdded({ type: typeWithin(type) })
        if (changeset.op === 'remove') return lineText.entityRemoved({ type: typeWithin(type) })
      }
      if (type !== undefined) return describeEntityChange(type, labels)
      return entityTypes ? lineText.entityGone : lineText.entityUnknown
    }
    case 'SENSITIVE_DATA_ACCESSED':
      return describeReading(lineText.read, type, sensitiveLabels(event))
    case 'SENSITIVE_DATA_CHECKED':
      return describeReading(lineText.checked, type, sensitiveLabels(event))
    case 'SENSITIVE_DATA_SEARCHED': {
      const properties = sensitiveLabels(event).join(', ')
      return properties === '' ? lineText.searched : lineText.searchedBy({ properties })
    }
    default:
      return eventTypeName(event.type) ?? event.type
  }
}

/** Most common entity type, which descriptions omit where they name properties. */
const usualType = 'person'

function describeEntityChange(type: string, labels: readonly string[]): string {
  const { unnamed, named, namedIn } = lineText.entityChanged
  if (labels.length === 0) return unnamed({ type: typeWithin(type) })
  const properties = listNames(labels)
  return type === usualType ? named({ properties }) : namedIn({ properties, type: typeWithin(type) })
}

/** @param type Type of the entity; undefined if it is not known. */
function describeReading(
  { unnamed, unnamedIn, named, namedIn }: typeof lineText.read | typeof lineText.checked,
  type: string | undefined,
  labels: readonly string[],
): string {
  const properties = labels.join(', ')
  if (type === undefined || type === usualType) return properties === '' ? unnamed : named({ properties })
  return properties === ''
    ? unnamedIn({ type: typeWithin(type) })
    : namedIn({ properties, type: typeWithin(type) })
}

/** Returns the ids of an event's entities. A read has several, in a JSON text of the keys that were read of each. */
function entitiesOf(event: Event): readonly string[] {
  const entity = eventProperty(event, 'entity')
  if (entity !== undefined) return [entity]
  try {
    return Object.keys(JSON.parse(eventProperty(event, 'entities') ?? '{}') as object)
  } catch {
    return []
  }
}

/** Maximum time between the creation of an entity's id and its first write. */
const writingMs = 60_000

/** Whether the entity was created long before this write, by its id: version 7 UUIDs start with their creation time. */
function isOlder({ entity, time }: DescribedChangeset): boolean {
  const [, high, low] = /^([\da-f]{8})-([\da-f]{4})-7/i.exec(entity ?? '') ?? []
  if (high === undefined || low === undefined) return false
  return Date.parse(time) - Number.parseInt(high + low, 16) > writingMs
}

/** Returns the keys that somebody read or tested, such as `card.code`. Event properties are texts, so they are JSON. */
export function sensitiveKeysOf({ properties: { tested, keys = tested } }: Event): readonly string[] {
  if (typeof keys !== 'string') return []
  try {
    return [JSON.parse(keys)].flat().map(String)
  } catch {
    return [keys]
  }
}

const sensitiveLabels = (event: Event) => sensitiveKeysOf(event).map((key) => propertyLabel(undefined, key))

const reads: ReadonlySet<string> = new Set([
  'SENSITIVE_DATA_ACCESSED',
  'SENSITIVE_DATA_CHECKED',
  'SENSITIVE_DATA_SEARCHED',
])

/** Whether somebody viewed sensitive values, compared them or filtered by them, and changed nothing. */
export function isRead({ type }: Pick<Event, 'type'>): boolean {
  return reads.has(type)
}
