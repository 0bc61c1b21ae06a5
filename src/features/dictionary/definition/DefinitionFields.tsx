import { Button, Checkbox, Group, Input, InputBase, NativeSelect, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Controller, useFieldArray, type UseFormReturn, useWatch } from 'react-hook-form'

import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { definitionText, language } from '../../../messages/index.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import {
  type DefinitionContent,
  hasChoices,
  hasUnit,
  offeredBases,
  offeredIcons,
  offeredTypes,
} from './content.ts'
import { basisName, iconName, readDuration } from './show-field.ts'

const { fields, hints, notSet, choice: choiceText } = definitionText

interface FieldsProps {
  readonly form: UseFormReturn<DefinitionContent>
  readonly start: DefinitionContent
  /** Label that stands where nobody wrote one. */
  readonly inferredLabel: string
}

const languageNames = new Intl.DisplayNames(language, { type: 'language' })

export function TypeFields({ form, start, inferredLabel }: FieldsProps) {
  const { register, formState } = form
  const { errors } = formState
  return (
    <>
      <TextsFields form={form} start={start} name="label" placeholder={inferredLabel} />
      <TextsFields form={form} start={start} name="plural" />
      <TextsFields form={form} start={start} name="description" />
      <NativeSelect
        label={fields.icon}
        description={hints.icon}
        error={errors.icon?.message}
        {...register('icon')}
      >
        <option value="">{notSet}</option>
        {offeredIcons(start.icon).map((each) => (
          <option key={each} value={each}>
            {iconName(each)}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        label={fields.title}
        description={hints.title}
        placeholder="{brand} {plate}"
        error={errors.title?.message}
        {...register('title')}
      />
    </>
  )
}

export function PropertyFields({ form, start, inferredLabel }: FieldsProps) {
  const { register, formState, control } = form
  const { errors } = formState
  const type = useWatch({ control, name: 'type' })
  return (
    <>
      <TextsFields form={form} start={start} name="label" placeholder={inferredLabel} />
      <TextsFields form={form} start={start} name="description" />
      <NativeSelect label={fields.type} error={errors.type?.message} {...register('type')}>
        <option value="">{notSet}</option>
        {offeredTypes(start.type).map((each) => (
          <option key={each} value={each}>
            {dataTypeName(each)}
          </option>
        ))}
      </NativeSelect>
      {hasUnit(type) && (
        <TextInput
          label={fields.unit}
          description={hints.unit}
          error={errors.unit?.message}
          {...register('unit')}
        />
      )}
      {hasChoices(type) && <ChoicesField form={form} />}
      <NativeSelect label={fields.sensitive} error={errors.sensitive?.message} {...register('sensitive')}>
        <option value="">{notSet}</option>
        <option value="true">{definitionText.sensitive.true}</option>
        <option value="false">{definitionText.sensitive.false}</option>
      </NativeSelect>
      <TextInput
        label={fields.group}
        description={hints.group}
        error={errors.group?.message}
        {...register('group')}
      />
      <TextInput
        label={fields.order}
        description={hints.order}
        inputMode="numeric"
        error={errors.order?.message}
        {...register('order')}
      />
      <Checkbox label={fields.keyFact} description={hints.keyFact} {...register('keyFact')} />
      <TextInput label={fields.purpose} error={errors.purpose?.message} {...register('purpose')} />
      <NativeSelect label={fields.basis} error={errors.basis?.message} {...register('basis')}>
        <option value="">{notSet}</option>
        {offeredBases(start.basis).map((each) => (
          <option key={each} value={each}>
            {basisName(each)}
          </option>
        ))}
      </NativeSelect>
      <TextInput label={fields.recipients} error={errors.recipients?.message} {...register('recipients')} />
      <Controller
        control={control}
        name="keptFor"
        render={({ field, fieldState }) => <KeptForField {...field} error={fieldState.error?.message} />}
      />
    </>
  )
}

interface TextsProps extends Pick<FieldsProps, 'form' | 'start'> {
  readonly name: 'label' | 'plural' | 'description'
  readonly placeholder?: string
}

/** Field for the console's language, and for each other one that is written already. */
function TextsFields({ form, start, name, placeholder }: TextsProps) {
  const languages = Object.keys(start[name])
  return languages.map((each, at) => {
    const path = `${name}.${each}` as const
    const own: unknown = form.getFieldState(path, form.formState).error?.message
    // The service may refuse the texts as a whole.
    const ofAll: unknown = form.getFieldState(name, form.formState).error?.message
    const error = typeof own === 'string' ? own : at === 0 && typeof ofAll === 'string' ? ofAll : undefined
    const props = {
      label:
        languages.length === 1
          ? fields[name]
          : definitionText.inLanguage({ field: fields[name], language: languageNames.of(each) ?? each }),
      placeholder,
      error,
      ...form.register(path),
    }
    return name !== 'description' ? (
      <TextInput key={each} {...props} />
    ) : (
      // Mantine's Textarea would also bundle its autosize code.
      <InputBase key={each} component="textarea" multiline rows={2} {...props} />
    )
  })
}

function ChoicesField({ form }: Pick<FieldsProps, 'form'>) {
  const { register, formState, control } = form
  const { fields: rows, append, remove } = useFieldArray({ control, name: 'choices' })
  const errors = formState.errors.choices
  return (
    <Input.Wrapper component="fieldset" p={0} m={0} style={{ border: 0, minWidth: 0 }}>
      <Input.Label component="legend" p={0}>
        {fields.choices}
      </Input.Label>
      <Stack gap="xs" align="start">
        {rows.map(({ id }, at) => (
          <Group key={id} gap="xs" wrap="nowrap" align="start" w="100%">
            <TextInput
              flex={1}
              aria-label={choiceText.value({ place: at + 1 })}
              placeholder={choiceText.valueHint}
              error={errors?.[at]?.value?.message}
              {...register(`choices.${at}.value`)}
            />
            <TextInput
              flex={1}
              aria-label={choiceText.label({ place: at + 1 })}
              placeholder={choiceText.labelHint}
              error={errors?.[at]?.label?.message}
              {...register(`choices.${at}.label`, {
                // A choice whose label is removed as well is none, so that its value is no longer missing.
                onChange: () => errors?.[at]?.value && void form.trigger(`choices.${at}.value`),
              })}
            />
            <IconButton
              size="large"
              aria-label={choiceText.remove({ place: at + 1 })}
              onClick={() => remove(at)}
            >
              <IconX size={16} />
            </IconButton>
          </Group>
        ))}
        {(errors?.message ?? errors?.root?.message) !== undefined && (
          <Input.Error data-issue tabIndex={-1}>
            {errors?.message ?? errors?.root?.message}
          </Input.Error>
        )}
        <Button
          variant="default"
          size="compact-sm"
          // Keeps the focus: a complaint at its loss would move the button away before it is clicked.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => append({ value: '', label: '', labels: {} })}
        >
          {choiceText.add}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}

interface KeptForProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly error: string | undefined
}

type TimeUnit = keyof typeof definitionText.unitsOfTime

/** Amount and unit of a duration. One in several units, as an integration may write it, is edited as it is. */
function KeptForField({ value, onChange, onBlur, error }: KeptForProps) {
  const read = readDuration(value)
  const [chosen, setChosen] = useState<TimeUnit>(read?.unit ?? 'Y')
  const [isOneUnit] = useState(value === '' || read !== undefined)
  const props = { label: fields.keptFor, error, onBlur }
  if (!isOneUnit)
    return <TextInput {...props} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  const amount = value.slice(1, -1)
  const put = (text: string, unit: TimeUnit) => onChange(text === '' ? '' : `P${text}${unit}`)
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <TextInput
        {...props}
        flex={1}
        inputMode="numeric"
        value={amount}
        onChange={(event) => put(event.currentTarget.value.trim(), chosen)}
      />
      <NativeSelect
        aria-label={definitionText.timeUnit}
        value={chosen}
        onChange={(event) => {
          const unit = event.currentTarget.value as TimeUnit
          setChosen(unit)
          put(amount, unit)
        }}
      >
        {Object.entries(definitionText.unitsOfTime).map(([unit, name]) => (
          <option key={unit} value={unit}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </Group>
  )
}
