import type { AttemptError } from '#contract/index.ts'

const errors: Record<AttemptError, string> = {
  dns: 'The host name has no address',
  forbidden_address: 'The address is private, or not one of the internet',
  connection: 'No connection',
  tls: 'The certificate is not valid for the host',
  timeout: 'No answer in time',
  redirect: 'It redirects, which is not followed',
  status: 'Refused',
  interrupted: 'The service was stopped while it waited: whether it arrived is not known',
}

/** Texts about a try of a delivery. */
export const attemptText = {
  arrived: 'Arrived',
  /** Why a try failed; codes of another service are shown as they come. */
  error: (code: string): string => (errors as Readonly<Record<string, string>>)[code] ?? code,
  status: (status: number) => `Status ${status}`,
  detail: 'What was sent and answered',
  request: 'Sent',
  response: 'Answered',
  body: 'Body of the answer',
  noBody: 'The answer had no body.',
  truncated: 'Only its beginning is kept.',
}
