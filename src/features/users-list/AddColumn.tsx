import { Button, Stack, Text } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'

import { entityType, propertyKey } from '#contract/index.ts'
import { useKnownKeys } from '../../domain/filter-builder/known-keys.ts'
import { KnownKeyField } from '../../domain/filter-builder/KnownKeyField.tsx'
import { Field, type FieldProps } from '../../domain/values/Field.tsx'
import { knownKeyText, sharedText, userListText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'

const addColumnText = userListText.columns.form

export interface AddColumnProps {
  readonly chosen: readonly string[]
  readonly onAdd: (name: string) => void
  readonly onClose: () => void
}

export function AddColumn({ chosen, onAdd, onClose }: AddColumnProps) {
  const formId = useId()
  const [type, setType] = useState('person')
  const [key, setKey] = useState('')
  const [isTried, setTried] = useState(false)
  const known = useKnownKeys(type)
  const name = `${type}.${key}`
  const newKey = propertyKey.refine(() => !chosen.includes(name), addColumnText.chosen)
  const issues = {
    type: entityType.safeParse(type).error?.issues[0]?.message,
    key: newKey.safeParse(key).error?.issues[0]?.message,
  }
  const shown = isTried ? issues : undefined
  const isUnknown = key !== '' && known.length > 0 && !known.some((each) => each.key === key)
  return (
    <Dialog
      title={addColumnText.title}
      onClose={onClose}
      back={sharedText.cancel}
      actions={
        <Button type="submit" form={formId}>
          {addColumnText.add}
        </Button>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (issues.type !== undefined || issues.key !== undefined) return
          onAdd(name)
          onClose()
        }}
      >
        <Stack gap="sm">
          <Labelled label={addColumnText.type} issue={shown?.type}>
            {(described) => (
              <Field
                label={addColumnText.type}
                value={type}
                placeholder={addColumnText.typePlaceholder}
                mono
                maxLength={64}
                onChange={setType}
                {...described}
              />
            )}
          </Labelled>
          <Labelled
            label={addColumnText.key}
            issue={shown?.key}
            note={isUnknown ? knownKeyText.unknown : undefined}
          >
            {(described) => (
              <KnownKeyField
                data-autofocus
                label={addColumnText.key}
                value={key}
                type=""
                known={known}
                placeholder={addColumnText.keyPlaceholder}
                isTypeFree={false}
                onEnter={() => undefined}
                onTake={(taken) => setKey(taken.key)}
                onChange={setKey}
                {...described}
              />
            )}
          </Labelled>
        </Stack>
      </form>
    </Dialog>
  )
}

interface LabelledProps {
  readonly label: string
  readonly issue: string | undefined
  /** Warning about an unusual value that may be intended. */
  readonly note?: string | undefined
  readonly children: (described: Pick<FieldProps, 'invalid' | 'describedBy'>) => ReactNode
}

function Labelled({ label, issue, note, children }: LabelledProps) {
  const id = useId()
  const message = issue ?? note
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500} aria-hidden>
        {label}
      </Text>
      {children({ invalid: issue !== undefined, describedBy: message === undefined ? undefined : id })}
      <Text
        id={id}
        component="output"
        size="xs"
        c={issue === undefined ? 'dimmed' : 'var(--mantine-color-error)'}
      >
        {message}
      </Text>
    </Stack>
  )
}
