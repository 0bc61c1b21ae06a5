import { defineMessages } from '../language/message.ts'

/** Texts of the frame around every page: shell, sign-in, failures. */
export const shellText = defineMessages({
  product: 'Data Store',
  skipLink: 'Skip to content',
  navigation: 'Main',
  openNavigation: 'Open navigation',
  /** Read by screen readers before the name. */
  environmentBefore: 'Environment:',
  find: 'Find a user, segment, event…',
  /** Title of the sheet of keys, and of the buttons that open it. */
  keys: 'Keyboard shortcuts',
  foot: { api: 'API description', version: 'Version {version}' },
  /** Titles of all pages. They are needed before the other texts of a page are loaded. */
  pages: {
    home: 'Home',
    users: 'Users',
    newUser: 'New user',
    importUsers: 'Import users',
    importJob: 'Import users',
    exportUsers: 'Export users',
    batch: 'Bulk change',
    deletedUsers: 'Deleted users',
    deletionReceipt: 'Deletion receipt',
    user: 'User',
    userActivity: 'User activity',
    userSegments: 'User segments',
    userRecord: 'User record',
    subjectAccess: 'Subject access',
    newEntity: 'New entity',
    segments: 'Segments',
    newSegment: 'New segment',
    segment: 'Segment',
    editSegment: 'Edit segment',
    events: 'Events',
    webhooks: 'Webhooks',
    dictionary: 'Dictionary',
    jobs: 'Jobs',
    job: 'Job',
    audit: 'Audit log',
    newWebhook: 'New webhook',
    webhook: 'Webhook',
    editWebhook: 'Edit webhook',
    recoverEvents: 'Resend missed events',
  },
  leave: {
    title: 'Leave without saving?',
    body: 'Your unsaved changes will be lost.',
    stay: 'Keep editing',
    leave: 'Leave without saving',
  },
  /** Link from the column beside a user to all their activity. */
  allActivity: 'All activity',
  loadingPage: 'Loading the page',
  offline:
    'You’re offline. You can keep reading this page, but nothing can be loaded or saved until you’re connected again.',
  olderRelease:
    'The service is older than this console, so some features are missing. Ask an administrator to update the service.',
  /** Read by screen readers before the name. */
  accountBefore: 'Account:',
  roles: { support: 'Support', steward: 'Data steward', integrator: 'Integrator', admin: 'Administrator' },
  roleUnknown: 'Signed in',
  scheme: { label: 'Colour scheme', light: 'Light', dark: 'Dark', auto: 'Match system' },
  zone: { label: 'Time zone', utc: 'UTC', local: 'Local ({zone})' },
  signOut: 'Sign out',
  session: {
    idleTitle: 'Are you still there?',
    idleBody:
      'You haven’t used Data Store for a while, so it will lock in {seconds, plural, one {# second} other {# seconds}}.',
    stay: 'Stay signed in',
    lockedTitle: 'Sign in again to continue',
    lockedIdle: 'Data Store was locked after 15 minutes of inactivity. Your unsaved changes are kept.',
    lockedExpired: 'Your session has ended. Your unsaved changes are kept.',
    signIn: 'Sign in again',
    popupBlocked: 'Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.',
    waiting: 'Continue in the other window to sign in.',
  },
  windowWanted: {
    title: 'Sign in',
    body: 'Your browser doesn’t let this site store data, so you have to sign in again after each reload. To stay signed in, allow it.',
    signIn: 'Sign in',
  },
  signedOut: {
    title: 'You’re signed out',
    body: 'Your list of recent users was removed from this browser. Your pins, saved views and settings were kept.',
    signIn: 'Sign in',
  },
  clipboardKept: 'The value you copied may still be in the clipboard. Copy something else to replace it.',
  popupDone: 'Signed in. You can close this window.',
  badSettings: {
    title: 'Data Store isn’t set up correctly',
    body: 'The settings file config.json is missing or invalid, so the console can’t start. Ask an administrator to fix it:',
    /** `place`: path to the setting, or address of the file. */
    faults: {
      unread: '{place}: can’t be read',
      refused: '{place}: the server answered {values}',
      notJson: '{place}: isn’t valid JSON',
      missing: '{place}: is missing',
      notText: '{place}: must be text',
      notAddress: '{place}: isn’t a valid address',
      notChoice: '{place}: must be {values}',
      notRoles: '{place}: must map each name to one of {values}',
      notZone: '{place}: isn’t the name of a time zone',
    },
  },
  failure: {
    title: 'Couldn’t load this page',
    offlineTitle: 'Can’t reach the service',
    forbiddenTitle: 'You don’t have access to this page',
    notFoundTitle: 'Not found',
    unknownPageTitle: 'Page not found',
    unknownPageBody: 'The address is wrong, or the page has moved.',
    unreadableTitle: 'Couldn’t read the service’s response',
    reload: 'Reload',
    goTo: 'Go to {area}',
  },
  noRole: {
    title: 'You don’t have a role in Data Store',
    body: 'You’re signed in, but without a role that Data Store knows. Ask an administrator for one, then sign in again.',
    holds: 'No role: the claim {claim} holds {values}.',
    missing: 'No role: the access token has no claim {claim}.',
  },
  /** Shown when the code of a page could not be loaded. */
  unloaded: {
    updatedTitle: 'Data Store has been updated',
    updated: 'You’re using an older version. Saved changes are safe. Reload to get the new version.',
    offlineTitle: 'You’re offline',
    offline:
      'This page needs a connection the first time you open it. Saved changes are safe. Try again once you’re connected.',
  },
})

/** Texts that several features share. */
export const sharedText = defineMessages({
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Your browser didn’t allow copying',
  copyId: 'Copy id',
  requestId: 'Request id {id}',
  copyRequestId: 'Copy request id',
  sensitive: 'Sensitive',
  hiddenValue: 'Hidden value',
  none: '—',
  /** A time less than a minute ago; or ahead, by another clock. */
  justNow: 'just now',
  loading: 'Loading',
  notifications: 'Notifications',
  dismiss: 'Dismiss',
  pager: {
    label: 'Pages',
    first: 'First',
    previous: 'Previous',
    next: 'Next',
    range: '{from, number}–{to, number}',
    rangeOf: '{from, number}–{to, number} of {total, number}',
  },
  /** Names of keys, as printed on a keyboard. */
  keys: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc', pageDown: 'PgDn' },
  confirm: {
    label: 'Type “{word}” to confirm',
  },
})
