import { Button, Input, type InputWrapperProps, Stack } from '@mantine/core'
import { useId, useState } from 'react'

import { entityType, propertyKey } from '#contract/index.ts'
import { EntityTypePicker, PropertyPicker } from '../../domain/definitions/Picker.tsx'
import { useEntityTypes, useProperties } from '../../domain/definitions/use-definitions.ts'
import { knownKeyText, sharedText, userListText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'

const addColumnText = userListText.columns.form

/** The label is hidden from screen readers, because the field itself has an accessible name. */
const wrapper = {
  labelElement: 'div',
  labelProps: { 'aria-hidden': true },
  errorProps: { role: 'alert' },
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
} satisfies InputWrapperProps

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
  const types = useEntityTypes()
  const known = useProperties(type)
  const name = `${type}.${key}`
  const newKey = propertyKey.refine(() => !chosen.includes(name), addColumnText.chosen)
  const issues = {
    type: entityType.safeParse(type).error?.issues[0]?.message,
    key: newKey.safeParse(key).error?.issues[0]?.message,
  }
  const shown = isTried ? issues : undefined
  const isUnknown = key !== '' && known.length > 0 && !known.some((each) => each.name === key)
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
          <Input.Wrapper {...wrapper} label={addColumnText.type} error={shown?.type}>
            <EntityTypePicker
              byLabel
              types={types}
              label={addColumnText.type}
              value={type}
              placeholder={addColumnText.typePlaceholder}
              maxLength={64}
              onChange={setType}
              invalid={shown?.type !== undefined}
            />
          </Input.Wrapper>
          <Input.Wrapper
            {...wrapper}
            label={addColumnText.key}
            error={shown?.key}
            description={shown?.key === undefined && isUnknown && knownKeyText.unknown}
          >
            <PropertyPicker
              byLabel
              data-autofocus
              properties={known}
              label={addColumnText.key}
              value={key}
              placeholder={addColumnText.keyPlaceholder}
              onChange={setKey}
              invalid={shown?.key !== undefined}
            />
          </Input.Wrapper>
        </Stack>
      </form>
    </Dialog>
  )
}
