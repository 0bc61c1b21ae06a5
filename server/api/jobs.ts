import {
  effects,
  formatCount,
  type Job,
  type jobEndpoints,
  type JobState,
  type Scope,
  reportedPerPage,
  scopes as allScopes,
} from '#contract/index.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { notFound, Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { type ChangeReason, reasonRequired, requireReason } from '../http/headers/change-reason.ts'
import { referenceRequired } from '../http/headers/deletion-reference.ts'
import { mappedIn, propertiesInClear } from '../imports/columns.ts'
import type { ImportTask } from '../imports/import.ts'
import { readSummary } from '../imports/row-storage.ts'
import { openSummary, toImportSummary } from '../imports/summary.ts'
import type { DeletionTask } from '../jobs/delete-user.ts'
import { stopJob } from '../jobs/ending.ts'
import { type ExportTask, scopesOfExport, toExport } from '../jobs/export-task.ts'
import { filesOf } from '../jobs/files.ts'
import { refuseTooMany } from '../jobs/limits.ts'
import { countOutcomes, cutReportedText, type ReportedRow, readReport } from '../jobs/report.ts'
import { insertJob, jobById, type JobRow, newestJobs, setApplied, setState } from '../jobs/storage.ts'
import { type JobProperty, openTyped, sealTyped, type Typed } from '../jobs/task.ts'
import { countUndone, setUndoing } from '../jobs/undoing.ts'
import { everSensitiveOf } from '../segments/storage.ts'
import { newId } from '../store/new-id.ts'
import type { Transaction } from '../store/sql.ts'
import { foreign } from '../users/paging.ts'
import { scopesOfImport } from './import-rows.ts'
import { listWarnings } from './in-clear.ts'
import { chooseUsers } from './job-users.ts'
import type { Needs } from './needs.ts'

