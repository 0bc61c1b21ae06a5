/** Texts about putting back what was deleted. */
export const restoringText = {
  undo: 'Undo',
  action: (type: string | undefined) => (type === undefined ? 'Restore' : `Restore ${type}`),
  title: (type: string | undefined) => (type === undefined ? 'Restore the entity?' : `Restore ${type}?`),
  restored: (type: string | undefined) =>
    type === undefined ? 'The entity is back' : `Restored entity ${type}`,
  failed: 'Not restored',
  failure: {
    lost: { body: 'The answer was lost. Restoring it again does no harm.' },
    missing: { body: 'No deletion of an entity with this id is kept, or the user has been deleted too.' },
    codes: {
      too_many_entities: 'The user has as many entities as one may have. Delete another one first.',
    },
  },
}
