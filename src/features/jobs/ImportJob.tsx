import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'

import { api } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { isOpen } from '../../domain/queries/jobs.ts'
import { saveBlob } from '../../domain/work/sink.ts'
import { jobsText } from '../../messages/index.ts'
import { importLabel } from './import-label.ts'
import { ImportRows, nameOutcome, nameUndone } from './ImportRows.tsx'
import { InClear } from './InClear.tsx'
import type { JobProps, JobView } from './view.ts'
import classes from './ImportJob.module.css'

const importText = jobsText.import

/** View of an import: of its check, which tells what it would do, and then of what it did. */
export const importView: JobView = {
  text: importText,
  nameOutcome,
  nameUndone,
  Notices: ImportNotices,
  Report: ImportReport,
}

/** Warning about values in clear, and the way back to the columns while nothing has been imported. */
function ImportNotices({ job }: JobProps) {
  const isMine = usePerson().subject === job.actor
  return (
    <>
      <InClear job={job} text={importText} />
      {job.dryRun && !isOpen(job) && isMine && (
        <div>
          <Button component={Link} to={links.importJob(job.id)} variant="default">
            {job.state === 'ready' ? importText.toColumns : importText.backToColumns}
          </Button>
        </div>
      )}
    </>
  )
}

function ImportReport({ job }: JobProps) {
  if (job.state === 'ready') return null
  return (
    <>
      <Effects job={job} />
      <Causes job={job} />
      <LeftOut job={job} />
      <ImportRows job={job} />
    </>
  )
}

/** Properties that change, and for how many users. */
function Effects({ job }: JobProps) {
  const changed = job.import?.effects ?? []
  if (changed.length === 0) return null
  const heading = importText.effects[job.dryRun ? 'preview' : 'change']
  return (
    <section aria-label={heading}>
      <h2 className={classes.heading}>{heading}</h2>
      <ul className={classes.lines}>
        {changed.map(({ entity, key, created, changed: replaced, cleared, olderConsents }) => (
          <li key={`${entity ?? ''} ${key}`}>
            {importText.rows.labelBefore({ property: importLabel(entity, key) })}{' '}
            {[
              created > 0 && importText.effect.created({ count: created }),
              replaced > 0 && importText.effect.changed({ count: replaced }),
              cleared > 0 && importText.effect.cleared({ count: cleared }),
              olderConsents > 0 && importText.effect.older({ count: olderConsents }),
            ]
              .filter((part) => part !== false)
              .join(', ')}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Reasons why rows or cells are left out, the most frequent first. */
function Causes({ job }: JobProps) {
  const causes = job.import?.causes ?? []
  if (causes.length === 0) return null
  return (
    <section aria-label={importText.leftOut}>
      <h2 className={classes.heading}>{importText.leftOut}</h2>
      <ul className={classes.lines}>
        {causes.map(({ column, header, code, detail, count, cells = [] }) => (
          <li key={`${column ?? ''} ${code} ${detail}`}>
            {header === undefined
              ? importText.cause({ count, detail })
              : importText.causeIn({ count, header, detail })}
            {cells.length > 0 && (
              <div className="ds-dimmed">
                {cells
                  .map(({ cell, count: times }) =>
                    importText.cell({ cell: cell.slice(0, 100), count: times }),
                  )
                  .join(', ')}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Offers the rows that are left out as a file, to be corrected and imported again. */
function LeftOut({ job }: JobProps) {
  const { id, actor, outcomes = {} } = job
  const isMine = usePerson().subject === actor
  const count = leftOut.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      saveBlob(
        importText.leftOutName({ day: new Date().toISOString().slice(0, 10) }),
        await api.getJobFile({ params: { job_id: id } }),
      ),
  })
  if (!isMine || count === 0) return null
  return (
    <div>
      {error && <InlineFailure title={importText.notDownloaded} error={error} />}
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {importText.download({ count })}
      </Button>
    </div>
  )
}

/** Outcomes of rows that can be corrected. */
const leftOut = ['refused', 'conflict', 'ambiguous']