export function jobHandlers({ database, gate, log, ...needs }: Needs): Handlers<keyof typeof jobEndpoints> {
  const { indexKey } = database.keys
  const warningsOf = listWarnings(needs)
  const chosen = chooseUsers({ database, gate })
  let isToldUnopened = false

  /** Returns a job that the caller may see: one of their own, or any job if they have all scopes. */
  async function findVisible(id: string, caller: Caller): Promise<JobRow> {
    const row = await jobById(database.sql, id)
    if (!row || (row.actor !== caller.subject && !mayDoAll(caller))) throw notFound('job')
    requireScopes(caller, scopesOfJob(row))
    return row
  }

  /**
   * Locks and returns a job that the caller created. A job runs on behalf of its creator, so nobody else may resume or
   * apply it.
   */
  async function lockOwn(transaction: Transaction, id: string, caller: Caller): Promise<JobRow> {
    const row = await jobById(transaction, id, { lock: true })
    if (row?.actor !== caller.subject) throw notFound('job')
    requireScopes(caller, scopesOfJob(row))
    return row
  }

  /**
   * Decrypts a job's value and reason; `undefined` if the key is missing or a different one was used. Such a job must
   * not make the whole list fail.
   */
  function openJob({ id, sealed }: JobRow): Typed | undefined {
    try {
      return openTyped(indexKey, id, sealed)
    } catch (error) {
      if (!isToldUnopened) log?.error({ job: id, name: (error as Error).name }, 'a job cannot be opened')
      isToldUnopened = true
      return undefined
    }
  }

  /**
   * Refuses a job without a reason if one is required: it lost its reason when a user was deleted, or is older than the
   * requirement.
   */
  function requireKeptReason(row: JobRow, { required }: ChangeReason): void {
    const typed = openJob(row)
    const kept = row.undo ? typed?.undoReason : typed?.reason
    if (required && typed !== undefined && kept === undefined)
      throw reasonRequired(row.undo ? 'this undo has none left' : 'this job has none; start a new job')
  }

  /** Returns the properties that a job stores in clear. */
  const inClearBy = async (row: JobRow) => {
    const value = openJob(row)?.value
    const set = propertyOf(row)
    if (set) return set.sensitive || value === null ? [] : [set]
    return row.kind === 'import' ? await propertiesInClear(database, value) : []
  }

  /** Returns what the check of an import has found; its cells only for its author. */
  async function summaryOf(row: JobRow, { subject }: Caller) {
    const sealed = row.kind === 'import' ? await readSummary(database.sql, row.id) : null
    if (sealed === null) return {}
    const headers = mappedIn(openJob(row)?.value)?.headers ?? []
    const summary = openSummary(indexKey, row.id, sealed)
    return { import: toImportSummary(summary, headers, { cells: row.actor === subject }) }
  }

  async function toJobs(rows: readonly JobRow[], caller: Caller) {
    const keys = new Map(
      rows.flatMap((row) => {
        const set = propertyOf(row)
        return set ? [[row, { type: set.entity, key: set.key }] as const] : []
      }),
    )
    const exports = rows.filter(({ kind }) => kind === 'export')
    const files = new Map(
      (
        await filesOf(
          database.sql,
          exports.map(({ id }) => id),
        )
      ).map((file) => [file.job, file]),
    )
    const sensitive = new Set<unknown>(await everSensitiveOf(database.sql, [...keys.values()]))
    return rows.map((row): Job => {
      const { id, kind, state, dry_run: dryRun, undo, total, waiting, actor, created, ended, outcomes } = row
      const set = propertyOf(row)
      const typed = openJob(row)
      const masked = !typed || set?.sensitive === true || sensitive.has(keys.get(row))
      const { value, reason } = typed ?? {}
      return {
        id,
        kind,
        state,
        dryRun,
        ...(undo && { undo }),
        total,
        done: total - waiting,
        ...(kind === 'import' && { rows: (row.asked as ImportTask).rows }),
        ...(set && {
          set: {
            ...set,
            segment: undefined,
            ...(typed?.erased === true ? { erased: true } : masked ? { masked } : { value }),
          },
        }),
        ...toExport(row, files.get(id)),
        ...(kind === 'delete' && toDeletion(row)),
        ...(set?.segment !== undefined && { segment: set.segment }),
        ...(reason !== undefined && caller.scopes.has('sensitive:read') && { reason }),
        actor,
        created,
        ...(ended !== null && { ended }),
        ...(endStates.has(state) && outcomes !== null && { [undo ? 'undone' : 'outcomes']: outcomes }),
      }
    })
  }

  return {
    async createBatch(call) {
      const { body, caller, baseUrl, reason, write, warn } = call
      if (reason.required && body.reason === undefined) throw reasonRequired('give it as reason')
      const { value, ...set } = body.set
      if (set.sensitive) requireScopes(caller, ['sensitive:write'])
      const begin = async (transaction: Transaction) => {
        const users = await chosen.usersOf(transaction, body, caller)
        await refuseTooMany(transaction, caller, users.length)
        const id = newId()
        const asked: JobProperty = { ...set, segment: body.segment?.toLowerCase() }
        const typed = { value, reason: body.reason }
        const sealed = sealTyped(indexKey, id, typed)
        const task = {
          id,
          kind: 'set' as const,
          actor: caller.subject,
          scopes: [...caller.scopes],
          asked,
          sealed,
        }
        await insertJob(transaction, { ...task, dry_run: body.dryRun }, users)
        const stored = asked.sensitive || value === null ? [] : [asked]
        for (const warning of await warningsOf(transaction, stored)) warn(warning)
        return { status: 201, location: `${baseUrl}/jobs/${id}` } as const
      }
      return await chosen.refuseFoundTooMany(body, caller, write(begin))
    },

    async deleteUsers({ body, caller, baseUrl, reason: { required }, reference, write }) {
      if (required && reference === undefined) throw referenceRequired()
      const begin = async (transaction: Transaction) => {
        const users = await chosen.usersOf(transaction, body, caller)
        if (users.length !== body.count) throw countDiffers(users.length)
        await refuseTooMany(transaction, caller, users.length)
        const id = newId()
        const asked: DeletionTask = { reference, required, segment: body.segment?.toLowerCase() }
        const task = {
          id,
          kind: 'delete' as const,
          actor: caller.subject,
          scopes: [...caller.scopes],
          asked,
          sealed: sealTyped(indexKey, id, { value: null }),
          dry_run: body.dryRun,
        }
        await insertJob(transaction, task, users)
        return { status: 201, location: `${baseUrl}/jobs/${id}` } as const
      }
      return await chosen.refuseFoundTooMany(body, caller, write(begin))
    },

    async listJobs({ caller }) {
      const found = await newestJobs(database.sql, mayDoAll(caller) ? undefined : caller.subject)
      const rows = found.filter((row) => scopesOfJob(row).every((scope) => caller.scopes.has(scope)))
      return { status: 200, body: await toJobs(rows, caller) }
    },

    async getJob({ params: { job_id: id }, caller }) {
      const row = await findVisible(id, caller)
      const outcomes = await countOutcomes(database.sql, id)
      const [body] = await toJobs([row], caller)
      if (!body) throw notFound('job')
      const warnings = await warningsOf(database.sql, await inClearBy(row))
      const undone = row.undo && { undone: await countUndone(database.sql, id) }
      const summary = await summaryOf(row, caller)
      return {
        status: 200,
        body: { ...body, outcomes, ...undone, ...summary, ...(warnings.length > 0 && { warnings }) },
      }
    },

    async getJobReport({ params: { job_id: id }, query: { outcome, undone, offset = '' }, caller }) {
      const row = await findVisible(id, caller)
      if (!/^\d{0,7}$/.test(offset)) throw foreign()
      const options = {
        key: propertyOf(row)?.key ?? '',
        outcome,
        undone,
        after: Number(offset),
        atMost: reportedPerPage + 1,
      }
      const rows = await readReport(database.sql, id, options)
      const shown = rows.slice(0, reportedPerPage)
      const next = rows.length > shown.length ? String(shown.at(-1)?.at ?? '') : ''
      return { status: 200, body: { next, users: shown.map((each) => toJobEntry(each, row.undo)) } }
    },

    async stopJob({ params: { job_id: id }, caller, write }) {
      await findVisible(id, caller)
      return await write(async (transaction) => {
        const row = await jobById(transaction, id, { lock: true })
        if (row && openStates.has(row.state)) await stopJob(transaction, row, caller.subject)
        return { status: 204 }
      })
    },

    async resumeJob({ params: { job_id: id }, caller, reason, write }) {
      return await write(async (transaction) => {
        const row = await lockOwn(transaction, id, caller)
        if (row.state !== 'stopped' && row.state !== 'failed') return { status: 204 }
        requireKeptReason(row, reason)
        await refuseTooMany(transaction, caller)
        await setState(transaction, id, row.undo ? 'undoing' : 'waiting', [...caller.scopes])
        return { status: 204 }
      })
    },

    async applyJob({ params: { job_id: id }, caller, reason, write }) {
      return await write(async (transaction) => {
        const row = await lockOwn(transaction, id, caller)
        if (row.dry_run && row.state !== 'finished') throw checkNotFinished()
        if (!row.dry_run) return { status: 204 }
        requireKeptReason(row, reason)
        await refuseTooMany(transaction, caller)
        await setApplied(transaction, id, [...caller.scopes])
        return { status: 204 }
      })
    },

    async undoJob({ params: { job_id: id }, caller, reason, write }) {
      return await write(async (transaction) => {
        const row = await lockOwn(transaction, id, caller)
        if (row.kind === 'export') throw nothingWritten()
        if (row.kind === 'delete') throw notUndeletable()
        if (row.dry_run) throw nothingApplied()
        if (openStates.has(row.state) || (row.undo && row.state !== 'undone')) throw jobNotEnded(row)
        requireReason(reason)
        if (propertyOf(row)?.sensitive) gate.requireReasonToOpen(reason)
        await refuseTooMany(transaction, caller)
        const typed = openJob(row)
        const sealed = typed ? sealTyped(indexKey, id, { ...typed, undoReason: reason.given }) : row.sealed
        const total = await setUndoing(transaction, { id, sealed, scopes: [...caller.scopes] })
        if (row.state === 'undone' && total === 0) throw alreadyUndone()
        return { status: 204 }
      })
    },
  }
}

