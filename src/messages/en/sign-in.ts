const notSetUp = 'Signing in is not set up correctly'

/** Why a sign-in came to nothing, what is safe, what to do; each under the name of its fault. */
export const signInText = {
  again: 'Try again',
  denied: {
    title: 'You were not let in',
    body: 'The sign-in service did not let you in, or signing in was given up there. Nothing was changed. Try again, or ask an administrator whether you may use Data Store.',
  },
  scope: {
    title: notSetUp,
    body: 'The sign-in service does not give out what this console asks it for. Nothing was changed. An administrator can change what is asked for: the setting OIDC_SCOPE.',
  },
  refused: {
    title: notSetUp,
    body: 'The sign-in service does not accept the request of this console. Nothing was changed. An administrator can compare the two: how the console is named there, and where it may lead back to.',
  },
  over: {
    title: 'This sign-in is over',
    body: 'It took too long, was used already, or began in another tab. Nothing was changed. Sign in again.',
  },
  foreign: {
    title: 'The answer is not for this console',
    body: 'Another sign-in service answered, or it answered for another application, so the answer was not used. Try again; if it happens again, tell an administrator.',
  },
  away: {
    title: 'The sign-in service cannot be reached',
    body: 'Either you are offline, or the sign-in service does not answer or has a failure of its own. Nothing was changed. Try again in a moment.',
  },
  policy: {
    title: notSetUp,
    body: 'The policy of this page does not let it ask the sign-in service. Nothing was changed. An administrator can allow its address there.',
  },
  insecure: {
    title: 'This address is not secure',
    body: 'Browsers let people sign in over https alone, or on the machine itself under the name localhost. Open Data Store under its https address; an administrator knows it.',
  },
  unknown: {
    title: 'Signing in did not work',
    body: 'The sign-in service did not answer as expected. Nothing was changed. Try again; if it happens again, tell an administrator.',
  },
  /** The provider's own words, or the address that it is about. */
  said: {
    provider: (words: string) => `The sign-in service says: “${words}”`,
    address: (address: string) => `Its address: ${address}`,
  },
}
