import * as z from 'zod'

import { issueAt } from './code.ts'
import { changeReason, userId, formatCount } from './common.ts'
import { propertyWarning } from './dictionary.ts'
import type { Endpoint } from './endpoint.ts'
import { entityType, propertyKey } from './entity.ts'
import { dataType, readNewValue } from './property-value.ts'
import { segmentWrite } from './segment.ts'

/** Users whom one request may name by their ids; a filter or a segment may find more. */
export const maxBatchIds = 10_000
export const maxBatchUsers = 100_000
/** Open jobs (waiting or running) per caller. */
export const maxOpenJobs = 10
/** Jobs per caller that are kept until they expire. */
export const maxKeptJobs = 1000
/** Users in all kept jobs of one caller together. */
export const maxKeptUsers = 1_000_000
/** Listed at most, the newest first. */
export const maxListedJobs = 100
/** Entries of a report in one answer. */
export const reportedPerPage = 100
/** Longer texts are cut in a report, and end in `…`. */
export const maxReportedText = 1000
/** For how long a job and its report are kept. */
export const jobDays = 30

export const jobStates = ['waiting', 'running', 'stopped', 'finished', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/**
 * Result of a job for one user; in a dry run, the expected result. `waiting`: not processed yet. `ambiguous`: the user
 * has several entities of the type. `no_entity`: the user has none, and the job may not create one. `conflict`:
 * somebody has written the property since the dry run.
 */
export const outcomes = [
  'waiting',
  'created',
  'added',
  'changed',
  'unchanged',
  'refused',
  'conflict',
  'ambiguous',
  'no_entity',
  'not_found',
] as const
export type Outcome = (typeof outcomes)[number]

/** Outcomes of a dry run that applying it carries out. */
export const effects = ['created', 'added', 'changed'] as const satisfies readonly Outcome[]

/** One property, as it is to be on each of many users. */
const batchProperty = z
  .strictObject({
    /** Type of the entity that has it. */
    entity: entityType,
    key: propertyKey,
    type: dataType,
    /** `null`: the property stays, without a value. */
    value: z.unknown().optional(),
    /** Makes the property sensitive where it is not; absent: each stays as it is. */
    sensitive: z.literal(true, 'Give true, or leave it out to keep each property as it is.').optional(),
    /** Whether who has no entity of the type gets one. */
    create: z.boolean().default(false),
    /** Of several entities of the type none, or the oldest. */
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
    ids: z
      .array(z.uuid('Give the id of a user.').toLowerCase())
      .min(1, 'Name the users.')
      .max(maxBatchIds, `Name at most ${formatCount(maxBatchIds)} users.`)
      .optional(),
    filter: segmentWrite.shape.filter.optional(),
    /** Time zone in which the days of `filter` begin. */
    tz: segmentWrite.shape.tz,
    segment: z.string().optional(),
    set: batchProperty,
    reason: changeReason.optional(),
    /** Writes nothing, and reports what would change. */
    dryRun: z.boolean().default(false),
  })
  .refine(
    ({ ids, filter, segment }) => [ids, filter, segment].filter((given) => given !== undefined).length === 1,
    'Give one of ids, filter and segment.',
  )

/** Something long that the service does by itself for who asked for it. Times are UTC with `Z` and milliseconds. */
export const job = z.looseObject({
  id: z.string(),
  state: z.string(),
  /** True: the job only reports what it would change. */
  dryRun: z.boolean(),
  /** Users that it is to look at; of a dry run that is applied, those whom it would change. */
  total: z.number(),
  /** Number of those users that the job has processed so far. */
  done: z.number(),
  set: z.looseObject({
    entity: z.string(),
    key: z.string(),
    type: z.string(),
    /** Absent where it is withheld (`masked`). */
    value: z.unknown().optional(),
    masked: z.boolean().optional(),
    sensitive: z.boolean().optional(),
    create: z.boolean().optional(),
    which: z.string().optional(),
  }),
  /** Counts the users to whom the property is added. */
  warnings: z.array(propertyWarning).optional(),
  /** Absent: the users were named, or found by a filter. */
  segment: z.string().nullish(),
  /** With `sensitive:read`. */
  reason: z.string().nullish(),
  /** Subject of the token that asked for it. */
  actor: z.string(),
  created: z.string(),
  ended: z.string().nullish(),
  /** How many users have which outcome; not in the list of jobs. */
  outcomes: z.record(z.string(), z.number()).optional(),
})
export type Job = z.infer<typeof job>

/** Result of a job for one user. */
export const jobEntry = z.looseObject({
  user: userId,
  /** Absent: the user was deleted. */
  name: z.string().nullish(),
  entity: z.string().nullish(),
  outcome: z.string(),
  /** Before the change; where nothing has been written, as it is now. Absent: there is none, or it is withheld. */
  before: z.unknown().optional(),
  /** Data type of `before`. */
  typeBefore: z.string().optional(),
  /** The property is, or once was, sensitive. */
  masked: z.boolean().optional(),
  /** Why it was refused, as a write of this one user would be. */
  code: z.string().optional(),
  detail: z.string().optional(),
})
export type JobEntry = z.infer<typeof jobEntry>

export const jobReport = z.looseObject({
  /** `offset` of the following page; `""` on the last one. */
  next: z.string().nullish(),
  users: z.array(jobEntry),
})
export type JobReport = z.infer<typeof jobReport>

const needs = ['users:read', 'entities:read', 'entities:write'] as const
const addition = 'users.batch'

export const jobEndpoints = {
  createBatch: {
    method: 'POST',
    path: '/users/batch',
    tag: 'Jobs',
    summary: 'Sets one property on many users, or reports what that would change: begins a job.',
    needs,
    expensive: true,
    body: batchRequest,
    status: [201],
    warns: true,
    addition,
  },
  listJobs: {
    method: 'GET',
    path: '/jobs',
    tag: 'Jobs',
    summary: `The newest ${maxListedJobs} jobs of the caller; of everybody for a caller who has all scopes.`,
    needs,
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
      /** Opaque: the `next` of the page before. */
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
} as const satisfies Record<string, Endpoint>
