import { setImmediate as yieldToOthers } from 'node:timers/promises'

import type { ImportMapping, ImportTarget, ImportView } from '#contract/import.ts'
import { formatCount, isKnownSensitive, readNewValue, userColumns } from '#contract/index.ts'
import { readPropertyHeader } from '#contract/reading/cells.ts'
import { type DefinedChoice, readColumn } from '#contract/reading/columns.ts'
import { type ColumnSummary, summariseColumn } from '#contract/reading/summary.ts'
import {
  type ColumnTarget,
  guessTargets,
  type MappedProperty,
  type MappingProblem,
  mappingProblems,
} from '#contract/reading/targets.ts'
import type { KeptDefinitions } from '../definitions/definitions.ts'
import { type DictionaryCounts, toDictionaryTypes } from '../dictionary/dictionary.ts'
import type { NotedProperty } from '../entities/property-keys.ts'
import type { Caller } from '../http/auth/caller.ts'
import { invalid, type RefusalError } from '../http/errors/problem.ts'
import { pointer } from '../http/json.ts'
import type { Database } from '../sealing/database.ts'
import { readChunk } from './chunks.ts'
import { fieldTypes, readDefinedChoices } from './columns.ts'
import { cutShown, type FileColumn } from './input.ts'

/** Chunks of a file by which it is shown how its columns are read; the check reads them all. */
const shownChunks = 10
const shownBad = 20

/**
 * Returns the properties by which columns are recognised: as they are defined, as they are counted, and as they were
 * noted when they were written, since the first count takes a while and later ones are kept for a while.
 */
export function knownProperties(
  { rows }: KeptDefinitions,
  counts: DictionaryCounts | undefined,
  noted: readonly NotedProperty[],
): readonly MappedProperty[] {
  const counted = (counts ? toDictionaryTypes(counts, undefined) : []).flatMap(({ type: entity, keys }) =>
    keys.map((each) => ({
      entity,
      key: each.key,
      type: each.types[0]?.type,
      sensitive: isKnownSensitive(each),
    })),
  )
  const countOf = new Map([...noted, ...counted].map((each) => [`${each.entity} ${each.key}`, each] as const))
  const defined = rows.flatMap(({ entityType: entity, key, definition }): MappedProperty[] => {
    if (key === '') return []
    const before = countOf.get(`${entity} ${key}`)
    const said = definition as { type?: string; sensitive?: boolean; label?: Record<string, string> }
    const property = {
      entity,
      key,
      type: said.type ?? before?.type,
      sensitive: said.sensitive ?? before?.sensitive ?? false,
    }
    const labels = Object.values(said.label ?? {})
    return labels.length === 0 ? [property] : labels.map((label) => Object.assign({}, property, { label }))
  })
  const isDefined = new Set(defined.map(({ entity, key }) => `${entity} ${key}`))
  return [
    ...defined,
    ...[...counted, ...noted].filter(({ entity, key }) => !isDefined.has(`${entity} ${key}`)),
  ]
}

export const proposeTargets = (
  columns: readonly FileColumn[],
  known: readonly MappedProperty[],
): readonly ColumnTarget[] => guessTargets(columns, known)

/** Whether a file is an export of ours, so that its headers say all. */
export function isOwnFile(columns: readonly FileColumn[]): boolean {
  const fields: readonly string[] = userColumns
  return (
    columns.some(({ header }) => header === 'id') &&
    columns.every(({ header }) => fields.includes(header) || readPropertyHeader(header) !== undefined)
  )
}

