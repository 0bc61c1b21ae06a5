import { counted, number } from '../format.ts'

interface Others {
  /** How many users have the property; undefined: not counted. */
  readonly users: number | undefined
  /** All of them have it hidden; else nearly all. */
  readonly isAll: boolean
}

/** Texts about a property from those that other users have. */
export const knownPropertyText = {
  hidden: ({ users, isAll }: Others) =>
    users === undefined
      ? 'Marked as sensitive for other users who have it.'
      : users === 1
        ? 'Marked as sensitive for the one user who has it.'
        : isAll
          ? `Marked as sensitive for all ${number(users)} users who have it.`
          : `Marked as sensitive for nearly all ${number(users)} users who have it.`,
  readable: ({ users, isAll }: Others) =>
    users === undefined
      ? 'Readable here, but marked as sensitive for other users who have it.'
      : users === 1
        ? 'Readable here, but marked as sensitive for the one user who has it.'
        : isAll
          ? `Readable here, but marked as sensitive for all ${number(users)} users who have it.`
          : `Readable here, but marked as sensitive for nearly all ${number(users)} users who have it.`,
  /** An entity type, by its label. */
  elsewhere: (type: string) => `Starts hidden, as in ${type}.`,
  near: (key: string) => `Others have “${key}”.`,
  take: (key: string) => `Use ${key}`,
  checking: 'Checking whether this property is sensitive…',
  unchecked: 'Couldn’t check whether this is a hidden property.',
  uncheckedIssue: 'Choose whether it is sensitive, or try again.',
  uncheckedTitle: 'Couldn’t check which properties are hidden',
  uncheckedBody: 'Retry, or choose for each property whether it is sensitive.',
  cannotHide: 'Your role can’t write hidden values.',
  open: {
    title: (label: string) => `Make ${label} readable?`,
    body: ({ label, users, isAll }: Others & { readonly label: string }) =>
      users === undefined
        ? `${label} is marked as sensitive for other users.`
        : isAll
          ? `${counted(users, { one: 'user has', other: 'users have' })} ${label} hidden.`
          : `${label} is marked as sensitive for nearly all ${number(users)} users who have it.`,
    consequence: 'Everyone who can see users could read these values, and search would find them.',
    keep: (label: string) => `Keep ${label} hidden`,
    open: (label: string) => `Make ${label} readable`,
  },
}
