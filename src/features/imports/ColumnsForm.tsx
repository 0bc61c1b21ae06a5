import { Box, Button, Radio, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { importMapping, type ImportMapping, type ImportView } from '#contract/import.ts'
import { dataTypes } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { applyKnown } from '../../domain/known-properties/known-property.ts'
import { useKnownOf, useKnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { links } from '../../domain/links.ts'
import { dataTypesQuery } from '../../domain/queries/entities.ts'
import { ReasonField, useReason } from '../../domain/writing/reason.tsx'
import { importsText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { ColumnCard } from './ColumnCard.tsx'
import { Buttons, Note } from './layout.tsx'
import { checkImport, mapImport } from './queries.ts'
import { type ImportTarget, offeredEntity, type Target } from './target.ts'
import classes from './imports.module.css'

const columnsText = importsText.columns

/** Pause in typing after which the service is asked how the columns are read. */
const typingPauseMs = 300

interface ColumnsFormProps {
  readonly view: ImportView
}

/** Second part of an import: which column becomes what, and how its cells are read. */
export function ColumnsForm({ view }: ColumnsFormProps) {
  const [stored] = useState(() => importMapping.safeParse(view.mapping).data)
  const [draft, setDraft] = useState<Draft>(
    () => stored ?? importMapping.parse({ columns: proposedBy(view) }),
  )
  const known = useKnownProperties(offeredEntity)
  const knownOf = useKnownOf([
    ...new Set(draft.columns.flatMap((target) => (target.to === 'property' ? target.entity : []))),
  ])
  const columns = draft.columns.map((target) =>
    target.to === 'property' ? applyKnown(target, knownOf(target.entity, target.key), true) : target,
  )
  const mapping: ImportMapping = { ...draft, columns: columns.map(toSent) }
  const settled = useDebouncedValue(JSON.stringify(mapping), typingPauseMs)
  const { mutate: map, error: mappingError } = useMutation(mapImport(view.job))
  const check = useMutation(checkImport(view.job))
  const sent = useRef(stored && JSON.stringify(stored))
  const mapIfChanged = useEffectEvent((written: string) => {
    // A mapping undoes the check, which sends it itself: nobody loses one by looking at the columns.
    if (written === sent.current || check.isPending || check.isSuccess) return
    sent.current = written
    map(JSON.parse(written) as ImportMapping)
  })
  useEffect(() => mapIfChanged(settled), [settled])
  const { data: types = dataTypes } = useQuery(dataTypesQuery())
  const propertiesDenied = useDenied('entities:write')
  const reason = useReason()
  const navigate = useNavigate()
  const { readings } = view
  const refused = check.error ?? mappingError
  const problems = problemsByColumn(refused)
  const isNothing = columns.every(({ to }) => to === 'ignore')
  const ignored = columns.filter(({ to }) => to === 'ignore').length
  const change = (index: number, target: Target) =>
    setDraft({ ...draft, columns: columns.with(index, target) })

  const submit = () => {
    if (isNothing || !reason.isReady()) return
    check.mutate({ mapping, reason: reason.given }, { onSuccess: () => void navigate(links.job(view.job)) })
  }
  const button = useFocusWhenCertain(view)
  return (
    <Stack component="section" gap={16} aria-label={importsText.steps.columns}>
      <Note>
        {columnsText.hint} {ignored > 0 && columnsText.ignored({ ignored })} {propertiesDenied}
      </Note>
      <ul className={classes.columns} aria-label={columnsText.list}>
        {view.columns.map((column, index) => {
          const target = columns[index] ?? { to: 'ignore' as const }
          return (
            <ColumnCard
              key={index}
              column={column}
              known={known}
              types={types}
              target={target}
              reading={readings?.[index] ?? undefined}
              problem={problems.get(index)}
              withProperties={propertiesDenied === undefined}
              onChange={(next) => change(index, next)}
            />
          )
        })}
      </ul>
      <Rules mapping={draft} onChange={(rules) => setDraft({ ...draft, ...rules })} />
      {!isNothing && !columns.some(identifiesUser) && <Callout title={columnsText.unmatched} />}
      <Box maw={480}>
        <ReasonField reason={reason} onEnter={submit} />
      </Box>
      {refused && problems.size === 0 && <InlineFailure title={columnsText.refused} error={refused} />}
      <Buttons>
        <Button ref={button} loading={check.isPending} disabled={isNothing} onClick={submit}>
          {columnsText.next({ count: view.found.rows })}
        </Button>
      </Buttons>
    </Stack>
  )
}

/** Mapping with the notes of the form on its properties. */
type Draft = Omit<ImportMapping, 'columns'> & { readonly columns: readonly Target[] }

/** Removes the notes of the form, which are nothing to the service. */
function toSent(target: Target): ImportTarget {
  if (target.to !== 'property') return target
  const { chosen: _, unsettled: __, ...sent } = target
  return sent
}

const target = importMapping.shape.columns.element

/** Returns the proposed targets; one that this console does not know is left out. */
const proposedBy = ({ columns }: ImportView): ImportTarget[] =>
  columns.map(({ proposed }) => target.safeParse(proposed).data ?? { to: 'ignore' })

const identifiesUser = (target: Target) =>
  target.to === 'field' && ['id', 'email', 'ref'].includes(target.field)

/** Returns the errors that a refusal names, by column. */
function problemsByColumn(error: unknown): ReadonlyMap<number, string> {
  const errors = error instanceof ApiError ? error.errors : []
  return new Map(
    errors.flatMap(({ pointer, detail }) => {
      const [, index] = /^\/columns\/(\d+)(?:\/|$)/.exec(pointer) ?? []
      return index === undefined ? [] : [[Number(index), detail] as const]
    }),
  )
}

/** Focuses the button where every proposal is certain, so that Enter goes on. */
function useFocusWhenCertain({ found, readings }: ImportView) {
  const button = useRef<HTMLButtonElement>(null)
  const isCertain =
    found.rows > 0 &&
    readings?.every((each) => !each || (each.bad === 0 && each.questions.length === 0)) === true
  const isAsked = useRef(false)
  useEffect(() => {
    if (!isCertain || isAsked.current) return
    isAsked.current = true
    const { activeElement, body } = document
    if (activeElement === body || activeElement?.tagName === 'H1')
      button.current?.focus({ preventScroll: true })
  }, [isCertain])
  return button
}

type MappingRules = Pick<ImportMapping, 'existing' | 'empty' | 'bad'>

interface RulesProps {
  readonly mapping: MappingRules
  readonly onChange: (rules: Partial<MappingRules>) => void
}

/** Rules for all rows. */
function Rules({ mapping, onChange }: RulesProps) {
  const { existing, empty, bad } = columnsText
  return (
    <Stack gap={12}>
      <Radio.Group
        label={existing.label}
        value={mapping.existing}
        onChange={(value) => onChange({ existing: value, ...(value !== 'overwrite' && { empty: 'leave' }) })}
      >
        {(['fill', 'overwrite', 'skip'] as const).map((value) => (
          <Radio key={value} value={value} mt={6} label={existing[value]} />
        ))}
      </Radio.Group>
      <Radio.Group label={empty.label} value={mapping.empty} onChange={(value) => onChange({ empty: value })}>
        {(['leave', 'clear'] as const).map((value) => (
          <Radio
            key={value}
            value={value}
            mt={6}
            label={empty[value]}
            {...(value === 'clear' &&
              mapping.existing !== 'overwrite' && { disabled: true, description: empty.onlyOverwriting })}
          />
        ))}
      </Radio.Group>
      <Radio.Group label={bad.label} value={mapping.bad} onChange={(value) => onChange({ bad: value })}>
        {(['row', 'cell'] as const).map((value) => (
          <Radio key={value} value={value} mt={6} label={bad[value]} />
        ))}
      </Radio.Group>
    </Stack>
  )
}
