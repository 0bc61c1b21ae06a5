import { defineMessages } from '../language/message.ts'

const notSetUp = 'Sign-in isn’t set up correctly'

/** Texts for a failed sign-in, by fault: the cause, whether anything was changed, and what to do next. */
export const signInText = defineMessages({
  again: 'Try again',
  denied: {
    title: 'Sign-in was refused',
    body: 'The sign-in service refused access, or sign-in was cancelled there. Nothing was changed. Try again, or ask an administrator for access to Data Store.',
  },
  scope: {
    title: notSetUp,
    body: 'The sign-in service doesn’t grant a scope that Data Store asks for. Nothing was changed. Ask an administrator to check the setting OIDC_SCOPE.',
  },
  refused: {
    title: notSetUp,
    body: 'The sign-in service rejected this console’s request. Nothing was changed. Ask an administrator to check this console’s client ID and redirect address there.',
  },
  over: {
    title: 'This sign-in has expired',
    body: 'This sign-in took too long, was already used, or was started in another tab. Nothing was changed. Sign in again.',
  },
  foreign: {
    title: 'This sign-in response isn’t for this console',
    body: 'The response came from another sign-in service, or was meant for another application. Nothing was changed. Try again. If this happens again, tell an administrator.',
  },
  away: {
    title: 'Can’t reach the sign-in service',
    body: 'You may be offline, or the sign-in service isn’t answering. Nothing was changed. Try again in a moment.',
  },
  policy: {
    title: notSetUp,
    body: 'This page’s security policy blocks the sign-in service. Nothing was changed. Ask an administrator to allow its address.',
  },
  insecure: {
    title: 'This address isn’t secure',
    body: 'Browsers allow sign-in only over https, or at localhost on this machine. Open Data Store at its https address, or ask an administrator for it.',
  },
  unknown: {
    title: 'Sign-in failed',
    body: 'The sign-in service sent an unexpected response. Nothing was changed. Try again. If this happens again, tell an administrator.',
  },
  /** Details of a fault: the provider's own words, or the address concerned. */
  said: {
    provider: 'The sign-in service says: “{words}”',
    address: 'Address: {address}',
  },
  /** Title and body on one line, for a dialog. */
  line: '{title}. {body}',
})
