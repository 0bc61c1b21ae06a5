import type { Job } from '#contract/index.ts'
import { jobsText } from '../../messages/index.ts'
import { propertyLabel, typeLabel, withSmallLetter } from '../labels.ts'

/** A job that sets one property on many users. */
export type SetJob = Job & { readonly set: NonNullable<Job['set']> }

export const isSetJob = (job: Job): job is SetJob => job.set !== undefined

/** Returns the name of a kind of job; undefined for one that this console does not know. */
export const kindName = (kind: string): string | undefined =>
  (jobsText.kinds as Readonly<Record<string, string>>)[kind]

/** Names the format of a file; one of a later release is named by its code. */
const nameFormat = (format: string): string =>
  (jobsText.export.formats as Readonly<Record<string, string>>)[format] ?? format

/**
 * Names a job by what it is about: "Plate (car)", "Import of 488 rows". One of a kind that this console does not know keeps
 * its kind as name.
 */
export function nameJob({ kind, set, total, export: file, rows }: Job): string {
  if (file) return jobsText.export.what({ format: nameFormat(file.format) })
  if (kind === 'delete') return jobsText.delete.what({ count: total })
  if (rows !== undefined) return jobsText.import.what({ count: rows })
  if (!set) return kindName(kind) ?? kind
  const { entity, key } = set
  return jobsText.set.what({
    property: propertyLabel(entity, key),
    entity: withSmallLetter(typeLabel(entity)),
  })
}

/** Returns the name of a job's kind; undefined if the name of the job says it, or if this console does not know it. */
export const kindBeside = ({ kind, set, export: file }: Job): string | undefined =>
  set || file || kind === 'delete' ? kindName(kind) : undefined
