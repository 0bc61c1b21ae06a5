import type { Changeset, Entity, Event, Membership } from '#contract/index.ts'
import type { UserWithoutInvitation } from '../queries/users.ts'
import { saveText } from '../work/sink.ts'

/** The parts that are read one after the other. */
export const parts = ['user', 'entities', 'sensitive', 'segments', 'events', 'changesets'] as const
export type DocumentPart = (typeof parts)[number]

/**
 * Everything held about one person, as the file has it: `subject-access-<first 8 of the id>-<day>.json`.
 * Version 1; another version is a change that a reader of this one would misread, members may be added without.
 *
 * Times are UTC with `Z`, except those of the service's own fields, which stand as the service answers them.
 */
export interface SubjectAccess {
  readonly format: 'data-store/subject-access'
  readonly version: 1
  /** When it was collected. */
  readonly made: string
  /** Name of the person who collected it, as their sign-in says it; null where it does not. */
  readonly madeBy: string | null
  /** {base_url} of the service. */
  readonly service: string
  /** `none`: there are none. `withheld`: those properties have `masked: true` and no `value`. */
  readonly sensitive: 'included' | 'withheld' | 'none'
  /** Why sensitive values are included, as it was given; null where they are not. */
  readonly reason: string | null
  /** Whether the service's own event log holds the reason as well (`SENSITIVE_DATA_ACCESSED`). */
  readonly reasonRecorded: boolean
  /** The user as the API returns it, without the invitation link. */
  readonly user: UserWithoutInvitation
  /** The entities as the API returns them, oldest first. */
  readonly entities: readonly Entity[]
  /** All segments and whether the user is in them; null: the service does not say. */
  readonly segments: readonly Membership[] | null
  /** Oldest first. */
  readonly events: readonly Event[]
  /**
   * Changes made by the writes among the events, in their order; null: the service does not keep them. Sensitive values
   * are included only on request, and only while the entity that had them still exists.
   */
  readonly changesets: readonly Changeset[] | null
  /** Parts that the caller may not read: empty above, though there may be something. */
  readonly omitted: readonly { readonly part: DocumentPart; readonly scope: string | null }[]
}

function fileName({ user, made }: Pick<SubjectAccess, 'user' | 'made'>): string {
  return `subject-access-${user.id.slice(0, 8)}-${made.slice(0, 10)}.json`
}

export function download(document: SubjectAccess): string {
  const name = fileName(document)
  void saveText({ name, type: 'application/json' }, JSON.stringify(document, null, 2))
  return name
}
