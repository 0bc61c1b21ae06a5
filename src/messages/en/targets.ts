import { number } from '../format.ts'

/** Texts of relationships: what they name, and how it is found. */
export const targets = {
  noName: 'No name',
  gone: 'no longer there',
  userGone: 'This user is no longer there. The id stays as it is.',
  entityGone: 'This entity is no longer there. The id stays as it is.',
  users: 'Users',
  entities: 'Entities of this user',
  search: 'Name, e-mail, ref or id',
  thisUser: 'This user',
  byId: 'Write or paste the id of a user, or the address of a page here.',
  noSearch: 'This service cannot look for users: write or paste an id.',
  searching: 'Searching…',
  nothing: 'No user is found by this.',
  similar: 'Nobody matches exactly; these are similar.',
  more: (shown: number, total: number | undefined) =>
    total === undefined
      ? `The first ${number(shown)}. Type more to narrow it down.`
      : `${number(shown)} of ${number(total)}. Type more to narrow it down.`,
  failed: 'Users cannot be looked for just now. An id can be written.',
  entityPlaceholder: 'Entity (optional)',
  loadingEntities: 'Loading the entities…',
  entitiesFailed: 'The entities could not be loaded. An id can be written.',
  noEntities: 'This user has no entities.',
  noSuchEntity: 'No entity of this user matches.',
  userFirst: 'Choose the user first.',
}
