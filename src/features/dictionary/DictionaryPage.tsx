import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'

import { type Filter, isDataType } from '#contract/index.ts'
import { isRevealOnly } from '../../api/index.ts'
import { useDenied, usePerson } from '../../auth/use-session.ts'
import { typeLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { definitionsQuery, dictionaryQuery } from '../../domain/queries/keys.ts'
import { listWithFilter } from '../../domain/user-list/list-state.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { definitionText, dictionaryText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Callout } from '../../ui/Callout.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { takeFew } from '../../ui/show-more.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { dictionaryLayout } from './column-layout.ts'
import type { DefinitionPanelProps } from './definition/DefinitionPanel.tsx'
import { joinDefinitions, type KeyRow, type TypeRows } from './rows.ts'
import { headingId, TypeIndex, useJump } from './TypeIndex.tsx'
import beside from '../../ui/Beside.module.css'
import classes from './DictionaryPage.module.css'

const DefinitionPanel = lazyPart(
  async () => (await import('./definition/DefinitionPanel.tsx')).DefinitionPanel,
)

/** Lists all properties by entity type. */
export function DictionaryPage() {
  const { data } = useSuspenseQuery(dictionaryQuery())
  const [filter, setFilter] = useState('')
  const { data: defined } = useQuery(definitionsQuery({ isCounted: true }))
  const [opened, setOpened] = useState<Opened>()
  useJump()
  const { made } = data
  const entityTypes = useMemo(
    () => joinDefinitions(data.entityTypes, defined?.entityTypes),
    [data.entityTypes, defined?.entityTypes],
  )
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
      {data.atLeast === true && <Callout title={dictionaryText.atLeast} />}
      {made === undefined ? (
        <output>
          <EmptyState title={dictionaryText.counting.title}>{dictionaryText.counting.body}</EmptyState>
        </output>
      ) : entityTypes.length === 0 ? (
        <EmptyState title={dictionaryText.empty.title}>{dictionaryText.empty.body}</EmptyState>
      ) : (
        <div className={beside.withIndex}>
          <div className={beside.indexed}>
            {shown.length > 0 && <TypeIndex types={shown} />}
            <div>
              <SearchInput
                className={classes.filter ?? ''}
                aria-label={dictionaryText.filter}
                clearLabel={dictionaryText.clear}
                value={filter}
                onChange={setFilter}
              />
              {shown.length === 0 && (
                <EmptyState title={dictionaryText.noMatch.title}>{dictionaryText.noMatch.body}</EmptyState>
              )}
              {shown.map((each) => (
                <EntityTypeSection key={each.type} {...each} onOpen={setOpened} />
              ))}
            </div>
          </div>
        </div>
      )}
      {opened && <DefinitionPanel {...opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

type Opened = Omit<DefinitionPanelProps, 'onClose'>

interface EntityTypeSectionProps extends TypeRows {
  readonly onOpen: (opened: Opened) => void
}

function EntityTypeSection({
  type,
  label,
  definition,
  entities,
  users,
  rows,
  onOpen,
}: EntityTypeSectionProps) {
  return (
    <section aria-label={type} className={classes.section}>
      <div className={classes.head}>
        <h2 id={headingId(type)} tabIndex={-1}>
          {label}
        </h2>
        {renderWritten(definition)}
        <span className="ds-dimmed">{dictionaryText.totals({ entities, owners: users })}</span>
        <OpenType
          label={label}
          onOpen={() => onOpen({ name: { type, key: undefined }, label, listed: definition })}
        />
      </div>
      <DataTable
        label={type}
        columns={listColumns((row) =>
          onOpen({ name: { type, key: row.key }, label: row.label, listed: row.definition }),
        )}
        rows={rows}
        rowKey={({ key }) => key}
        heading={({ group }) => group}
        empty={<p className="ds-dimmed">{dictionaryText.none}</p>}
      />
    </section>
  )
}

function OpenType({ label, onOpen }: { readonly label: string; readonly onOpen: () => void }) {
  const may = useDenied('definitions:write') === undefined
  const { ofType, open, edit } = definitionText
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={(may ? edit : open)({ name: label })}
      onClick={onOpen}
      onPointerEnter={DefinitionPanel.prefetch}
      onFocus={DefinitionPanel.prefetch}
    >
      {may ? ofType.edit : ofType.show}
    </Button>
  )
}

/**
 * Keeps entity types whose name contains the filter text. In the other types, keeps the keys whose name or data type
 * contains it.
 */
function filterTypes(types: readonly TypeRows[], filter: string): readonly TypeRows[] {
  const wanted = filter.trim().toLowerCase()
  if (wanted === '') return types
  const has = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(wanted))
  return types.flatMap((each) => {
    if (has(each.type, each.label, typeLabel(each.type))) return [each]
    const rows = each.rows.filter(({ key, label, types: ofKey }) =>
      has(key, label, ...ofKey.map(({ type }) => dataTypeName(type))),
    )
    return rows.length === 0 ? [] : [{ ...each, rows }]
  })
}

/** By the word of the service; one of a later release has no text here. */
const looks: Readonly<Record<string, string>> = dictionaryText.looksLike

/** Marks a definition that somebody wrote. */
function renderWritten(definition: KeyRow['definition'] | TypeRows['definition']) {
  return (
    definition &&
    definition.inferred !== true && <span className={classes.written}>{definitionText.written}</span>
  )
}

function renderName({ key, label, definition, similarTo, looksLike }: KeyRow, onOpen: () => void) {
  // A definition that says whether the key is sensitive has decided.
  const isDecided = definition?.inferred !== true && definition?.sensitive !== undefined
  const look = isDecided ? undefined : looks[looksLike ?? '']
  return (
    <span className={classes.key}>
      <button
        type="button"
        className={classes.open}
        aria-label={definitionText.open({ name: label })}
        onClick={onOpen}
        onPointerEnter={DefinitionPanel.prefetch}
        onFocus={DefinitionPanel.prefetch}
      >
        {label}
      </button>
      {/* A key that differs from its label in the capital alone tells nobody more. */}
      {label.toLowerCase() !== key && label !== key && (
        <span className={`ds-mono ${classes.raw}`}>{key}</span>
      )}
      {renderWritten(definition)}
      {similarTo !== undefined && (
        <span className={classes.deviation}>{dictionaryText.similar({ key: similarTo })}</span>
      )}
      {look !== undefined && <span className={classes.deviation}>{look}</span>}
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

/** Shows the data type of a key, defined or most frequent, with links to the users who have another one. */
function renderTypes({ entityType, key, label, definition, sensitive, types }: KeyRow) {
  const usual = definition?.type ?? types[0]?.type
  const others = types.filter(({ type }) => type !== usual)
  return (
    <span className={classes.types}>
      {usual !== undefined && dataTypeName(usual)}
      {others.map(({ type, users: count }) => (
        <Deviation
          key={type}
          label={dictionaryText.show({
            count,
            property: label,
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
  const { sensitive, count, definition } = row
  if (sensitive === 0 && definition?.sensitive !== true) return null
  return (
    <span className={classes.sensitive}>
      <SensitiveMark /> {sensitive === count ? dictionaryText.all : dictionaryText.some({ sensitive, count })}
      {sensitive < count && renderDeviants(row)}
    </span>
  )
}

function renderDeviants({ entityType, key, label, sensitive, count, types }: KeyRow) {
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
      label={dictionaryText.showMarked[mark]({ count: deviants, property: label })}
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

const countColumns: readonly Column<KeyRow>[] = [
  { ...dictionaryLayout.types, header: dictionaryText.types, cell: renderTypes },
  { ...dictionaryLayout.users, header: dictionaryText.users, cell: renderUsers },
  { ...dictionaryLayout.sensitive, header: dictionaryText.sensitive, cell: renderSensitivity },
  {
    ...dictionaryLayout.segments,
    header: dictionaryText.segments,
    cell: ({ segments }) => segments && <KeySegments segments={segments} />,
  },
]

function listColumns(onOpen: (row: KeyRow) => void): readonly Column<KeyRow>[] {
  return [
    {
      ...dictionaryLayout.key,
      header: dictionaryText.key,
      cell: (row) => renderName(row, () => onOpen(row)),
    },
    ...countColumns,
  ]
}
