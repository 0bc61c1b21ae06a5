import type { ComponentType } from 'react'

import type { Job } from '#contract/index.ts'

/** Texts in which kinds of jobs differ. */
export interface JobText {
  readonly working: string
  readonly checking: string
  readonly checkStopped: string
  readonly checkStoppedBody: string
  readonly changeStopped: (parts: { readonly done: number; readonly total: number }) => string
  readonly changeStoppedBody: string
  readonly undoStopped: string
  readonly failed: string
  readonly failedBody: string
  /** Shown in place of the buttons to everyone but the person who started the job. */
  readonly theirs: Readonly<Record<'check' | 'other', (parts: { readonly actor: string }) => string>>
  /** Undefined if such a job has no dry run. */
  readonly apply?: {
    readonly action: (parts: Readonly<Record<'count' | 'created' | 'changed', number>>) => string
    readonly hint: string
    readonly nothing: string
  }
  /** Undefined if such a job cannot be undone. */
  readonly undo?: Readonly<Record<'button' | 'hint' | 'title' | 'body' | 'failed', string>> & {
    readonly action: (parts: { readonly count: number }) => string
  }
}

export interface JobProps {
  readonly job: Job
}

/** Parts of the list and of the page in which kinds of jobs differ. */
export interface JobView {
  readonly text: JobText
  /** Names of outcomes; one without a name is shown as its code. */
  readonly nameOutcome?: (job: Job, outcome: string) => string | undefined
  readonly nameUndone?: (undone: string) => string | undefined
  /** Facts above those that all jobs have. */
  readonly Facts?: ComponentType<JobProps>
  /** Notices between the facts and the progress. */
  readonly Notices?: ComponentType<JobProps>
  readonly Report?: ComponentType<JobProps>
  /** Whether undoing the job opens sensitive values, which takes a reason. */
  readonly isSensitive?: (job: Job) => boolean
}
