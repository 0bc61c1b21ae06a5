import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { Link, useParams } from 'react-router'

import { effects } from '#contract/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { DefinedValue } from '../../domain/definitions/DefinedValue.tsx'
import { useDefinedProperty } from '../../domain/definitions/use-definitions.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { isSetJob, nameJob, type SetJob } from '../../domain/jobs/job-name.ts'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { propertyLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { isOpen } from '../../domain/queries/jobs.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { batchText } from '../../messages/index.ts'
import { useAnnounced } from '../../ui/announced.tsx'
import { Callout } from '../../ui/Callout.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { Counts, describeCounts, JobReport } from './JobReport.tsx'
import { controlJob, jobQuery, rememberedForms } from './queries.ts'
import { UndoJob } from './UndoJob.tsx'

const jobText = batchText.job

export function JobPage() {
  const { jobId = '' } = useParams()
  const { data: job } = useSuspenseQuery(jobQuery(jobId))
  // While the job is open, the live region below announces its state.
  useAnnounced(isOpen(job) || !isSetJob(job) ? undefined : describeCounts(job))
  const form = rememberedForms.get(useQueryClient())
  // The link back leads to the remembered form if this job was started from it.
  const place = form?.jobId === jobId ? form.place : undefined
  return (
    <>
      <PageHeader
        above={
          <BackLink to={place ?? links.batch()} state={place?.state}>
            {batchText.title}
          </BackLink>
        }
        title={nameJob(job)}
        below={
          <span aria-live="polite">
            <JobState job={job} />
          </span>
        }
      />
      {isSetJob(job) && (
        <Stack gap="lg">
          <JobFacts job={job} />
          <ReadableWarning job={job} />
          <JobControls key={job.id} job={job} />
          {!(isOpen(job) && job.dryRun) && (
            <>
              <Counts job={job} />
              <JobReport key={`${String(job.dryRun)} ${String(job.undo)}`} job={job} />
            </>
          )}
        </Stack>
      )}
    </>
  )
}

function JobFacts({ job }: { readonly job: SetJob }) {
  const { set, segment, reason, created, actor } = job
  const property = useDefinedProperty(set.entity, set.key)
  const isMine = usePerson().subject === actor
  return (
    <Facts>
      <Fact name={jobText.value}>
        {set.masked === true ? (
          <>
            {batchText.report.hidden} <SensitiveMark />
          </>
        ) : (
          <DefinedValue type={set.type} value={set.value} property={property} />
        )}
      </Fact>
      <Fact name={jobText.users}>{typeof segment === 'string' && <SegmentLink segment={segment} />}</Fact>
      <Fact name={jobText.reason}>{reason !== undefined && <span dir="auto">{reason}</span>}</Fact>
      <Fact name={jobText.by}>{!isMine && actor}</Fact>
      <Fact name={jobText.asked}>
        <Timestamp value={created} mode="minute" />
      </Fact>
    </Facts>
  )
}

/** Warning that the job sets a property without marking it as sensitive although it is sensitive for other users. */
function ReadableWarning({ job: { set, dryRun, warnings } }: { readonly job: SetJob }) {
  if (!warnings?.some(({ code }) => code === 'known_sensitive')) return null
  const property = propertyLabel(set.entity, set.key)
  return (
    <Callout title={jobText.inClear[dryRun ? 'preview' : 'change']({ property })}>
      {jobText.inClearBody({ property })}
    </Callout>
  )
}

function SegmentLink({ segment }: { readonly segment: string }) {
  // The segment may have been deleted, or be hidden from this caller.
  const { data } = useQuery({ ...segmentQuery(segment), retry: false })
  return (
    <Link to={links.segment(segment)}>
      {data ? batchText.members({ segment: segmentName(data) }) : jobText.members}
    </Link>
  )
}

function JobControls({ job }: { readonly job: SetJob }) {
  const { state, dryRun, undo = false, done, total, outcomes = {}, undone = {} } = job
  const { mutate, error, variables, isPending } = useMutation(controlJob(job.id))
  const isMine = usePerson().subject === job.actor
  const section = useRestoredFocus(`${state} ${String(dryRun)}`)
  const count = effects.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)
  // Once a job is undone, only those whose undo was refused are left.
  const undoable = undo
    ? state === 'undone'
      ? (undone['refused'] ?? 0)
      : 0
    : isOpen(job) || dryRun
      ? 0
      : count
  const { failures } = batchText
  const notDone = { stop: failures.notStopped, resume: failures.notResumed, apply: failures.notApplied }
  return (
    <section ref={section} tabIndex={-1} aria-label={jobText.progress}>
      <Stack gap="sm">
        {error && (
          <InlineFailure title={notDone[variables]} error={error} own={{ lost: failures.lostSteering }} />
        )}
        {isOpen(job) && (
          <>
            <ProgressLine
              label={undo ? jobText.states.undoing : dryRun ? jobText.checking : jobText.changing}
              done={done}
              of={total}
            />
            <Group gap="sm">
              <Button variant="default" loading={isPending} onClick={() => mutate('stop')}>
                {jobText.stop}
              </Button>
              <Text size="sm" c="dimmed">
                {jobText.goesOn}
              </Text>
            </Group>
          </>
        )}
        {state === 'stopped' && (
          <Callout title={dryRun ? jobText.checkStopped : jobText.changeStopped({ done, total })}>
            {undo ? batchText.undo.stopped : dryRun ? jobText.checkStoppedBody : jobText.changeStoppedBody}
          </Callout>
        )}
        {state === 'failed' && <InlineFailure title={jobText.failed}>{jobText.failedBody}</InlineFailure>}
        {(state === 'stopped' || state === 'failed') && (
          <Group>
            {isMine ? (
              <Button loading={isPending} onClick={() => mutate('resume')}>
                {jobText.goOn}
              </Button>
            ) : (
              <Text>{jobText.theirs.other({ actor: job.actor })}</Text>
            )}
          </Group>
        )}
        {isMine && undoable > 0 && <UndoJob job={job} count={undoable} />}
        {state === 'finished' && dryRun && (
          <Group gap="sm">
            {count === 0 ? (
              <Text>{jobText.nothing}</Text>
            ) : isMine ? (
              <>
                <Button loading={isPending} onClick={() => mutate('apply')}>
                  {jobText.apply({ count })}
                </Button>
                <Text size="sm" c="dimmed">
                  {jobText.applyHint}
                </Text>
              </>
            ) : (
              <Text>{jobText.theirs.check({ actor: job.actor })}</Text>
            )}
          </Group>
        )}
      </Stack>
    </section>
  )
}

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
