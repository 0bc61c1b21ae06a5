import type { Change, Changeset, Event } from '#contract/index.ts'

/** One write to an entity, with its event and changes. */
export interface EntityChange {
  readonly event: Event
  /** Changes of the write; undefined if the service no longer keeps them. */
  readonly changeset: Changeset | undefined
}

export interface PropertyChange {
  readonly kind: 'added' | 'changed' | 'removed' | 'renamed'
  /** Key after the write; for a removed property, the key before it. */
  readonly key: string
  /** Key before the write; set only for a renamed property. */
  readonly keyBefore?: string
  /** Current key of the property, after later renames. */
  readonly keyNow: string
  readonly type: string
  readonly typeBefore: string
  readonly masked: boolean
  /** Whether no later write of the property is known, so that its value after this one is that of today. */
  readonly isLast?: boolean
  readonly before?: unknown
  readonly after?: unknown
  /** Whether the write marked the property as sensitive (true) or unmarked it (false); undefined if neither. */
  readonly marked?: boolean
  readonly changesetId?: string
}

export interface HistoryItem {
  readonly id: string
  readonly time: string
  /** Subject of the token used for the write. */
  readonly actor: string | undefined
  readonly why: Pick<Changeset, 'reason' | 'reasonMasked'>
  /** Effect on the entity as a whole. */
  readonly kind: 'added' | 'changed' | 'removed' | 'restored'
  readonly entityType: string | undefined
  /** Entity type before the write; undefined if the write did not change it. */
  readonly entityTypeBefore: string | undefined
  /** Changes by property; undefined if the service no longer keeps them. */
  readonly changes: readonly PropertyChange[] | undefined
}

/** Turns writes, newest first, into entries. Old values of keys that are sensitive now are never shown. */
export function entriesOf(
  writes: readonly EntityChange[],
  sensitiveNow: ReadonlySet<string>,
): readonly HistoryItem[] {
  /** Current keys, by the keys in use at the write being processed. */
  const today = new Map<string, string>()
  const secret = new Set(sensitiveNow)
  const written = new Set<string>()
  let areAllKept = true
  return writes.map(({ event, changeset }, index) => {
    const changes =
      changeset &&
      changesOf(
        changeset,
        (key) => today.get(key) ?? key,
        (key) => areAllKept && !written.has(key),
      )
    areAllKept &&= changeset !== undefined
    for (const { kind, key, keyBefore, keyNow, masked } of changes ?? []) {
      // Before this write, the key may have belonged to another property.
      if (kind === 'added' || kind === 'renamed') today.delete(key)
      if (keyBefore !== undefined) today.set(keyBefore, keyNow)
      written.add(keyNow)
      if (masked) secret.add(keyNow)
    }
    return {
      id: event.id,
      time: changeset?.time ?? event.eventtime,
      actor: changeset?.actor ?? undefined,
      why: { reason: changeset?.reason, reasonMasked: changeset?.reasonMasked },
      // Ids are never reused, so an entity created right after its deletion was restored.
      kind:
        changeset?.op === 'add' && writes[index + 1]?.changeset?.op === 'remove'
          ? 'restored'
          : changeKind(changeset?.op),
      entityType: changeset?.entityType ?? undefined,
      entityTypeBefore: changeset?.entityTypeBefore ?? undefined,
      changes: changes?.map((change) => (secret.has(change.keyNow) ? maskChange(change) : change)),
    }
  })
}

export function entriesAbout(entries: readonly HistoryItem[], key: string): readonly HistoryItem[] {
  return entries.flatMap((entry) => {
    const changes = entry.changes?.filter(({ keyNow }) => keyNow === key) ?? []
    return changes.length === 0 ? [] : [{ ...entry, changes }]
  })
}

function maskChange(change: PropertyChange): PropertyChange {
  const { before: _, after: __, ...rest } = change
  return { ...rest, masked: true }
}

function changeKind(op: string | null | undefined): 'added' | 'changed' | 'removed' {
  return op === 'add' ? 'added' : op === 'remove' ? 'removed' : 'changed'
}

/** Returns the changes of a write by property. A removal and an addition with the same content become one rename. */
function changesOf(
  { id, changes }: Changeset,
  keyNow: (key: string) => string,
  isLast: (keyNow: string) => boolean,
): PropertyChange[] {
  const removed = onlyOnes(changes, 'remove')
  const added = onlyOnes(changes, 'add')
  return changes.flatMap((change): PropertyChange[] => {
    const same = sameness(change)
    const [from, to] = same === undefined ? [] : [removed.get(same), added.get(same)]
    if (from && to && change === from) return []
    const { op, key, type, typeBefore = type, sensitiveBefore, sensitive, masked, before, after } = change
    return [
      {
        kind: changeKind(op),
        key,
        keyNow: keyNow(key),
        type,
        typeBefore,
        masked: masked === true,
        changesetId: id,
        ...(isLast(keyNow(key)) && { isLast: true }),
        ...(masked !== true && { before, after }),
        ...(sensitiveBefore !== undefined &&
          sensitiveBefore !== (sensitive ?? false) && { marked: sensitive === true }),
        ...(from && change === to && { kind: 'renamed', keyBefore: from.key, before: from.before }),
      },
    ]
  })
}

/** Indexes additions or removals by content, except content that occurs twice and cannot be told apart. */
function onlyOnes(changes: readonly Change[], op: 'add' | 'remove'): ReadonlyMap<string, Change> {
  const found = new Map<string, Change | undefined>()
  for (const change of changes) {
    const same = change.op === op ? sameness(change) : undefined
    if (same !== undefined) found.set(same, found.has(same) ? undefined : change)
  }
  return new Map([...found].filter((entry): entry is [string, Change] => entry[1] !== undefined))
}

/** Returns a string that is equal for properties with the same content; undefined if the value is masked or missing. */
function sameness({ op, type, masked, before, after }: Change): string | undefined {
  const value = op === 'add' ? after : before
  return masked === true || value === undefined || value === null ? undefined : JSON.stringify([type, value])
}
