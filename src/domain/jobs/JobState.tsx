import type { Job } from '#contract/index.ts'
import { jobsText } from '../../messages/index.ts'
import { StateMark, type StateMarkProps } from '../../ui/StateMark.tsx'

type StateTexts = Readonly<Record<string, string>>

interface JobStateProps {
  readonly job: Job
  /** Whether the result is beside the state, so that a check need not say that it changed nothing. */
  readonly short?: boolean
}

/** Names of states that a kind of job has of its own. */
const statesOf: Readonly<Record<string, StateTexts>> = {
  set: jobsText.set.states,
  import: jobsText.import.states,
}

const jobTones: Readonly<Record<string, StateMarkProps['tone']>> = {
  finished: 'success',
  undone: 'success',
  stopped: 'warning',
  failed: 'failure',
}

/** Name of a job's state as the page distinguishes it: a dry run is checked, not finished. */
const shownState = ({ state, dryRun }: Job) =>
  state === 'finished' && dryRun ? 'checked' : state === 'running' && dryRun ? 'checking' : state

export function stateName(job: Job): string {
  const state = shownState(job)
  return statesOf[job.kind]?.[state] ?? (jobsText.states as StateTexts)[state] ?? state
}

export function JobState({ job, short = false }: JobStateProps) {
  const state = shownState(job)
  return (
    <StateMark tone={jobTones[state]}>
      {short && state === 'checked' ? jobsText.checked[job.kind === 'set' ? 'set' : 'other'] : stateName(job)}
    </StateMark>
  )
}
