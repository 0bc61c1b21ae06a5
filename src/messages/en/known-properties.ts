import { counted, number } from '../format.ts'

const who = (users: number | undefined, isAll: boolean) =>
  users === undefined
    ? 'others who have it'
    : users === 1
      ? 'the one user who has it'
      : `${isAll ? 'all' : 'nearly all'} ${number(users)} users who have it`

/** Texts on what is known of a property from those that others have. */
export const knownPropertyText = {
  hidden: (users: number | undefined, isAll: boolean) => `Hidden for ${who(users, isAll)}.`,
  readable: (users: number | undefined, isAll: boolean) => `Readable here, hidden for ${who(users, isAll)}.`,
  /** An entity type, by its label. */
  elsewhere: (type: string) => `Starts hidden, as in ${type}.`,
  near: (key: string) => `Others have “${key}”.`,
  take: (key: string) => `Use ${key}`,
  checking: 'Checking whether this is a hidden property…',
  unchecked: 'Couldn’t check whether this is a hidden property.',
  uncheckedIssue: 'Say whether it is sensitive, or try again.',
  uncheckedTitle: 'Couldn’t check which properties are hidden',
  uncheckedBody: 'Retry, or choose for each property whether it is sensitive.',
  cannotHide: 'Your role can’t write hidden values.',
  open: {
    title: (property: string) => `Make ${property} readable?`,
    body: (property: string, users: number | undefined, isAll: boolean) =>
      users === undefined
        ? `Others have ${property} hidden.`
        : isAll
          ? `${counted(users, { one: 'user has', other: 'users have' })} ${property} hidden.`
          : `Nearly all ${number(users)} users who have ${property} have it hidden.`,
    consequence: 'These values would be readable by everyone who can see users, and found by search.',
    keep: (property: string) => `Keep ${property} hidden`,
    open: (property: string) => `Make ${property} readable`,
  },
}
