import { defineMessages } from '../language/message.ts'

/** Texts of the home page. */
export const homeText = defineMessages({
  title: 'Home',
  failed: 'Couldn’t load “{tile}”',
  changes: {
    title: 'Activity, today and yesterday',
    all: 'All events',
    columns: { what: 'Activity', today: 'Today', yesterday: 'Yesterday' },
    kinds: {
      created: 'Users created',
      changed: 'Users and entities changed',
      deleted: 'Users deleted',
      jobs: 'Jobs finished or stopped',
      segments: 'Segments changed',
      read: 'Sensitive values viewed, checked or searched',
      failed: 'Not delivered to a webhook',
    },
    none: 'No activity today or yesterday.',
    /** Name of the link in a cell of the table. */
    events: '{kind}, {day}: {count, plural, one {# event} other {# events}}',
  },
  webhooks: {
    title: 'Webhooks',
    all: 'All webhooks',
    none: 'No webhooks yet.',
    working: '{count, plural, one {# webhook, working.} other {# webhooks, all working.}}',
    waiting: '{count, plural, one {# event waiting} other {# events waiting}}',
  },
  sensitive: {
    title: 'Sensitive values today',
    all: 'Audit log',
    none: 'Nobody viewed, checked or changed a sensitive value today.',
    unusual: 'Unusual',
    people: '{count, plural, one {# user} other {# users}}',
  },
  jobs: {
    title: 'Jobs',
    all: 'All jobs',
    none: 'No jobs in the last 30 days.',
  },
  own: {
    title: 'Your recent changes',
    none: 'Users you change appear here.',
  },
  segments: {
    title: 'Pinned segments',
    all: 'All segments',
    none: 'Pin a segment in its ⋯ menu to see its size here.',
    counting: 'Counting…',
  },
  people: {
    title: 'Recent and pinned users',
    all: 'All users',
    none: 'Users you open or pin appear here.',
    pinned: 'Pinned',
    opened: 'Opened recently',
  },
})
