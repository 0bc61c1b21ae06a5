import { Text } from '@mantine/core'

import type { Job } from '#contract/index.ts'
import { kindBeside } from './job-name.ts'

/** Kind of a job after its name, unless that says it already. */
export function JobKind({ job }: { readonly job: Job }) {
  const kind = kindBeside(job)
  if (kind === undefined) return null
  return (
    <>
      <Text span inherit c="dimmed">
        {'\u00A0· '}
        <span style={{ whiteSpace: 'nowrap' }}>{kind}</span>
      </Text>
    </>
  )
}
