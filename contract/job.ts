import * as z from 'zod'

import { sendAlways } from './answered.ts'
import { issueAt } from './code.ts'
import { changeReason, userId } from './common.ts'
import { propertyWarning } from './dictionary.ts'
import type { Endpoint } from './endpoint.ts'
import { entityType, propertyKey } from './entity.ts'
import { dataType, readNewValue } from './property-value.ts'
import { isOneSelection, oneSelection, userSelection } from './segment.ts'

/** Maximum number of users that a job may change if a filter or segment finds them. */
export const maxBatchUsers = 100_000
/** Maximum number of open jobs (waiting or running) per caller. */
export const maxOpenJobs = 10
/** Maximum number of jobs per caller that are kept until they expire. */
export const maxKeptJobs = 1000
/** Maximum number of users in all kept jobs of one caller together. */
export const maxKeptUsers = 1_000_000
/** Maximum number of jobs listed, newest first. */
export const maxListedJobs = 100
/** Report entries per page. */
export const reportedPerPage = 100
/** Maximum length of a text in a report; longer ones are cut and end in `…`. */
export const maxReportedText = 1000
/** Days for which a job and its report are kept. */
export const jobDays = 30

/**
 * Kinds of jobs. `set` sets one property on many users, `export` writes users to a file, `import` creates and changes users
 * by the rows of a file.
 */
export const jobKinds = ['set', 'export', 'import', 'delete'] as const
export type JobKind = (typeof jobKinds)[number]

/** States of jobs. `ready`: the file of an import has been received, and its check has not been asked for. */
export const jobStates = [
  'ready',
  'waiting',
  'running',
  'undoing',
  'stopped',
  'finished',
  'undone',
  'failed',
] as const
export type JobState = (typeof jobStates)[number]

/**
 * Result of a job for one user; in a dry run, the expected result. `waiting`: not processed yet. `ambiguous`: the user
 * has several entities of the type; of an import, the row names several users. `skipped`: an import leaves the user as they
 * are. `no_entity`: the user has none, and the job may not create one. `conflict`: the
 * property has been written since the dry run.
 */
export const outcomes = [
  'waiting',
  'created',
  'added',
  'changed',
  'deleted',
  'unchanged',
  'skipped',
  'refused',
  'conflict',
  'ambiguous',
  'no_entity',
  'not_found',
] as const
export type Outcome = (typeof outcomes)[number]

/** Dry-run outcomes that are carried out when the dry run is applied. */
export const effects = ['created', 'added', 'changed', 'deleted'] as const satisfies readonly Outcome[]

/**
 * Result of an undo for one user whom the job changed. `conflict`: somebody else has changed it since, so it stays.
 * `not_found`: the user is gone.
 */
export const undoOutcomes = ['waiting', 'undone', 'conflict', 'refused', 'not_found'] as const
export type UndoOutcome = (typeof undoOutcomes)[number]

/** A property to set on each of many users. */
const batchProperty = z
  .strictObject({
    /** Type of the entity that the property belongs to. */
    entity: entityType,
    key: propertyKey,
    type: dataType,
    /** New value; `null` stores the property without a value. */
    value: z.unknown().optional(),
    /** Makes the property sensitive; if absent, each property keeps its marking. */
    sensitive: z.literal(true, 'Give true, or leave it out to keep each property as it is.').optional(),
    /** Whether to create the entity for users who have none of the type. */
    create: z.boolean().default(false),
    /** Handling of users with several entities of the type: `only` skips them, `first` changes the oldest entity. */
    which: z.enum(['only', 'first'], 'Give only or first.').default('only'),
  })
  .check(({ value: set, issues }) => {
    if (set.value === undefined) {
      issues.push(issueAt(['value'], 'required', 'Give a value; null for a property without one.'))
      return
    }
    const read = readNewValue(set.type, set.value)
    for (const { path, detail } of read.issues ?? [])
      issues.push(issueAt(['value', ...path], 'invalid_value', detail))
    if (!read.issues) set.value = read.value
  })
export type BatchProperty = z.output<typeof batchProperty>

export const batchRequest = z
  .strictObject({
    ...userSelection,
    set: batchProperty,
    reason: changeReason.optional(),
    /** If true, writes nothing and only reports what would change. */
    dryRun: z.boolean().default(false),
  })
  .refine(isOneSelection, oneSelection)

