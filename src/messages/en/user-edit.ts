import { counted } from '../format.ts'

/** Texts of a user's fields, of editing and deleting them. */
export const userEdit = {
  fields: {
    name: 'Name',
    email: 'E-mail',
    ref: 'Ref',
    refHint: 'Your own reference, for example a customer number',
    since: (zone: string) => `Since (${zone})`,
    sinceHint: 'Left empty: now',
    sincePlaceholder: 'YYYY-MM-DD HH:MM:SS',
    emailInvalid: 'Write an e-mail address such as ana@example.org.',
    sinceInvalid: 'Write a date and time that exist, such as 2024-03-01 09:30:00.',
  },
  user: {
    title: 'User',
    identity: 'Identity',
    entities: 'Entities',
    id: 'Id',
    edit: 'Edit',
    save: (changes: number) =>
      changes === 0 ? 'Save changes' : `Save ${counted(changes, { one: 'change', other: 'changes' })}`,
    saved: 'Saved',
    actions: 'More actions',
    copyInvitation: 'Copy invitation link',
    invitationCopied: 'Invitation link copied. Whoever has it can sign up as this user.',
    invitationMissing: 'The service gives no invitation link for this user.',
    invitationFailed: 'The invitation link could not be copied.',
    copyEmail: 'Copy e-mail',
    copyRef: 'Copy ref',
    outdatedTitle: 'What is shown may be out of date',
    outdatedBody: 'The user could not be read again.',
    goneTitle: 'This user does not exist (any more)',
    goneBody: 'It was deleted, or the address is wrong.',
    toList: 'Go to all users',
  },
  remove: {
    failure: {
      lost: {
        title: 'It is not known whether the user was deleted',
        body: 'No answer came, so the user may be gone already. Deleting again does no harm.',
      },
    },
    action: 'Delete user…',
    title: (name: string) => `Delete ${name}?`,
    body: 'The user, all their entities and every property are removed at once. Events keep the ids only. This cannot be undone.',
    word: 'delete',
    nameless: 'this user',
    submit: 'Delete user',
    done: (name: string | undefined, afterwards: string | undefined) => {
      const deleted = name === undefined ? 'The user was deleted' : `${name} was deleted`
      return afterwards === undefined ? deleted : `${deleted}. ${afterwards}`
    },
    // Sensitive values are all that is promised: docs/decisions/0010-erasure.md.
    byService: {
      before:
        'Sensitive values can be recovered from the store’s files for up to a day, then not any more. Backups keep what they have.',
      afterwards: 'Sensitive values cannot be recovered from the store’s files any more within a day.',
    },
    byOperator: {
      before:
        'Sensitive values can be recovered from the database’s files until the operator of the service has replaced its master key. Backups keep what they have.',
      afterwards:
        'Sensitive values cannot be recovered any more once the operator of the service has replaced its master key.',
    },
    waiting: (count: number) =>
      `${counted(count, { one: 'earlier deletion waits', other: 'earlier deletions wait' })} for that, the oldest from`,
  },
  failure: {
    title: 'Nothing was saved',
    lost: {
      title: 'It is not known whether this was saved',
      body: 'No answer came. What you typed is kept, and saving it again does no harm.',
    },
    missing: { body: 'This user does not exist any more.' },
    kept: 'What you typed is kept.',
  },
}
