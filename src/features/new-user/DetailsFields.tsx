import { Button, Stack, Text } from '@mantine/core'
import { IconLock, IconLockOpen, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'

import { dataTypes } from '#contract/index.ts'
import { forgetOpening, chooseSensitivity, chooseType } from '../../domain/known-properties/known-property.ts'
import { KnownNote, useSensitivity } from '../../domain/known-properties/sensitivity.tsx'
import type { KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { newUserText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { retype } from '../../domain/values/draft.ts'
import { Choice, Field } from '../../domain/values/Field.tsx'
import { ValueInput } from '../../domain/values/ValueInput.tsx'
import { dataTypesQuery } from '../../domain/queries/entities.ts'
import { type DetailIssues, type DetailRow, createRow } from './user-details.ts'
import type { RowIssues } from '../../domain/failures/pointers.ts'
import classes from './DetailsFields.module.css'
import { IconButton } from '../../ui/IconButton.tsx'

const detailsText = newUserText.details

export interface DetailsFieldsProps {
  readonly rows: readonly DetailRow[]
  readonly known: KnownProperties
  readonly onChange: (rows: readonly DetailRow[]) => void
  /** Issues by row; shown once the row is left, or on submit at the latest. */
  readonly issues: DetailIssues
  readonly isTried: boolean
  readonly refused: DetailIssues
  /** Id of the "add" button, which takes the focus after the last row is removed. */
  readonly addButtonId: string
}

export function DetailsFields({
  rows,
  known,
  onChange,
  issues,
  isTried,
  refused,
  addButtonId,
}: DetailsFieldsProps) {
  const { data: types = dataTypes } = useQuery(dataTypesQuery())
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const options = types.map((type) => ({ value: type, label: dataTypeName(type) }))
  return (
    <Stack
      component="fieldset"
      className={classes.details ?? ''}
      gap="xs"
      maw={860}
      miw={0}
      m={0}
      p={0}
      bd={0}
    >
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
          position={index + 1}
          types={options}
          issues={{
            ...(isTried || left.has(row.id) ? issues.get(row.id) : undefined),
            ...refused.get(row.id),
          }}
          onChange={(next) => onChange(rows.map((each) => (each.id === row.id ? next : each)))}
          onLeave={() => setLeft(new Set([...left, row.id]))}
          onRemove={() => {
            const following = rows[index + 1] ?? rows[index - 1]
            flushSync(() => onChange(rows.filter(({ id }) => id !== row.id)))
            // The pressed button was removed together with its row.
            if (following) focusRow(following)
            else document.getElementById(addButtonId)?.focus()
          }}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} />}
          // Keep the focus where it is: a blur would show the field's issue and move this button away from the pointer.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            const row = createRow()
            flushSync(() => onChange([...rows, row]))
            focusRow(row)
          }}
        >
          {detailsText.addAnother}
        </Button>
      </div>
    </Stack>
  )
}

export function focusRow({ id }: DetailRow): void {
  document.getElementById(id)?.querySelector('input')?.focus()
}

interface DetailInputsProps {
  readonly row: DetailRow
  readonly known: KnownProperties
  readonly position: number
  readonly types: readonly { readonly value: string; readonly label: string }[]
  readonly issues: RowIssues
  readonly onChange: (row: DetailRow) => void
  readonly onLeave: () => void
  readonly onRemove: () => void
}

function DetailInputs({
  row,
  known,
  position,
  types,
  issues,
  onChange,
  onLeave,
  onRemove,
}: DetailInputsProps) {
  const { id, key, type, sensitive, draft } = row
  const rename = (next: string) => onChange(forgetOpening({ ...row, key: next }))
  const name = key === '' ? detailsText.unnamed({ position: String(position) }) : key
  return (
    <div
      id={id}
      className={classes.row}
      data-sensitive={sensitive || undefined}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave()
      }}
    >
      <div className={classes.key}>
        <Field
          label={detailsText.keyOf({ position: String(position) })}
          placeholder={detailsText.key}
          value={key}
          onChange={rename}
          invalid={issues.key !== undefined}
          describedBy={issues.key === undefined ? undefined : `${id}-key`}
          mono
        />
        <DetailIssue id={`${id}-key`} of={issues.key} />
        <KnownNote row={row} known={known} onTake={rename} />
      </div>
      <div className={classes.type}>
        <Choice
          label={detailsText.typeOf({ name })}
          value={type}
          options={types}
          onChange={(next) => onChange(chooseType({ ...row, draft: retype(draft, type, next) }, next))}
          invalid={issues.type !== undefined}
          describedBy={issues.type === undefined ? undefined : `${id}-type`}
        />
        <DetailIssue id={`${id}-type`} of={issues.type} />
      </div>
      <div className={classes.value}>
        <ValueInput
          type={type}
          draft={draft}
          label={detailsText.valueOf({ name })}
          issues={issues.value}
          onChange={(next) => onChange({ ...row, draft: next })}
        />
      </div>
      <SensitiveSwitch {...{ row, known, name, onChange }} />
      <IconButton
        aria-label={detailsText.remove({ name })}
        {...hint(detailsText.remove({ name }))}
        onClick={onRemove}
      >
        <IconX size={16} stroke={1.75} />
      </IconButton>
    </div>
  )
}

interface SensitiveSwitchProps extends Pick<DetailInputsProps, 'row' | 'known' | 'onChange'> {
  readonly name: string
}

function SensitiveSwitch({ row, known, name, onChange }: SensitiveSwitchProps) {
  const { key, sensitive } = row
  const { denied, set, question } = useSensitivity(row, known.of(key), (next) =>
    onChange(chooseSensitivity(row, next)),
  )
  return (
    <>
      <label className={classes.sensitive} {...hint(denied ?? detailsText.sensitive)}>
        <input
          type="checkbox"
          className="ds-visually-hidden"
          checked={sensitive}
          // `disabled` would make the switch, and the reason shown with it, unreachable by keyboard.
          aria-disabled={denied !== undefined || undefined}
          aria-label={detailsText.sensitiveOf({ name })}
          onChange={(event) => {
            if (denied === undefined) set(event.currentTarget.checked)
          }}
        />
        {sensitive ? (
          <IconLock size={15} stroke={2} aria-hidden />
        ) : (
          <IconLockOpen size={15} stroke={1.5} aria-hidden />
        )}
      </label>
      {question}
    </>
  )
}

function DetailIssue({ id, of }: { readonly id: string; readonly of: string | undefined }) {
  if (of === undefined) return null
  return (
    <Text id={id} size="xs" mt={4} c="var(--mantine-color-error)">
      {of}
    </Text>
  )
}