const mayDoAll = ({ scopes }: Caller) => allScopes.every((scope) => scopes.has(scope))

/** Returns the property that a job sets, and on whom; undefined for a job of another kind. */
const propertyOf = ({ kind, asked }: JobRow) => (kind === 'set' ? (asked as JobProperty) : undefined)

/** Scopes without which nobody sees or steers a job, as those that its own request needs. */
function scopesOfJob({ kind, asked }: JobRow): readonly Scope[] {
  if (kind === 'export') return scopesOfExport(asked as ExportTask)
  if (kind === 'import') return scopesOfImport
  if (kind === 'delete') return ['users:read', 'users:delete']
  return ['users:read', 'entities:read', 'entities:write']
}

const endStates: ReadonlySet<JobState> = new Set(['finished', 'undone', 'failed'])
const openStates: ReadonlySet<JobState> = new Set(['waiting', 'running', 'undoing'])
const changed: ReadonlySet<string> = new Set(effects)

/** Returns what a job answers of its deletion. */
function toDeletion({ asked }: JobRow): Pick<Job, 'reference' | 'segment'> {
  const { reference, segment } = asked as DeletionTask
  return { ...(reference !== undefined && { reference }), ...(segment !== undefined && { segment }) }
}

function toJobEntry(row: ReportedRow, undo: boolean) {
  const { user, name, exists, entity, outcome, undone, code, detail, property, change, isMasked } = row
  const masked = isMasked || property?.sensitive === true || change?.sealed !== undefined
  const type = change ? (change.typeBefore ?? change.type) : property?.type
  const before = outcome === 'created' ? undefined : change ? change.before : property?.value
  return {
    user,
    ...(exists && name !== null && { name }),
    ...(entity !== null && { entity }),
    outcome,
    ...(undo && changed.has(outcome) && { undone: undone ?? 'waiting' }),
    ...(masked ? { masked } : before !== undefined && { before: cutReportedText(before), typeBefore: type }),
    ...(code !== null && { code }),
    ...(detail !== null && { detail }),
  }
}

