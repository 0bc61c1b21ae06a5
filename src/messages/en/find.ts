import { number } from '../format.ts'

/** Texts of finding anything from anywhere. */
export const findText = {
  title: 'Find anywhere',
  placeholder: 'Name, e-mail, ref, id, segment, page or action',
  placeholderBare: 'User id, segment, event id, page or action',
  results: 'Results',
  close: 'Close',
  pinned: 'Pinned',
  recent: 'Recently opened',
  users: (shown: number, total: number | undefined, isMore: boolean) =>
    total === undefined || total <= shown
      ? 'Users'
      : `Users · ${shown} of ${isMore ? 'more than ' : ''}${number(total)}`,
  similarUsers: 'Users · spelled similarly',
  segments: 'Segments',
  byId: 'By this id',
  commands: 'Pages and actions',
  thisUser: {
    label: 'This user',
    edit: 'Edit name, e-mail and other details',
    addEntity: 'Add an entity',
    segments: 'Segments of this user',
    pin: 'Pin this user',
    unpin: 'Unpin this user',
    copied: 'Id copied',
    /** Words by which each is found besides its name. */
    words: {
      edit: 'change correct user',
      addEntity: 'new create',
      activity: 'timeline history events',
      pin: 'favourite star bookmark',
      access: 'letter file gdpr export',
    },
  },
  noName: 'No name',
  namelessSegment: 'Segment without a name',
  event: (type: string) => `Event ${type}`,
  searching: 'Searching…',
  openList: 'Show all in the list',
  usersFailed: 'Couldn’t search users. Try again',
  usersBusy: (seconds: number | undefined) =>
    seconds === undefined
      ? 'The service is too busy to search. Try again'
      : `The service is busy. Try again in ${number(seconds)} s`,
  segmentsFailed: 'Couldn’t load segments. Try again',
  idFailed: 'Couldn’t look up this id. Try again',
  nothing: (what: string) => `Nothing matches “${what}”.`,
  unsearched:
    'We search names, e-mails, refs, ids and complete values such as a phone number, but no hidden values. To match part of a value, use a segment.',
  nothingById: 'No user, segment or event has this id.',
  nothingByIdSeen: 'Nothing that your role can see has this id.',
  denied: (reason: string) => `Users aren’t searched. ${reason}`,
  noSearch:
    'This service can’t search for users. Paste a complete user id to open a user, or search all pages of the list.',
  scanList: 'Search all pages of the list of users',
  found: (count: number) => (count === 1 ? '1 result' : `${number(count)} results`),
  keys: {
    move: 'move',
    open: 'open',
    newTab: 'new tab',
    close: 'close',
    enter: 'Enter',
    escape: 'Esc',
  },
  /** Short names of actions, beside their full labels. */
  called: { light: 'light', dark: 'dark', auto: 'system', utc: 'UTC', local: 'local' },
  scheme: { light: 'Switch to light', dark: 'Switch to dark', auto: 'Match the system’s colours' },
  zone: { utc: 'Show times in UTC', local: (zone: string) => `Show times in local time (${zone})` },
  /** Words by which a page or an action is found besides its name. */
  words: {
    users: 'people customers list',
    home: 'start overview dashboard today',
    segments: 'groups filters list',
    events: 'log history list',
    webhooks: 'deliveries subscriptions receivers list',
    dictionary: 'data keys properties types schema',
    audit: 'privacy sensitive reads access who',
    create: 'create add',
    exportUsers: 'download csv json',
    importUsers: 'upload csv',
    batch: 'bulk batch many change users',
    deletedUsers: 'erased erasure gdpr receipt removed',
    scheme: 'colour color scheme theme mode appearance',
    zone: 'time zone clock',
    signOut: 'log out logout leave exit',
  },
}
