import type { QueryClient } from '@tanstack/react-query'
import type { Location } from 'react-router'

/** Form that a job was checked from, to which its page leads back until the job is applied. */
interface JobOrigin {
  readonly jobId: string
  /** Title of the form's page. */
  readonly title: string
  /** Location of the form: its URL, and the history state with what it is about. */
  readonly place: Location
}

/** Origin of the last job that was begun in this tab. */
export const jobOrigins = new WeakMap<QueryClient, JobOrigin>()
