import type { Job } from '#contract/index.ts'
import { batchText } from '../../messages/index.ts'
import { StateMark, type StateMarkProps } from '../../ui/StateMark.tsx'

const jobStatesText = batchText.job.states

const jobTones: Readonly<Record<string, StateMarkProps['tone']>> = {
  finished: 'success',
  undone: 'success',
  stopped: 'warning',
  failed: 'failure',
}

export function JobState({ job: { state, dryRun } }: { readonly job: Job }) {
  const name = state === 'finished' && dryRun ? 'checked' : state === 'running' && dryRun ? 'checking' : state
  return (
    <StateMark tone={jobTones[name]}>
      {(jobStatesText as Readonly<Record<string, string>>)[name] ?? state}
    </StateMark>
  )
}
