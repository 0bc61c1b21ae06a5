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
    body: 'Your changes aren’t saved and would be lost.',
    stay: 'Keep editing',
    leave: 'Leave without saving',
  },
  /** Leads from the column beside a user to all that happened to them. */
  allActivity: 'All activity',
  loadingPage: 'Loading the page',
  offline: 'You’re offline. You can keep reading this page; nothing is sent until you’re connected again.',
  olderRelease:
    'The service is older than this console, so some features are missing. Ask an administrator to update the service.',
  account: 'Account:',
  roles: { support: 'Support', steward: 'Data steward', integrator: 'Integrator', admin: 'Administrator' },
  roleUnknown: 'Signed in',
  scheme: { label: 'Colour scheme', light: 'Light', dark: 'Dark', auto: 'Match system' },
  zone: { label: 'Time zone', utc: 'UTC', local: (zone: string) => `Local (${zone})` },
  signOut: 'Sign out',
  session: {
    idleTitle: 'Are you still there?',
    idleBody: (seconds: number) =>
      `You haven’t used Data Store for a while. Data Store locks in ${counted(seconds, { one: 'second', other: 'seconds' })}.`,
    stay: 'Stay signed in',
    lockedTitle: 'Sign in again to continue',
    lockedIdle: 'Data Store locked after 15 minutes without use. Your unsaved changes are kept.',
    lockedExpired: 'Your session has ended. Your unsaved changes are kept.',
    signIn: 'Sign in again',
    popupBlocked: 'Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.',
    waiting: 'Finish signing in in the other window.',
  },
  windowWanted: {
    title: 'Sign in',
    body: 'Your browser doesn’t let this site store data, so you sign in in a separate window, again after each reload. Allow the site to store data to stay signed in.',
    signIn: 'Sign in',
  },
  signedOut: {
    title: 'You’re signed out',
    body: 'Your list of recent users is gone from this browser. Your pins, saved views and settings are still here.',
    signIn: 'Sign in',
  },
  popupDone: 'Signed in. You can close this window.',
  badSettings: {
    title: 'Data Store isn’t set up correctly',
    body: 'The settings file config.json is missing or invalid, so the console can’t start. Ask an administrator to fix it:',
  },
  failure: {
    title: 'Couldn’t load this page',
    offlineTitle: 'Can’t reach the service',
    busyTitle: 'The service is busy',
    forbiddenTitle: 'You don’t have access to this page',
    notFoundTitle: 'Not found',
    unknownPageTitle: 'Page not found',
    unknownPageBody: 'The address is wrong, or the page has moved.',
    unreadableTitle: 'Couldn’t read the service’s answer',
    reload: 'Reload',
    goTo: (area: string) => `Go to ${area}`,
  },
  noRole: {
    title: 'You don’t have a role in Data Store',
    body: 'You’re signed in, but without a role that Data Store knows. Ask an administrator for one, then sign in again.',
    holds: (claim: string, holds: string) => `No role: the claim ${claim} holds ${holds}.`,
    missing: (claim: string) => `No role: the access token has no claim ${claim}.`,
  },
  /** Shown when the code of a page could not be loaded. */
  unloaded: {
    updatedTitle: 'Data Store has been updated',
    updated: 'You’re using an older version. Saved changes are safe. Reload to get the new version.',
    offlineTitle: 'You’re offline',
    offline:
      'This page needs a connection the first time you open it. Saved changes are safe. Try again once you’re connected.',
  },
}

/** Texts that more than one feature or piece uses. */
export const sharedText = {
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Your browser didn’t allow copying',
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
