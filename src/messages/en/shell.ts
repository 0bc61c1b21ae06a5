import { counted, number } from '../format.ts'
import { mayNot } from './scopes.ts'

/** Texts of the frame around every page: shell, sign-in, failures. */
export const shellText = {
  product: 'Data Store',
  skipLink: 'Skip to content',
  navigation: 'Main',
  openNavigation: 'Open navigation',
  environment: 'Environment: ',
  find: 'Find a user, segment, event…',
  foot: { api: 'API description', version: (version: string) => `Version ${version}` },
  /** Titles of the pages: here, since every page's title is known before its own texts are fetched. */
  pages: {
    home: 'Home',
    users: 'Users',
    newUser: 'New user',
    importUsers: 'Import users',
    exportUsers: 'Export users',
    batch: 'Bulk change',
    batchJob: 'Bulk change results',
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
    audit: 'Audit',
    newWebhook: 'New webhook',
    webhook: 'Webhook',
    editWebhook: 'Edit webhook',
    recoverEvents: 'Resend missed events',
  },
  leave: {
    title: 'Leave without saving?',
    body: 'What you typed has not been saved and would be lost.',
    stay: 'Keep editing',
    leave: 'Leave without saving',
  },
  /** Leads from the column beside a user to all that happened to them. */
  allActivity: 'All activity',
  loadingPage: 'Loading the page',
  offline: 'You are offline. What is on screen stays; nothing is sent until the connection is back.',
  olderRelease:
    'The service is older than this console, so it is used like one without additions. Update the service to get them.',
  account: 'Account:',
  roles: { support: 'Support', steward: 'Data steward', integrator: 'Integrator', admin: 'Administrator' },
  roleUnknown: 'Signed in',
  scheme: { label: 'Colour scheme', light: 'Light', dark: 'Dark', auto: 'As the system' },
  zone: { label: 'Times in', utc: 'UTC', local: (zone: string) => `Local (${zone})` },
  signOut: 'Sign out',
  session: {
    idleTitle: 'Are you still there?',
    idleBody: (seconds: number) =>
      `You have not used Data Store for a while. It locks in ${counted(seconds, { one: 'second', other: 'seconds' })}.`,
    stay: 'Stay signed in',
    lockedTitle: 'Sign in again to carry on',
    lockedIdle: 'Data Store locked itself after 15 minutes without use. What you typed is kept.',
    lockedExpired: 'Your session has ended. What you typed is kept.',
    signIn: 'Sign in again',
    popupBlocked: 'The browser blocked the sign-in window. Allow pop-ups for this page, then try again.',
    waiting: 'Finish signing in in the window that has opened.',
  },
  windowWanted: {
    title: 'Sign in',
    body: 'This browser keeps nothing for this site, so the sign-in opens in a window of its own, and a reload asks for it again. Allow the site to store data to stay signed in.',
    signIn: 'Sign in',
  },
  signedOut: {
    title: 'You are signed out',
    body: 'This browser has forgotten what you opened. Your pins, saved views and settings stay for the next time.',
    signIn: 'Sign in',
  },
  popupDone: 'Signed in. You can close this window.',
  badSettings: {
    title: 'Data Store is not set up correctly',
    body: 'The settings file config.json is missing or not valid, so the console cannot start. An administrator can put this right:',
  },
  failure: {
    title: 'This page could not be loaded',
    offlineTitle: 'The service cannot be reached',
    busyTitle: 'The service is busy',
    forbiddenTitle: 'You may not see this page',
    notFoundTitle: 'This does not exist',
    unknownPageTitle: 'There is no such page',
    unknownPageBody: 'The address is wrong, or the page has moved.',
    unreadableTitle: 'The answer could not be read',
    reload: 'Reload',
    goTo: (area: string) => `Go to ${area}`,
  },
  noRole: {
    title: 'You have no role in Data Store',
    body: 'You are signed in, but the sign-in service gives you no role that Data Store knows. Ask an administrator for one, then sign in again.',
    holds: (claim: string, holds: string) => `No role: the claim ${claim} holds ${holds}.`,
    missing: (claim: string) => `No role: the access token has no claim ${claim}.`,
  },
  /** Shown when the code of a page could not be loaded. */
  unloaded: {
    updatedTitle: 'Data Store has been updated',
    updated:
      'This page belongs to an older version. What was saved is safe. Reload to carry on with the new one.',
    offlineTitle: 'You are offline',
    offline:
      'This page has not been open before, so it needs the connection. What was saved is safe. Try again once you are connected.',
  },
}

/** Texts that more than one feature or piece uses. */
export const sharedText = {
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying',
  copyId: 'Copy id',
  requestId: 'Request id',
  copyRequestId: 'Copy request id',
  sensitive: 'Sensitive',
  hiddenValue: 'Hidden value',
  none: '—',
  loading: 'Loading',
  notifications: 'Notifications',
  dismiss: 'Dismiss',
  pager: {
    label: 'Pages',
    first: 'First',
    previous: 'Previous',
    next: 'Next',
    range: (from: number, to: number, total: number | undefined) =>
      total === undefined
        ? `${number(from)}–${number(to)}`
        : `${number(from)}–${number(to)} of ${number(total)}`,
  },
  confirm: {
    label: (word: string) => `Type “${word}” to confirm`,
  },
  /** Why a control is disabled for the caller. */
  needsScope: mayNot,
}
