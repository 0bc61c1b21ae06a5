import { defineMessages } from '../language/message.ts'

/** Texts about undoing, and about restoring a deleted entity. Names that end in `Of` are for a known entity type. */
export const restoringText = defineMessages({
  undo: 'Undo',
  /** After an undo. */
  undone: '{label} restored',
  /** Name of the button in a list, where `change` is the line beside it. */
  undoOf: 'Undo: {change}',
  /** Link to the page of a job, where its undo is asked for. */
  undoJob: 'Undo…',
  isUndone: 'Undone',
  changeUndone: 'Change undone',
  undoFailure: {
    lost: { body: 'The service didn’t answer. You can safely undo the change again.' },
    missing: { body: 'What was changed no longer exists.' },
    codes: {
      changed_since: 'Someone has changed this again since.',
      entity_exists: 'The entity exists again.',
      too_many_entities: 'This user can’t have more entities. Delete one first.',
    },
  },
  contested: 'Someone has changed {label} since. Nothing was undone.',
  notUndone: 'Nothing was undone. {reason}',
  action: 'Restore',
  actionOf: 'Restore {type}',
  title: 'Restore this entity?',
  titleOf: 'Restore this {type}?',
  restored: 'Entity restored',
  /** `type` begins with a capital letter. */
  restoredOf: '{type} restored',
  failed: 'Not restored. {reason}',
  failure: {
    lost: { body: 'The service didn’t answer. You can safely restore the entity again.' },
    missing: { body: 'The service has no deleted entity with this id, or the user was deleted too.' },
    codes: {
      too_many_entities: 'This user can’t have more entities. Delete one first.',
    },
  },
})
