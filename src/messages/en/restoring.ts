/** Texts about restoring a deleted entity. */
export const restoringText = {
  undo: 'Undo',
  action: (type: string | undefined) => (type === undefined ? 'Restore' : `Restore ${type}`),
  title: (type: string | undefined) => (type === undefined ? 'Restore this entity?' : `Restore ${type}?`),
  restored: (type: string | undefined) =>
    `${type === undefined ? 'Entity' : type.charAt(0).toUpperCase() + type.slice(1)} restored`,
  failed: 'Not restored',
  failure: {
    lost: { body: 'No answer came. You can safely restore again.' },
    missing: { body: 'The service has no deleted entity with this id, or the user was deleted too.' },
    codes: {
      too_many_entities: 'This user has the maximum number of entities. Delete one first.',
    },
  },
}
