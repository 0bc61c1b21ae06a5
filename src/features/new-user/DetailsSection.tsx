import { Box, Button, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { dataTypes } from '#contract/index.ts'
import { ApiError, keyedWrites } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { PropertyPicker } from '../../domain/definitions/Picker.tsx'
import { assignToRows, type RowIssues } from '../../domain/failures/pointers.ts'
import { CellIssue, issueProps, Lock, TypeChoice } from '../../domain/known-properties/cells.tsx'
import { chooseSensitivity, chooseType, forgetOpening } from '../../domain/known-properties/known-property.ts'
import { RowCells, RowFrame } from '../../domain/known-properties/RowFrame.tsx'
import { KnownNote } from '../../domain/known-properties/sensitivity.tsx'
import {
  type KnownProperties,
  useKnownProperties,
  useReadKnown,
} from '../../domain/known-properties/use-known-properties.ts'
import { propertyLabel } from '../../domain/labels.ts'
import { dataTypesQuery } from '../../domain/queries/entities.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { retype } from '../../domain/values/draft.ts'
import { useFocusKept } from '../../domain/values/value-focus.ts'
import { ValueInput } from '../../domain/values/ValueInput.tsx'
import { useReason, ReasonField } from '../../domain/writing/reason.tsx'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { entityText, newUserText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isComposing } from '../../ui/use-pointed.ts'
import {
  adoptKnown,
  carryOut,
  createRow,
  type Detail,
  type DetailIssues,
  type DetailPlan,
  type DetailRow,
  readDetails,
} from './user-details.ts'
import classes from '../../domain/known-properties/RowFrame.module.css'

const addDetailsId = 'add-details'
const noIssues: DetailIssues = new Map()

export function useDetails() {
  const [write] = useState(keyedWrites)
  const [typed, setRows] = useState<readonly DetailRow[]>([])
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState(noIssues)
  // Known properties are not requested before there is a detail.
  const current = useKnownProperties(typed.length > 0 ? 'person' : '')
  const readKnown = useReadKnown()
  /** Known properties read for a submission made during the debounce of `current`. */
  const [submitted, setSubmitted] = useState<KnownProperties>()
  const known = (current.state === 'waiting' && submitted) || current
  const rows = typed.map((row) => adoptKnown(row, known))
  const { details, issues } = readDetails(rows, known)
  const reason = useReason()
  const change = (next: readonly DetailRow[]) => {
    setRows(next)
    setRefused(noIssues)
  }
  return {
    rows,
    known,
    details,
    issues,
    reason,
    isTried,
    refused,
    change,
    add: () => {
      const row = createRow()
      flushSync(() => {
        // Enter has just changed a row too, when it turned typed text into a value.
        setRows((before) => [...before, row])
        setRefused(noIssues)
        if (rows.length === 0) setTried(false)
      })
      focusRow(row)
    },
    /** Waits for the known properties, so that one press is enough. Returns the details, or focuses a problem. */
    ready: async (): Promise<readonly Detail[] | undefined> => {
      const of = current.state === 'waiting' ? await readKnown('person').catch(() => undefined) : undefined
      const now: KnownProperties = of ? { ...current, of, state: 'ready' } : current
      const adopt = (rows: readonly DetailRow[]) => rows.map((row) => adoptKnown(row, now, true))
      const read = readDetails(adopt(typed), now)
      flushSync(() => {
        setTried(true)
        // A value that the type does not fit is to be seen with its input; so is text typed since the press.
        setRows(adopt)
        // After a failed read, or with no read needed, keep nothing that could validate later details.
        setSubmitted(of && now)
      })
      if (read.issues.size > 0) document.querySelector<HTMLElement>('fieldset [aria-invalid="true"]')?.focus()
      const isReady = read.issues.size === 0 && (read.details.length === 0 || reason.isReady())
      return isReady ? read.details : undefined
    },
    perform: async (userId: string, plan: DetailPlan) => {
      setRefused(noIssues)
      try {
        const { given } = reason
        await write([userId, plan, given], (keyed) => carryOut(userId, plan, { ...keyed, reason: given }))
      } catch (error) {
        const rowIds = plan.changes.map(({ rowId }) => rowId)
        if (error instanceof ApiError) setRefused(assignToRows(error.errors, rowIds).rows)
        throw error
      }
    },
  }
}

export type Details = ReturnType<typeof useDetails>

export function DetailsSection({ section }: { readonly section: Details }) {
  const { rows, details, issues, reason, add } = section
  const denied = useDenied('entities:write')
  return (
    <>
      {details.length + issues.size > 0 && <Unsaved />}
      {rows.length > 0 ? (
        <>
          <DetailsFields section={section} />
          {/* Creating a user needs no reason, but the details may be written to an existing one. */}
          {reason.isRequired && (
            <Box maw={480} pt={16}>
              <ReasonField reason={reason} />
            </Box>
          )}
        </>
      ) : (
        <div>
          <DisabledReason reason={denied}>
            <Button
              // Aligns the button's icon with the edge of the fields.
              ms={-12}
              id={addDetailsId}
              variant="subtle"
              leftSection={<IconPlus size={15} />}
              onClick={add}
            >
              {newUserText.details.add}
            </Button>
          </DisabledReason>
        </div>
      )}
    </>
  )
}

const detailsText = newUserText.details
const cellText = entityText.form

function DetailsFields({ section }: { readonly section: Details }) {
  const { rows, known, change, add, issues, isTried, refused } = section
  const { data: types = dataTypes } = useQuery(dataTypesQuery())
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const options = types.map((type) => ({ value: type, label: dataTypeName(type) }))
  return (
    <Stack component="fieldset" className={classes.list ?? ''} gap="xs" maw={860} miw={0} m={0} p={0} bd={0}>
      <Text component="legend" size="sm" fw={600}>
        {detailsText.title}
      </Text>
      <Text size="xs" c="dimmed">
        {detailsText.hint}
      </Text>
      {rows.map((row, index) => (
        <DetailInputs
          key={row.id}
          row={row}
          known={known}
          taken={new Set(rows.flatMap(({ id, key }) => (id === row.id ? [] : [key])))}
          position={index + 1}
          types={options}
          // Issues are shown once the row is left, or on submit at the latest.
          issues={{
            ...(isTried || left.has(row.id) ? issues.get(row.id) : undefined),
            ...refused.get(row.id),
          }}
          onChange={(next) => change(rows.map((each) => (each.id === row.id ? next : each)))}
          onLeave={() => setLeft(new Set([...left, row.id]))}
          onNext={() => {
            const following = rows[index + 1]
            if (following) focusRow(following)
            else add()
          }}
          onRemove={() => {
            const following = rows[index + 1] ?? rows[index - 1]
            flushSync(() => change(rows.filter(({ id }) => id !== row.id)))
            // The pressed button was removed together with its row.
            if (following) focusRow(following)
            else document.getElementById(addDetailsId)?.focus()
          }}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} />}
          // Keep the focus where it is: a blur would show the field's issue and move this button away from the pointer.
          onMouseDown={(event) => event.preventDefault()}
          onClick={add}
        >
          {detailsText.addAnother}
        </Button>
      </div>
    </Stack>
  )
}

function focusRow({ id }: DetailRow): void {
  document.getElementById(id)?.querySelector('input')?.focus()
}

interface DetailInputsProps {
  readonly row: DetailRow
  readonly known: KnownProperties
  /** Keys of the other rows. */
  readonly taken: ReadonlySet<string>
  readonly position: number
  readonly types: readonly { readonly value: string; readonly label: string }[]
  readonly issues: RowIssues
  readonly onChange: (row: DetailRow) => void
  readonly onLeave: () => void
  /** Goes on to the following row, or to a new one. */
  readonly onNext: () => void
  readonly onRemove: () => void
}

function DetailInputs(props: DetailInputsProps) {
  const { row, known, taken, position, types, issues, onChange, onLeave, onNext, onRemove } = props
  const { id, key, type, sensitive, draft } = row
  const properties = known.properties.filter((each) => !taken.has(each.name))
  const element = useRef<HTMLDivElement>(null)
  // Other users' type may arrive only after somebody is in the value, and has another input.
  const focusKept = useFocusKept(element)
  const rename = (next: string) => onChange(forgetOpening({ ...row, key: next }))
  const setType = (next: string) => onChange(chooseType({ ...row, draft: retype(draft, type, next) }, next))
  const name = key === '' ? detailsText.unnamed({ position: String(position) }) : propertyLabel('person', key)
  return (
    <RowFrame
      place="form"
      id={id}
      ref={element}
      data-sensitive={sensitive || undefined}
      onFocus={focusKept.onFocus}
      onBlur={(event) => {
        focusKept.onBlur(event)
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave()
      }}
      label={
        <>
          <PropertyPicker
            properties={properties}
            label={detailsText.keyOf({ position: String(position) })}
            placeholder={cellText.key}
            value={key}
            onChange={rename}
            {...issueProps(`${id}-key`, issues.key)}
          />
          <CellIssue id={`${id}-key`}>{issues.key}</CellIssue>
          <KnownNote
            {...{ row, known, taken }}
            entityType="person"
            onTake={(near) => rename(near.key)}
            onTakeType={setType}
          />
        </>
      }
    >
      <RowCells
        quiet={
          <TypeChoice {...{ id, name }} value={type} options={types} issue={issues.type} onChange={setType} />
        }
        actions={
          <>
            <Lock
              name={name}
              entityType="person"
              property={key}
              known={known.of(key)}
              on={sensitive}
              onChange={(next) => onChange(chooseSensitivity(row, next))}
            />
            <IconButton aria-label={cellText.remove({ label: name })} hinted onClick={onRemove}>
              <IconX size={16} stroke={1.75} />
            </IconButton>
          </>
        }
      >
        <ByEnter onNext={onNext}>
          <ValueInput
            type={type}
            draft={draft}
            label={cellText.valueOf({ label: name })}
            defined={properties.find((each) => each.name === row.key)}
            issues={issues.value}
            onChange={(next) => onChange({ ...row, draft: next })}
          />
        </ByEnter>
      </RowCells>
    </RowFrame>
  )
}

interface ByEnterProps extends Pick<DetailInputsProps, 'onNext'> {
  readonly children: ReactNode
}

/** Goes on by Enter in an input. */
function ByEnter({ onNext, children }: ByEnterProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles a key that its input leaves to it
    <div
      onKeyDown={(event) => {
        const { key, shiftKey, ctrlKey, metaKey, target, defaultPrevented } = event
        const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
        if (key !== 'Enter' || !isField || defaultPrevented || isComposing(event)) return
        // Shift with Enter breaks the line of a text, and Ctrl or Cmd with Enter saves the form.
        if (shiftKey || ctrlKey || metaKey) return
        event.preventDefault()
        onNext()
      }}
    >
      {children}
    </div>
  )
}
