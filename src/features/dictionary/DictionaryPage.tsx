import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { type Dictionary, type DictionaryKey, type Filter, isDataType } from '#contract/index.ts'
import { isRevealOnly } from '../../api/index.ts'
import { useDenied, usePerson } from '../../auth/use-session.ts'
import { propertyLabel, typeLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { dictionaryQuery } from '../../domain/queries/keys.ts'
import { listWithFilter } from '../../domain/user-list/list-state.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { dictionaryText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Callout } from '../../ui/Callout.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { takeFew } from '../../ui/show-more.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { dictionaryLayout } from './column-layout.ts'
import classes from './DictionaryPage.module.css'

type EntityTypes = Dictionary['entityTypes']

/** Lists all properties by entity type. */
export function DictionaryPage() {
  const { data } = useSuspenseQuery(dictionaryQuery())
  const [filter, setFilter] = useState('')
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
          className={classes.filter ?? ''}
          aria-label={dictionaryText.filter}
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
        shown.map((each) => <EntityTypeSection key={each.type} {...each} />)
      )}
    </>
  )
}

function EntityTypeSection({ type, entities, users, keys }: EntityTypes[number]) {
  const rows = keys.map((key): KeyRow => ({ ...key, entityType: type, owners: users }))
  return (
    <section aria-label={type} className={classes.section}>
      <div className={classes.head}>
        <h2>{typeLabel(type)}</h2>
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
function filterTypes(types: EntityTypes, filter: string): EntityTypes {
  const wanted = filter.trim().toLowerCase()
  if (wanted === '') return types
  const has = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(wanted))
  return types.flatMap((each) => {
    if (has(each.type, typeLabel(each.type))) return [each]
    const keys = each.keys.filter(({ key, types: ofKey }) =>
      has(key, propertyLabel(each.type, key), ...ofKey.map(({ type }) => dataTypeName(type))),
    )
    return keys.length === 0 ? [] : [{ ...each, keys }]
  })
}

/** Table row for one key of an entity type. */
interface KeyRow extends DictionaryKey {
  readonly entityType: string
  /** Number of users who own an entity of this type. */
  readonly owners: number
}

function renderName({ entityType, key }: KeyRow) {
  const label = propertyLabel(entityType, key)
  return (
    <span className={classes.key}>
      {label}
      {label !== key && <span className={`ds-mono ${classes.raw}`}>{key}</span>}
    </span>
  )
}

interface DeviationProps {
  readonly label: string
  readonly children: string
  /** Filter that finds the users; undefined if no filter can. */
  readonly filter: Filter | undefined
  readonly isSensitive: boolean
}

/** Link to the users whose property deviates; plain text if they cannot be listed. */
function Deviation({ children, label, filter, isSensitive }: DeviationProps) {
  const { subject } = usePerson()
  // A filter on a sensitive property would reveal who has a value, so it needs the scope to read sensitive values.
  const denied = useDenied('users:read', ...(isSensitive ? (['sensitive:read'] as const) : []))
  // A service that reveals sensitive values only one by one refuses unsaved filters on sensitive keys.
  const isRefused = denied !== undefined || (isSensitive && isRevealOnly())
  if (isRefused || !filter) return <span className={classes.deviation}>{children}</span>
  return (
    <Link
      className={classes.deviation ?? ''}
      aria-label={label}
      to={links.users()}
      state={listWithFilter(subject, filter)}
    >
      {children}
    </Link>
  )
}

/** Shows the most frequent data type of a key, with links to the users who have another one. */
function renderTypes({ entityType, key, sensitive, types: [usual, ...others] }: KeyRow) {
  return (
    <span className={classes.types}>
      {usual && dataTypeName(usual.type)}
      {others.map(({ type, users: count }) => (
        <Deviation
          key={type}
          label={dictionaryText.show({
            count,
            property: propertyLabel(entityType, key),
            type: dataTypeName(type),
          })}
          filter={isDataType(type) ? { entity: entityType, where: [{ key, type, op: 'exists' }] } : undefined}
          isSensitive={sensitive > 0}
        >
          {dictionaryText.deviates({ count, type: dataTypeName(type) })}
        </Deviation>
      ))}
    </span>
  )
}

function renderUsers({ users, owners }: KeyRow) {
  const share = owners === 0 ? 0 : Math.min(1, users / owners)
  return (
    <span className={classes.users} {...hint(dictionaryText.share({ share }))}>
      <span className={classes.bar} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {number(users)}
    </span>
  )
}

/** Shows the share of sensitive values, with a link to the users whose value is marked differently from most. */
function renderSensitivity(row: KeyRow) {
  const { sensitive, count } = row
  if (sensitive === 0) return null
  return (
    <span className={classes.sensitive}>
      <SensitiveMark /> {sensitive === count ? dictionaryText.all : dictionaryText.some({ sensitive, count })}
      {sensitive < count && renderDeviants(row)}
    </span>
  )
}

function renderDeviants({ entityType, key, sensitive, count, types }: KeyRow) {
  const isSensitive = sensitive * 2 <= count
  const deviants = isSensitive ? sensitive : count - sensitive
  const any = types.flatMap(({ type, ...of }): Filter[] => {
    const isThere = isSensitive ? of.sensitive > 0 : of.sensitive < of.count
    if (!isThere || !isDataType(type)) return []
    return [{ entity: entityType, where: [{ key, type, op: 'exists', sensitive: isSensitive }] }]
  })
  const mark = isSensitive ? 'sensitive' : 'readable'
  return (
    <Deviation
      label={dictionaryText.showMarked[mark]({ count: deviants, property: propertyLabel(entityType, key) })}
      filter={any.length > 1 ? { any } : any[0]}
      isSensitive
    >
      {dictionaryText.marked[mark]({ count: deviants })}
    </Deviation>
  )
}

const shownSegments = 3

function KeySegments({ segments }: { readonly segments: NonNullable<KeyRow['segments']> }) {
  const [isOpen, setOpen] = useState(false)
  const few = takeFew(segments, shownSegments)
  const more = segments.length - few.length
  return (
    <span className={classes.segments}>
      {(isOpen ? segments : few).map(({ id, name }) => (
        <Link key={id} to={links.segment(id)}>
          {name}
        </Link>
      ))}
      {more > 0 && (
        <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? dictionaryText.fewer : dictionaryText.more({ count: more })}
        </Button>
      )}
    </span>
  )
}

const keyColumns: readonly Column<KeyRow>[] = [
  { ...dictionaryLayout.key, header: dictionaryText.key, cell: renderName },
  { ...dictionaryLayout.types, header: dictionaryText.types, cell: renderTypes },
  { ...dictionaryLayout.users, header: dictionaryText.users, cell: renderUsers },
  { ...dictionaryLayout.sensitive, header: dictionaryText.sensitive, cell: renderSensitivity },
  {
    ...dictionaryLayout.segments,
    header: dictionaryText.segments,
    cell: ({ segments }) => segments && <KeySegments segments={segments} />,
  },
]
