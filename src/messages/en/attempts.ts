import type { AttemptError } from '#contract/index.ts'
import { defineMessages } from '../language/message.ts'

/** Texts about an attempt at a delivery. */
export const attemptText = defineMessages({
  arrived: 'Delivered',
  /** Why an attempt failed. */
  errors: {
    dns: 'The host name has no address',
    forbidden_address: 'The address is private or not on the internet',
    connection: 'No connection',
    tls: 'No secure connection: check the receiver’s certificate',
    timeout: 'No response in time',
    redirect: 'The receiver redirected, and redirects aren’t followed',
    status: 'Not accepted',
    interrupted: 'Interrupted: the event may have arrived',
  } satisfies Record<AttemptError, string>,
  status: 'Status {status}',
  detail: 'Request and response',
  request: 'Request',
  response: 'Response',
  body: 'Response body',
  noBody: 'The response has no body.',
  truncated: 'Only the beginning of the body is kept.',
})
