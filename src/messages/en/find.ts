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
    edit: 'Edit name, e-mail and the rest of the details',
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
  searching: 'Searching',
  openList: 'Show all of them in the list',
  usersFailed: 'Users could not be searched. Try again',
  usersBusy: (seconds: number | undefined) =>
    seconds === undefined
      ? 'The service is too busy to search. Try again'
      : `The service asks to be searched again in ${number(seconds)} s. Try again`,
  segmentsFailed: 'The segments could not be loaded. Try again',
  idFailed: 'The id could not be looked up. Try again',
  nothing: (what: string) => `Nothing matches “${what}”.`,
  unsearched: (areValuesFound: boolean) =>
    areValuesFound
      ? 'Of users the name, e-mail, ref, id and whole values, as a phone number, are searched. By a part of a value, a segment finds them. Hidden values are not searched.'
      : 'Of users the name, e-mail, ref and id are searched. By a phone number, or another property, a segment finds them.',
  nothingById: 'No user, segment or event has this id.',
  nothingByIdSeen: 'Nothing that your role may see has this id.',
  denied: (reason: string) => `Users are not searched. ${reason}`,
  noSearch:
    'This service cannot search for users. Paste a whole user id to open one, or let the list go through all its pages.',
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
  scheme: { light: 'Switch to light', dark: 'Switch to dark', auto: 'Switch to the colours of the system' },
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
