import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type PropsWithChildren, useLayoutEffect, useRef } from 'react'
import { Link, useParams } from 'react-router'

import type { Job } from '#contract/index.ts'
import { useDenied, usePerson } from '../../auth/use-session.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { kindBeside, nameJob } from '../../domain/jobs/job-name.ts'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { jobOrigins } from '../../domain/jobs/origin.ts'
import { countEffects } from '../../domain/jobs/result.ts'
import { links } from '../../domain/links.ts'
import { isOpen } from '../../domain/queries/jobs.ts'
import { type Pace, usePace } from '../../domain/work/pace.ts'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { jobsText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { useAnnounced } from '../../ui/announced.tsx'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { Callout } from '../../ui/Callout.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { countsOf, describeCounts } from './counts.ts'
import { viewOf } from './kinds.ts'
import { controlJob, jobQuery } from './queries.ts'
import { UndoJob } from './UndoJob.tsx'
import type { JobProps } from './view.ts'
import shared from '../../domain/work/Report.module.css'

export function JobPage() {
  const { jobId = '' } = useParams()
  const { data: job, dataUpdatedAt } = useSuspenseQuery(jobQuery(jobId))
  const { Notices, Report, ...names } = viewOf(job)
  // While the job is open, its state below is announced.
  useAnnounced(isOpen(job) ? undefined : describeCounts(job, names))
  const isChecking = isOpen(job) && job.dryRun
  const kind = kindBeside(job)
  const origin = jobOrigins.get(useQueryClient())
  const form = origin?.jobId === jobId ? origin : undefined
  return (
    <>
      <PageHeader
        above={
          <BackLink to={form?.place ?? links.jobs()} state={form?.place.state}>
            {form?.title ?? jobsText.title}
          </BackLink>
        }
        title={nameJob(job)}
        below={
          <>
            {kind !== undefined && <span>{kind}</span>}
            <Announced>
              <JobState job={job} />
            </Announced>
          </>
        }
      />
      <Stack gap="lg">
        <JobFacts job={job} />
        {Notices && <Notices job={job} />}
        <JobControls key={job.id} job={job} readAtMs={dataUpdatedAt}>
          {!isChecking && <Counts job={job} />}
        </JobControls>
        {!isChecking && (
          <>
            <ChangesLink job={job} />
            {Report && <Report key={`${String(job.dryRun)} ${String(job.undo)}`} job={job} />}
          </>
        )}
      </Stack>
    </>
  )
}

function JobFacts({ job }: JobProps) {
  const { reason, created, actor } = job
  const { Facts: OwnFacts } = viewOf(job)
  const isMine = usePerson().subject === actor
  return (
    <Facts>
      {OwnFacts && <OwnFacts job={job} />}
      <Fact name={jobsText.reason}>{reason !== undefined && <span dir="auto">{reason}</span>}</Fact>
      <Fact name={jobsText.columns.by}>{!isMine && actor}</Fact>
      <Fact name={jobsText.columns.time}>
        <Timestamp value={created} mode="minute" />
      </Fact>
    </Facts>
  )
}

/** Link to the event of each change that the job made, for those who may read the log. */
function ChangesLink({ job }: JobProps) {
  const denied = useDenied('events:read')
  if (denied !== undefined || job.dryRun || countEffects(job.outcomes) === 0) return null
  return (
    <Text size="sm">
      <Link to={links.events({ job: job.id })}>{jobsText.changesInLog}</Link>
    </Text>
  )
}

function Counts({ job }: JobProps) {
  const counts = countsOf(job, viewOf(job))
  if (counts.length === 0) return null
  return (
    <dl className={shared.counts}>
      {counts.map(({ id, name, color, count }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd style={{ color }}>{number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ControlsProps extends JobProps {
  /** Time at which the job was read, in epoch milliseconds. */
  readonly readAtMs: number
}

/** Buttons of a job, above its counts. */
function JobControls({ job, readAtMs, children }: PropsWithChildren<ControlsProps>) {
  const { state, dryRun, undo = false } = job
  const { mutate, error, variables, isPending } = useMutation(controlJob(job.id))
  const isMine = usePerson().subject === job.actor
  const section = useRestoredFocus(`${state} ${String(dryRun)}`)
  const { text, isSensitive } = viewOf(job)
  const count = countEffects(job.outcomes)
  const created = job.outcomes?.['created'] ?? 0
  const undoable = countUndoable(job)
  const { failures } = jobsText
  const notDone = { stop: failures.notStopped, resume: failures.notResumed, apply: failures.notApplied }
  return (
    <section ref={section} tabIndex={-1} aria-label={jobsText.progress}>
      <Stack gap="lg">
        <Stack gap="sm" className={shared.acts ?? ''}>
          {error && <InlineFailure title={notDone[variables]} error={error} own={{ lost: failures.lost }} />}
          {isOpen(job) && (
            <>
              <JobProgress key={`${String(dryRun)} ${String(undo)}`} job={job} readAtMs={readAtMs} />
              <Group gap="sm">
                <Button variant="default" loading={isPending} onClick={() => mutate('stop')}>
                  {jobsText.stop}
                </Button>
                <Text size="sm" c="dimmed">
                  {jobsText.goesOn}
                </Text>
              </Group>
            </>
          )}
          {state === 'stopped' && (
            <Callout title={dryRun ? text.checkStopped : text.changeStopped(job)}>
              {undo ? text.undoStopped : dryRun ? text.checkStoppedBody : text.changeStoppedBody}
            </Callout>
          )}
          {state === 'failed' && <InlineFailure title={text.failed}>{text.failedBody}</InlineFailure>}
          {(state === 'stopped' || state === 'failed') && (
            <Group>
              {isMine ? (
                <Button loading={isPending} onClick={() => mutate('resume')}>
                  {jobsText.goOn}
                </Button>
              ) : (
                <Text>{text.theirs.other({ actor: job.actor })}</Text>
              )}
            </Group>
          )}
          {isMine && text.undo && undoable > 0 && (
            <UndoJob job={job} count={undoable} text={text.undo} isSensitive={isSensitive?.(job) === true} />
          )}
          {state === 'finished' && dryRun && text.apply && (
            <Group gap="sm">
              {count === 0 ? (
                <Text>{text.apply.nothing}</Text>
              ) : isMine ? (
                <>
                  <Button loading={isPending} onClick={() => mutate('apply')}>
                    {text.apply.action({ count, created, changed: count - created })}
                  </Button>
                  <Text size="sm" c="dimmed">
                    {text.apply.hint}
                  </Text>
                </>
              ) : (
                <Text>{text.theirs.check({ actor: job.actor })}</Text>
              )}
            </Group>
          )}
        </Stack>
        {children}
      </Stack>
    </section>
  )
}

/** Returns for how many users there is something to put back; once a job is undone, those whose undo was refused. */
function countUndoable(job: Job): number {
  const { state, dryRun, undo, undone = {} } = job
  if (undo === true) return state === 'undone' ? (undone['refused'] ?? 0) : 0
  return isOpen(job) || dryRun ? 0 : countEffects(job.outcomes)
}

function JobProgress({ job, readAtMs }: ControlsProps) {
  const { done, total, dryRun, undo } = job
  const { text } = viewOf(job)
  const pace = usePace({ done, atMs: readAtMs }, total)
  return (
    <ProgressLine
      label={undo === true ? jobsText.states.undoing : dryRun ? text.checking : text.working}
      done={done}
      of={total}
      pace={pace && ` · ${describePace(pace)}`}
    />
  )
}

/** Describes a pace in words: "310 a second · about 1 minute left". Rounded, so that it does not jump at each poll. */
function describePace({ perSecond, leftSeconds }: Pace): string {
  const { second, minute, soon, minutes, hours } = jobsText.pace
  const speed =
    perSecond >= 1 ? second({ count: round(perSecond) }) : minute({ count: Math.ceil(perSecond * 60) })
  const leftMinutes = Math.round(leftSeconds / 60)
  const left =
    leftSeconds < 45
      ? soon
      : leftMinutes < 90
        ? minutes({ count: Math.max(1, leftMinutes) })
        : hours({ count: Math.round(leftMinutes / 60) })
  return `${speed} · ${left}`
}

/** Rounds to two significant digits. */
const round = (count: number) => Number(count.toPrecision(2))

/** Moves the focus to the next button when a state change removes the pressed one. */
function useRestoredFocus(state: string) {
  const section = useRef<HTMLElement>(null)
  const shown = useRef(state)
  useLayoutEffect(() => {
    if (shown.current === state) return
    shown.current = state
    const { activeElement, body } = document
    if (activeElement === body)
      (section.current?.querySelector<HTMLElement>('button') ?? section.current)?.focus()
  }, [state])
  return section
}
