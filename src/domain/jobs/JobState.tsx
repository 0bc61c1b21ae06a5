import type { Job } from '#contract/index.ts'
import { jobsText } from '../../messages/index.ts'
import { StateMark, type StateMarkProps } from '../../ui/StateMark.tsx'

type StateTexts = Readonly<Record<string, string>>

/** Names of states that a kind of job has of its own. */
const statesOf: Readonly<Record<string, StateTexts>> = { set: jobsText.set.states }

const jobTones: Readonly<Record<string, StateMarkProps['tone']>> = {
  finished: 'success',
  undone: 'success',
  stopped: 'warning',
  failed: 'failure',
}

export function JobState({ job: { kind, state, dryRun } }: { readonly job: Job }) {
  const name = state === 'finished' && dryRun ? 'checked' : state === 'running' && dryRun ? 'checking' : state
  return (
    <StateMark tone={jobTones[name]}>
      {statesOf[kind]?.[name] ?? (jobsText.states as StateTexts)[name] ?? state}
    </StateMark>
  )
}
