import { PropertyText } from '../../domain/definitions/DefinedValue.tsx'
import { isSetJob } from '../../domain/jobs/job-name.ts'
import { Mask } from '../../domain/values/Mask.tsx'
import { jobsText } from '../../messages/index.ts'
import { Fact } from '../../ui/Facts.tsx'
import { InClear } from './InClear.tsx'
import { SegmentLink } from './SegmentLink.tsx'
import { nameOutcome, nameUndone, SetReport } from './SetReport.tsx'
import type { JobProps, JobView } from './view.ts'

const setText = jobsText.set

/** View of a job that sets one property on many users. */
export const setView: JobView = {
  text: setText,
  nameOutcome,
  nameUndone,
  Facts: SetFacts,
  Notices: ReadableWarning,
  Report: SetReport,
  isSensitive: ({ set }) => set?.sensitive === true,
}

function SetFacts({ job }: JobProps) {
  if (!isSetJob(job)) return null
  const { set, segment } = job
  return (
    <>
      <Fact name={setText.value}>
        {set.erased === true ? (
          setText.report.erased
        ) : set.masked === true ? (
          <Mask />
        ) : (
          <PropertyText entityType={set.entity} of={set.key} type={set.type} value={set.value} />
        )}
      </Fact>
      <Fact name={setText.users}>{typeof segment === 'string' && <SegmentLink segment={segment} />}</Fact>
    </>
  )
}

function ReadableWarning({ job }: JobProps) {
  return <InClear job={job} text={setText} />
}
