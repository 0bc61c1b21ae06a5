import type { Changeset, Entity, Event, KnownDefinition, Membership } from '#contract/index.ts'
import type { UserWithoutInvitation } from '../queries/users.ts'
import { saveText } from '../work/sink.ts'

/** Parts of the document, in the order in which they are read. */
export const parts = [
  'user',
  'entities',
  'definitions',
  'sensitive',
  'segments',
  'events',
  'changesets',
] as const
export type DocumentPart = (typeof parts)[number]

/** Definitions of an entity type's properties, without what concerns the console and other users. */
export interface TypeOfDocument {
  readonly type: string
  readonly properties: readonly Pick<
    KnownDefinition,
    'key' | 'label' | 'unit' | 'choices' | 'purpose' | 'basis' | 'recipients' | 'keptFor'
  >[]
}

/**
 * All data about one person in the format of the exported file, `subject-access-<first 8 of the id>-<day>.json`. This
 * is version 1. A change that would make readers misinterpret the file requires a new version; adding members does
 * not.
 *
 * Times are UTC with `Z`, except in the service's own fields, which are kept as the service returns them.
 */
export interface SubjectAccess {
  readonly format: 'data-store/subject-access'
  readonly version: 1
  /** Time of the collection. */
  readonly made: string
  /** Name of the person who collected the data, from their sign-in; null if the sign-in provides none. */
  readonly madeBy: string | null
  /** Base URL of the service. */
  readonly service: string
  /** `none`: there are no sensitive properties. `withheld`: they have `masked: true` and no `value`. */
  readonly sensitive: 'included' | 'withheld' | 'none'
  /** Reason given for including sensitive values; null if they are to stay masked. */
  readonly reason: string | null
  /** Whether the service's audit log contains the reason as well (`SENSITIVE_DATA_ACCESSED`). */
  readonly reasonRecorded: boolean
  /** The user as the API returns it, without the invitation link. */
  readonly user: UserWithoutInvitation
  /** The entities as the API returns them, oldest first. */
  readonly entities: readonly Entity[]
  /** Definitions of the entities' properties, by entity type; null if the service does not provide this. */
  readonly definitions: readonly TypeOfDocument[] | null
  /** All segments, each with whether the user is in it; null if the service does not provide this. */
  readonly segments: readonly Membership[] | null
  /** The user's events, oldest first. */
  readonly events: readonly Event[]
  /**
   * Changes made by the writes among the events, in the same order; null if the service does not keep them. Sensitive
   * values are included only on request, and only while their entity still exists.
   */
  readonly changesets: readonly Changeset[] | null
  /** Parts that the caller may not read. They are empty above, although there may be data. */
  readonly omitted: readonly { readonly part: DocumentPart; readonly scope: string | null }[]
}

export function download(document: SubjectAccess): string {
  const name = `subject-access-${document.user.id.slice(0, 8)}-${document.made.slice(0, 10)}.json`
  void saveText({ name, type: 'application/json' }, JSON.stringify(document, null, 2))
  return name
}
