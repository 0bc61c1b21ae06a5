import { counted } from '../format.ts'
import { mayNot } from './scopes.ts'

/** Why something failed, on any screen. */
export const failureText = {
  lost: 'No answer came, so it is not known whether this was done.',
  fault: 'The page met a fault of its own. What was saved is safe.',
  unloaded:
    'This part of Data Store could not be loaded: either you are offline, or it has been updated. Reload the page once you are connected.',
  offline: 'Either you are offline or the service does not answer. Try again in a moment.',
  timeout: 'The service took too long to answer. Try again in a moment.',
  unreadable: 'The service answered in a form that this console does not know.',
  forbidden: (scope: string | undefined) => `${mayNot(scope)} An administrator can change that.`,
  sensitiveFilter:
    'Sensitive values are revealed only with a reason here, so only a saved segment can test them. Save the filter as a segment, or reveal the value on the user’s page.',
  notAccepted:
    'The service does not accept your sign-in. Nothing was changed. Ask an administrator: the log of the service says why, under the request id.',
  missing: 'It was deleted, or the address is wrong.',
  contended: 'Others keep changing this, each time before yours was stored. Try again in a moment.',
  marked: 'Something is not acceptable. It is marked where it stands.',
  busy: (seconds: number | undefined) =>
    seconds === undefined
      ? 'The service is busy. Try again in a moment.'
      : `The service is busy. Try again in ${counted(seconds, { one: 'second', other: 'seconds' })}.`,
  other: 'The service met an unexpected condition. Your data is safe; nothing was changed.',
}
