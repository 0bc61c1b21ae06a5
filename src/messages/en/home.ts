import { counted } from '../format.ts'

/** Texts of the home page. */
export const homeText = {
  title: 'Home',
  failed: (what: string) => `“${what}” could not be loaded`,
  changes: {
    title: 'What happened',
    all: 'Event log',
    columns: { what: 'What', today: 'Today', yesterday: 'Yesterday' },
    kinds: {
      created: 'Users created',
      changed: 'Users and entities changed',
      deleted: 'Users deleted',
      segments: 'Segments changed',
      read: 'Sensitive values read, checked or filtered by',
      failed: 'Not delivered to a webhook',
    },
    none: 'Nothing has happened since yesterday.',
    events: (what: string, day: string, count: number) =>
      `${what}, ${day}: ${counted(count, { one: 'event', other: 'events' })}`,
  },
  webhooks: {
    title: 'Webhooks',
    all: 'All webhooks',
    none: 'There are none yet.',
    working: (count: number) => (count === 1 ? 'The one there is works.' : `All ${count} work.`),
    waiting: (count: number) => counted(count, { one: 'event waits', other: 'events wait' }),
  },
  sensitive: {
    title: 'Sensitive values today',
    all: 'Audit',
    none: 'Nobody has read, checked or changed one today.',
    unusual: 'Unusual',
    people: (count: number) => `of ${counted(count, { one: 'person', other: 'people' })}`,
  },
  jobs: {
    title: 'Properties set on many users',
    all: 'All of them',
    none: 'Nothing was set on many users lately.',
    progress: (done: number, total: number) =>
      `${done} of ${counted(total, { one: 'user', other: 'users' })}`,
  },
  own: {
    title: 'Your last changes',
    none: 'Users whom you change appear here. None of the last 100 changes is yours.',
  },
  segments: {
    title: 'Pinned segments',
    all: 'All segments',
    none: 'Pin a segment, in the menu of its page, to see its size here.',
    counting: 'Being counted',
  },
  people: {
    title: 'Users at hand',
    all: 'All users',
    none: 'Users whose pages you opened or pinned stand here.',
    pinned: 'Pinned',
    opened: 'Opened lately',
  },
}