/** Counts of all that a check has found in the rows of a file so far. */
export const importSummary = z.looseObject({
  /** Number of rows that were checked. */
  rows: z.number(),
  /** Counts of changes, by property or field: of the check, and, once rows are imported, of those. */
  effects: z.array(
    z.looseObject({
      entity: z.string().optional(),
      key: z.string(),
      created: z.number(),
      changed: z.number(),
      cleared: z.number(),
      /** Number of consents that stay, because a later word is stored. */
      olderConsents: z.number(),
    }),
  ),
  /** Reasons why cells or rows are left out, the most frequent cause first. */
  causes: z.array(
    z.looseObject({
      column: z.number().optional(),
      header: z.string().optional(),
      code: z.string(),
      detail: z.string(),
      count: z.number(),
      /** The most frequent cells; only for the author of the job. */
      cells: z.array(z.looseObject({ cell: z.string(), count: z.number() })).optional(),
    }),
  ),
})
export type ImportSummary = z.infer<typeof importSummary>

/** Users to delete. */
export const deletionRequest = z
  .strictObject({
    ...userSelection,
    /** Number of users that the caller means to delete. Another number of users found refuses all of them. */
    count: z.int('Give the number of users.').min(1, 'Give the number of users.'),
    /** If true, deletes nobody and only reports whom it would delete. */
    dryRun: z.boolean().default(false),
  })
  .refine(isOneSelection, oneSelection)

/** A long task that the service carries out on behalf of the caller. Times are UTC with `Z` and milliseconds. */
export const job = z.looseObject({
  id: z.string(),
  /** Kind of the job; a later release may have other kinds. */
  kind: z.string(),
  state: z.string(),
  /** True if the job only reports what it would change. */
  dryRun: z.boolean(),
  /** True if the job is to be undone, or has been: `state`, `total` and `done` are then those of the undo. */
  undo: z.boolean().optional(),
  /**
   * Number of users to process. If a dry run is applied, these are the users it would change; in an undo, those to put
   * something back for.
   */
  total: z.number(),
  /** Number of users processed so far. */
  done: z.number(),
  /** Number of rows of the file of an import. */
  rows: z.number().optional(),
  /** The property that a job of the kind `set` sets. */
  set: z
    .looseObject({
      entity: z.string(),
      key: z.string(),
      type: z.string(),
      /** Absent if masked. */
      value: z.unknown().optional(),
      masked: z.boolean().optional(),
      /** True if the value identified a user who has been erased since, and has been dropped. */
      erased: z.boolean().optional(),
      sensitive: z.boolean().optional(),
      create: z.boolean().optional(),
      which: z.string().optional(),
    })
    .optional(),
  /** Contents of the file that a job of the kind `export` writes. */
  export: z
    .looseObject({
      format: z.string(),
      columns: z.array(z.string()).optional(),
      entities: z.string().optional(),
      sensitive: z.string(),
      /** Rows written so far, and sensitive values left out of them. */
      rows: z.number(),
      withheld: z.number(),
      /** Number of texts of which the cells of a workbook have the beginning only; absent without any. */
      shortened: z.number().optional(),
    })
    .optional(),
  /** File of an export that is done. Its author alone can fetch it. */
  file: z
    .looseObject({
      name: z.string(),
      type: z.string(),
      bytes: z.number(),
      /** End of the time for which the file is kept. */
      until: z.string(),
      /**
       * Why the file cannot be fetched any more. `expired`: its time is over. `erased`: somebody in it was deleted.
       * `replaced`: its author has newer files, and only so many are kept.
       */
      gone: z.string().optional(),
    })
    .optional(),
  /** Warnings about storing the value in clear for users who do not have the property yet. */
  warnings: z.array(propertyWarning).optional(),
  /** Reference of a deletion. */
  reference: z.string().optional(),
  /** Id of the segment; absent if the users were named or found by a filter. */
  segment: z.string().nullish(),
  /** Reason; only with `sensitive:read`. */
  reason: z.string().nullish(),
  /** Subject of the token that created the job. */
  actor: z.string(),
  created: z.string(),
  ended: z.string().nullish(),
  /** Findings of the check of an import; absent in the list of jobs. */
  import: importSummary.optional(),
  /** Number of users per outcome; in the list of jobs only of one that has ended, and not of an undo. */
  outcomes: z.record(z.string(), z.number()).optional(),
  /** Number of users per outcome of the undo, of those whom the job changed; in the list of jobs only once it has ended. */
  undone: z.record(z.string(), z.number()).optional(),
})
export type Job = z.infer<typeof job>

