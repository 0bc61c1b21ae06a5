import type { Changeset, Event } from '#contract/index.ts'

import { type EventLine, eventLine, laterOnesOf, eventProperty } from '../../domain/changes/what-happened.ts'
import type { SubjectAccess } from '../../domain/subject-access/document.ts'

export interface HistoryLine extends EventLine {
  readonly event: Event
  /** Changes made by the write; `undefined` if the document does not contain them. */
  readonly changeset: Changeset | undefined
}

/** Returns the lines of the document's events, oldest first. */
export function historyOf({ events, changesets, entities }: SubjectAccess): readonly HistoryLine[] {
  const byId = new Map(changesets?.map((changeset) => [changeset.id, changeset]))
  const entityTypes = new Map(entities.map(({ id, type }) => [id as string, type]))
  const later = laterOnesOf(events)
  return events.map((event) => {
    const changeset = byId.get(eventProperty(event, 'changeset') ?? '')
    const known = { changeset, entityTypes, isRestored: later.has(event.id) }
    return { event, changeset, ...eventLine(event, known) }
  })
}
