import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { nameJob } from '../../domain/jobs/job-name.ts'
import { JobKind } from '../../domain/jobs/JobKind.tsx'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { links } from '../../domain/links.ts'
import { isOpen, jobsQuery } from '../../domain/queries/jobs.ts'
import { homeText, jobsText as allJobsText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { Tile, TileLine } from './Tile.tsx'

const jobsText = homeText.jobs
const shownJobs = 5

export function JobsTile() {
  return (
    <Tile text={jobsText} to={links.jobs()} read={useQuery(jobsQuery())}>
      {(jobs) =>
        jobs.slice(0, shownJobs).map((job) => (
          <TileLine
            key={job.id}
            aside={
              <>
                <JobState job={job} short />
                <span className="ds-dimmed">
                  {isOpen(job) ? allJobsText.done(job) : <Timestamp value={job.created} mode="recent" />}
                </span>
              </>
            }
          >
            <Link to={links.job(job.id)}>{nameJob(job)}</Link>
            <JobKind job={job} />
          </TileLine>
        ))
      }
    </Tile>
  )
}