function checkNotFinished(): Refusal {
  return new Refusal(
    'check_not_finished',
    'The dry run is still running. Nothing was changed; apply it when it is finished.',
  )
}

function nothingApplied(): Refusal {
  return new Refusal(
    'nothing_applied',
    'This job is a dry run: it changed nothing, so there is nothing to undo.',
  )
}

function countDiffers(total: number): Refusal {
  return new Refusal(
    'count_differs',
    `This finds ${formatCount(total)} users, which is not the count that you gave. Nothing was deleted.`,
    { members: { total } },
  )
}

function notUndeletable(): Refusal {
  return new Refusal('not_revertible', 'A deletion cannot be undone: nothing of these users is left.')
}

function nothingWritten(): Refusal {
  return new Refusal('nothing_applied', 'An export changes nothing, so there is nothing to undo.')
}

function jobNotEnded({ undo, state }: JobRow): Refusal {
  return new Refusal(
    'job_not_ended',
    !undo
      ? 'The job is still running. Nothing was put back; undo it when it has ended, or stop it first.'
      : state === 'undoing'
        ? 'The job is being undone already.'
        : 'The undo of this job has not ended. Resume the job to go on with it.',
  )
}

function alreadyUndone(): Refusal {
  return new Refusal('already_undone', 'The job has been undone already. Nothing was changed.')
}