/** Refuses a mapping that does not fit the file, or that its author may not carry out. */
export function requireMapping(
  { columns, existing, empty }: ImportMapping,
  file: readonly FileColumn[],
  { scopes }: Caller,
): void {
  if (columns.length !== file.length)
    throw invalid([
      {
        pointer: '/columns',
        code: 'invalid',
        detail: `Give one target for each of the ${formatCount(file.length)} columns of the file.`,
      },
    ])
  if (columns.every(({ to }) => to === 'ignore'))
    throw invalid([
      { pointer: '/columns', code: 'required', detail: 'Give at least one column a field or a property.' },
    ])
  if (empty === 'clear' && existing !== 'overwrite')
    throw invalid([
      {
        pointer: '/empty',
        code: 'invalid',
        detail:
          'Empty cells clear values only with existing: "overwrite". Give that, or leave for empty cells.',
      },
    ])
  const errors: RefusalError[] = [...mappingProblems(columns)].map(([index, problem]) => {
    const member = columns[index]?.to === 'field' ? 'field' : 'key'
    const { code, detail } = wordsOf[problem]
    return { pointer: pointer(['columns', index, member]), code, detail }
  })
  for (const [index, target] of columns.entries()) {
    if (target.to !== 'property') continue
    if (target.sensitive && !scopes.has('sensitive:write'))
      errors.push({
        pointer: pointer(['columns', index, 'sensitive']),
        code: 'sensitive_property',
        detail: 'You cannot change sensitive values. Leave this column out, or ask a colleague who can.',
      })
    for (const [cell, word] of Object.entries(target.words ?? {}))
      for (const { detail } of word === null ? [] : (readNewValue(target.type, word).issues ?? []))
        errors.push({
          pointer: pointer(['columns', index, 'words', cell]),
          code: 'invalid_value',
          detail,
        })
  }
  if (errors.length > 0) throw invalid(errors)
}

const wordsOf: Readonly<Record<MappingProblem, Pick<RefusalError, 'code' | 'detail'>>> = {
  twice: {
    code: 'duplicate_key',
    detail: 'Another column is imported as this already. Choose something else, or leave one of them out.',
  },
  'whole name': {
    code: 'invalid',
    detail:
      'Another column is imported as the whole name already. Choose something else, or leave one of them out.',
  },
  'no key': { code: 'required', detail: 'Choose a property.' },
  'bad key': { code: 'invalid', detail: 'A property cannot have this name.' },
}

type ShownReading = NonNullable<ImportView['readings']>[number]

/** Reads the first rows of a file by its mapping, and returns how each column that is mapped is read. */
export async function readFirstRows(
  database: Database,
  job: string,
  columns: readonly FileColumn[],
  mapping: ImportMapping,
): Promise<readonly ShownReading[]> {
  const summaries = columns.map(({ header }) =>
    summariseColumn({ header, isOurs: readPropertyHeader(header) !== undefined }),
  )
  let rows = 0
  for (let chunk = 0; chunk < shownChunks; chunk++) {
    const read = await readChunk(database, job, chunk)
    if (!read) break
    rows += read.length
    for (const [, cells] of read)
      for (const [column, summary] of summaries.entries())
        if (mapping.columns[column]?.to !== 'ignore') summary.add(cells[column] ?? '')
  }
  const choicesOf = await readDefinedChoices(database.sql)
  const readings: ShownReading[] = []
  for (const [column, summary] of summaries.entries()) {
    // Thousands of dates take tenths of a second to read.
    await yieldToOthers()
    const target = mapping.columns[column]
    readings.push(
      !target || target.to === 'ignore'
        ? null
        : readingOf(target, summary, rows, target.to === 'property' ? choicesOf(target) : []),
    )
  }
  return readings
}

function readingOf(
  target: Exclude<ImportTarget, { to: 'ignore' }>,
  summary: ColumnSummary,
  rows: number,
  defined: readonly DefinedChoice[],
): ShownReading {
  const type = target.to === 'field' ? (fieldTypes[target.field] ?? 'TEXT') : target.type
  const words = target.to === 'property' ? target.words : undefined
  const { bad, empties, example, questions, read } = readColumn(type, summary, target.choices, words, defined)
  const [ofFilled, ofBad, ofEmpties] = [summary.counts, bad, empties].map((counts) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  ) as [number, number, number]
  return {
    read: ofFilled - ofBad - ofEmpties,
    empty: rows - ofFilled + ofEmpties,
    bad: ofBad,
    badCells: [...bad]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, shownBad)
      .map(([cell, count]) => ({ cell: cutShown(cell), count, cause: read(cell).bad ?? type })),
    ...(example && { example: { cell: cutShown(example.cell), value: example.value } }),
    questions: questions.map(({ of, cell, options }) => ({
      of,
      cell: cutShown(cell),
      options: options.map(({ choice, value }) => ({ choice, value: value ?? null })),
    })),
  }
}
