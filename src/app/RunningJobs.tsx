import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import type { Job } from '#contract/index.ts'
import { areas } from '../auth/areas.ts'
import { useDenied, usePerson } from '../auth/use-session.ts'
import { kindName } from '../domain/jobs/job-name.ts'
import { stateName } from '../domain/jobs/JobState.tsx'
import { describeResult } from '../domain/jobs/result.ts'
import { links } from '../domain/links.ts'
import { isOpen, jobsQuery } from '../domain/queries/jobs.ts'
import { jobsText } from '../messages/index.ts'
import { number } from '../messages/language/format.ts'
import { hint } from '../ui/Hint.tsx'
import { showToast } from '../ui/toast.tsx'
import { useHasRows } from './Navigation.tsx'

const { running } = jobsText
const scopes = areas.find(({ path }) => path === 'jobs')?.scopes ?? []

/**
 * Link to this person's running jobs, with their progress, and a message when one has ended. Renders nothing while none
 * runs. The list is read once the page shows its rows, after each write that begins a job, and again while one runs.
 */
export function RunningJobs() {
  const { subject } = usePerson()
  const isAllowed = useDenied(...scopes) === undefined
  const enabled = useHasRows() && isAllowed
  const { data } = useQuery({ ...jobsQuery(), enabled, refetchOnWindowFocus: true })
  const own = data?.filter(({ actor }) => actor === subject)
  useEndings(own)
  const open = own?.filter(isOpen) ?? []
  const [first] = open
  if (!first) return null
  const isOne = open.length === 1
  const share = shareOf(first)
  const name = isOne
    ? running.one({ kind: kindName(first.kind) ?? first.kind, share })
    : running.several({ count: open.length })
  return (
    <Button
      component={Link}
      aria-label={name}
      {...hint(name)}
      to={isOne ? links.job(first.id) : links.jobs()}
      variant="subtle"
      size="compact-sm"
      c="dimmed"
      flex="none"
      leftSection={<Loader size={12} aria-hidden />}
    >
      {isOne ? running.share({ share }) : number(open.length)}
    </Button>
  )
}

/** Part of the job that is done, in whole per cent, rounded down: all of it is done only at the end. */
const shareOf = ({ done, total }: Job) => Math.floor((done / Math.max(total, 1)) * 100) / 100

/** Says when a job has ended, unless its page shows that. */
function useEndings(jobs: readonly Job[] | undefined) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const openIds = useRef<ReadonlySet<string>>(new Set())
  const announce = useEffectEvent((job: Job) => {
    const to = links.job(job.id)
    if (pathname === to) return
    const parts = { kind: kindName(job.kind) ?? job.kind, state: stateName(job) }
    const result = describeResult(job)
    showToast({
      message: result === undefined ? running.ended(parts) : running.endedWith({ ...parts, result }),
      tone: job.state === 'failed' ? 'failure' : 'success',
      action: { label: running.show, onPress: () => void navigate(to) },
    })
  })
  useEffect(() => {
    if (!jobs) return
    for (const job of jobs) if (openIds.current.has(job.id) && !isOpen(job)) announce(job)
    openIds.current = new Set(jobs.filter(isOpen).map(({ id }) => id))
  }, [jobs])
}
