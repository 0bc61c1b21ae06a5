import { type Job, type JobEntry, outcomes as allOutcomes, type Outcome } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { csvRows, byteOrderMark } from '../../domain/work/csv.ts'
import { saveText } from '../../domain/work/sink.ts'
import type { Run } from '../../domain/work/use-work.ts'
import { storedText } from '../../domain/values/draft.ts'
import { batchText } from '../../messages/index.ts'

const batchReportText = batchText.report

/** Returns the label of an outcome; an outcome unknown to this console is shown as its code. */
export function outcomeName({ dryRun }: Job, outcome: string): string {
  const names: Readonly<Record<string, string>> = dryRun ? batchReportText.would : batchReportText.did
  return names[outcome] ?? outcome
}

export const isOutcome = (value: string): value is Outcome =>
  (allOutcomes as readonly string[]).includes(value)

export function noteOf({ outcome, code, detail }: JobEntry): string {
  if (code === 'insufficient_scope') return batchReportText.notes.forbidden
  const note = (batchReportText.notes as Readonly<Record<string, string>>)[outcome]
  return note ?? detail ?? ''
}

export const isSet = ({ outcome }: JobEntry): boolean =>
  ['waiting', 'created', 'added', 'changed'].includes(outcome)

/** Writes the whole report to a file; progress is the number of users written. */
export function reportFile(job: Job): Run<number, void> {
  return async (signal, onProgress) => {
    const { columns } = batchReportText
    const rows: string[][] = [Object.values(columns)]
    let offset: string | undefined = ''
    while (offset !== undefined) {
      const page: Awaited<ReturnType<typeof api.getJobReport>> = await api.getJobReport({
        params: { job_id: job.id },
        query: { offset },
        signal,
      })
      for (const entry of page.users) rows.push(cells(job, entry))
      onProgress(rows.length - 1)
      offset = page.next || undefined
    }
    const day = new Date().toISOString().slice(0, 10)
    const name = batchReportText.fileName({ entity: job.set.entity, day })
    await saveText({ name, type: 'text/csv' }, byteOrderMark + csvRows(rows, ','))
  }
}

function cells(job: Job, entry: JobEntry): string[] {
  const { user, name, entity, outcome, before, typeBefore, masked } = entry
  const { type, value, masked: isHidden } = job.set
  const hidden = masked === true ? batchReportText.hidden : undefined
  return [
    user,
    name ?? '',
    entity ?? '',
    outcomeName(job, outcome),
    hidden ?? storedText(typeBefore ?? type, before),
    isSet(entry) ? (hidden ?? (isHidden === true ? batchReportText.hidden : storedText(type, value))) : '',
    noteOf(entry),
  ]
}
