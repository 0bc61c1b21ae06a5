import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import type { Dictionary } from '#contract/index.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { dictionaryText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { keyColumns, type KeyRow } from './columns.tsx'
import classes from './DictionaryPage.module.css'
import { dictionaryQuery } from '../../domain/queries/dictionary.ts'

type DictionaryEntityType = Dictionary['entityTypes'][number]

/** Lists all properties by entity type. */
export function DictionaryPage() {
  const { data } = useSuspenseQuery(dictionaryQuery())
  const [filter, setFilter] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const { made, entityTypes } = data
  const shown = filterTypes(entityTypes, filter)
  return (
    <>
      <PageHeader
        title={dictionaryText.title}
        below={
          <span>
            {dictionaryText.lead}{' '}
            {made !== undefined && dictionaryText.counted.withElements({ time: <Timestamp value={made} /> })}
          </span>
        }
      />
      {entityTypes.length > 0 && (
        <SearchInput
          box={box}
          className={classes.filter ?? ''}
          aria-label={dictionaryText.filter}
          placeholder={dictionaryText.filter}
          clearLabel={dictionaryText.clear}
          value={filter}
          onChange={setFilter}
        />
      )}
      {data.atLeast === true && <Callout title={dictionaryText.atLeast} />}
      {made === undefined ? (
        <output>
          <EmptyState title={dictionaryText.counting.title}>{dictionaryText.counting.body}</EmptyState>
        </output>
      ) : entityTypes.length === 0 ? (
        <EmptyState title={dictionaryText.empty.title}>{dictionaryText.empty.body}</EmptyState>
      ) : shown.length === 0 ? (
        <EmptyState title={dictionaryText.noMatch.title}>{dictionaryText.noMatch.body}</EmptyState>
      ) : (
        shown.map((each) => <EntityTypeSection key={each.type} of={each} />)
      )}
    </>
  )
}

function EntityTypeSection({ of: { type, entities, users, keys } }: { readonly of: DictionaryEntityType }) {
  const rows = keys.map((key): KeyRow => ({ ...key, entityType: type, owners: users }))
  return (
    <section aria-label={type} className={classes.section}>
      <div className={classes.head}>
        <h2>{keyLabel(type)}</h2>
        <span className="ds-dimmed">{dictionaryText.totals({ entities, owners: users })}</span>
      </div>
      <DataTable
        label={type}
        columns={keyColumns}
        rows={rows}
        rowKey={({ key }) => key}
        empty={<p className="ds-dimmed">{dictionaryText.none}</p>}
      />
    </section>
  )
}

/**
 * Keeps entity types whose name contains the filter text. In the other types, keeps the keys whose name or data type
 * contains it.
 */
function filterTypes(
  types: readonly DictionaryEntityType[],
  filter: string,
): readonly DictionaryEntityType[] {
  const wanted = filter.trim().toLowerCase()
  if (wanted === '') return types
  const has = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(wanted))
  return types.flatMap((each) => {
    if (has(each.type, keyLabel(each.type))) return [each]
    const keys = each.keys.filter(({ key, types: ofKey }) =>
      has(key, keyLabel(key), ...ofKey.map(({ type }) => dataTypeName(type))),
    )
    return keys.length === 0 ? [] : [{ ...each, keys }]
  })
}
