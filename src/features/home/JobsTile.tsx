import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { JobState } from '../../domain/jobs/JobState.tsx'
import { links } from '../../domain/links.ts'
import { isOpen, jobsQuery } from '../../domain/queries/jobs.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { batchText, homeText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './HomePage.module.css'
import { Line, Quiet, Tile } from './Tile.tsx'

const text = homeText.jobs
const shownJobs = 5

/** What the service does, or did, by itself for this person. */
export function JobsTile() {
  const read = useQuery(jobsQuery())
  return (
    <Tile title={text.title} all={{ to: links.batch(), words: text.all }} read={read}>
      {(jobs) =>
        jobs.length === 0 ? (
          <Quiet>{text.none}</Quiet>
        ) : (
          <ul className={classes.list}>
            {jobs.slice(0, shownJobs).map((job) => (
              <Line
                key={job.id}
                aside={
                  <>
                    <JobState job={job} />
                    <span className="ds-dimmed">
                      {isOpen(job) ? text.progress(job.done, job.total) : <Timestamp value={job.created} />}
                    </span>
                  </>
                }
              >
                <Link to={links.batchJob(job.id)}>
                  {batchText.job.what(keyLabel(job.set.key), job.set.entity)}
                </Link>
              </Line>
            ))}
          </ul>
        )
      }
    </Tile>
  )
}