/** Result of a job for one user. */
export const jobEntry = z.looseObject({
  user: userId,
  /** Name of the user; absent if the user was deleted. */
  name: z.string().nullish(),
  entity: z.string().nullish(),
  outcome: z.string(),
  /** Outcome of the undo; absent if there is none, or if the job did not change this user. */
  undone: z.string().optional(),
  /**
   * Value before the change; if nothing has been written, the current value. Absent if there is none, or if it is
   * withheld.
   */
  before: z.unknown().optional(),
  /** Data type of `before`. */
  typeBefore: z.string().optional(),
  /** True if the property is or has been sensitive. */
  masked: z.boolean().optional(),
  /** Why the write was refused: the error that a write of this one user would return. */
  code: z.string().optional(),
  detail: z.string().optional(),
})
export type JobEntry = z.infer<typeof jobEntry>

export const jobReport = z.looseObject({
  /** `offset` of the next page; `""` on the last one. */
  next: sendAlways(z.string()),
  users: z.array(jobEntry),
})
export type JobReport = z.infer<typeof jobReport>

/** A job also needs what its kind does: one that sets a property, or sees what was set, `entities:read` and `entities:write`. */
const needs = ['users:read'] as const
const addition = 'users.batch'

export const jobEndpoints = {
  createBatch: {
    method: 'POST',
    path: '/users/batch',
    tag: 'Jobs',
    summary: 'Sets one property on many users, or reports what that would change: begins a job.',
    needs: ['users:read', 'entities:read', 'entities:write'],
    expensive: true,
    body: batchRequest,
    status: [201],
    warns: true,
    addition,
  },
  deleteUsers: {
    method: 'POST',
    path: '/users/delete',
    tag: 'Jobs',
    summary: 'Deletes many users, or reports who would be deleted: begins a job.',
    needs: ['users:read', 'users:delete'],
    expensive: true,
    body: deletionRequest,
    status: [201],
    referenced: true,
    addition: 'users.delete',
  },
  listJobs: {
    method: 'GET',
    path: '/jobs',
    tag: 'Jobs',
    summary: `The newest ${maxListedJobs} jobs of the caller; of everybody for a caller who has all scopes.`,
    needs,
    expensive: true,
    reply: z.array(job),
    status: [200],
    addition,
  },
  getJob: {
    method: 'GET',
    path: '/jobs/{job_id}',
    tag: 'Jobs',
    summary: 'One job: its state, its progress, and how many users have which outcome.',
    needs,
    reply: job,
    status: [200],
    addition,
  },
  getJobReport: {
    method: 'GET',
    path: '/jobs/{job_id}/users',
    tag: 'Jobs',
    summary: `The outcome of a job for each user, ${reportedPerPage} at a time, in the order of the job.`,
    needs,
    query: z.object({
      outcome: z.enum(outcomes, `Give one of ${outcomes.join(', ')}.`).optional(),
      undone: z.enum(undoOutcomes, `Give one of ${undoOutcomes.join(', ')}.`).optional(),
      /** Opaque cursor: the `next` of the previous page. */
      offset: z.string().optional(),
    }),
    reply: jobReport,
    status: [200],
    addition,
  },
  stopJob: {
    method: 'POST',
    path: '/jobs/{job_id}/stop',
    tag: 'Jobs',
    summary: 'Stops a job after the current user. Changes made so far stay.',
    needs,
    status: [204],
    addition,
  },
  resumeJob: {
    method: 'POST',
    path: '/jobs/{job_id}/resume',
    tag: 'Jobs',
    summary: 'Resumes a job that was stopped or has failed.',
    needs,
    status: [204],
    addition,
  },
  applyJob: {
    method: 'POST',
    path: '/jobs/{job_id}/apply',
    tag: 'Jobs',
    summary: 'Applies a finished dry run, except to users whose property has changed since.',
    needs,
    status: [204],
    addition,
  },
  undoJob: {
    method: 'POST',
    path: '/jobs/{job_id}/undo',
    tag: 'Jobs',
    summary: 'Puts back what a job changed, except where somebody else has changed it since.',
    needs,
    status: [204],
    reasoned: true,
    addition: 'jobs.undo',
  },
} as const satisfies Record<string, Endpoint>
