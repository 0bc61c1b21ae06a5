import { TextInput } from '@mantine/core'
import { type ComponentType, type ReactNode, use, useMemo, useState } from 'react'
import { type Control, Controller, type FieldErrors, type UseFormReturn, useWatch } from 'react-hook-form'
import * as z from 'zod'

import { findHidden, newRef, userFieldRules, zonelessDatetime } from '#contract/index.ts'
import { isMoment } from '#contract/reading/moments.ts'
import type { ApiError } from '../../api/index.ts'
import { userEditText } from '../../messages/index.ts'
import { momentInFull } from '../../ui/moments.tsx'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { MomentInput } from '../values/moment-fields.tsx'
import {
  FormFrame,
  type FormFrameProps,
  type ServiceFormOptions,
  useServiceForm,
} from '../writing/service-form.tsx'
import { NotSaved } from './NotSaved.tsx'
import { toSent, fieldNames, type UserFieldName, type UserValues } from './user-fields.ts'
import classes from './UserForm.module.css'

interface UserFormProps {
  /** Initial values of the fields. Later changes don't overwrite text that is being typed. */
  readonly initial: UserValues
  readonly onSave: ServiceFormOptions<UserValues>['onSave']
  readonly onCancel: () => void
  readonly submit: (changes: number) => string
  /** Component for a failure that belongs to no field; by default, the message shared by all writes. */
  readonly Failure?: ComponentType<{ readonly error: ApiError; readonly values: UserValues }>
  /** Content above the fields. */
  readonly children?: ReactNode
  /** Content between the fields and the buttons. */
  readonly more?: ReactNode
  /** Component below the e-mail and ref fields, given the typed value. */
  readonly Below?: ComponentType<{ readonly name: UserFieldName; readonly value: string }> | undefined
  readonly staysAt?: FormFrameProps<UserValues>['staysAt']
  /** `column`: to create a user. `row`: to edit one, so that something has to change. */
  readonly layout: 'column' | 'row'
  /** Only field that is edited; undefined for all of them. */
  readonly only?: UserFieldName | undefined
}

export function UserForm(props: UserFormProps) {
  const { onSave, onCancel, submit, children, staysAt, layout, only, more, Below } = props
  const { Failure = NotSaved } = props
  const [initial] = useState(props.initial)
  const schema = useMemo(() => userFields(initial), [initial])
  const state = useServiceForm<UserValues>({ schema, initial, fields: fieldNames, onSave })
  const { form, changed } = state
  return (
    <FormFrame
      form={state}
      layout={layout}
      submit={submit(changed.length)}
      needsChange={layout === 'row' && only === undefined}
      staysAt={staysAt}
      onCancel={onCancel}
      renderProblem={({ error, values }) => <Failure error={error} values={values} />}
      above={children}
    >
      <UserFormFields form={form} errors={form.formState.errors} {...{ layout, only, Below }} />
      {more}
    </FormFrame>
  )
}

interface UserFormFieldsProps extends Pick<UserFormProps, 'layout' | 'only' | 'Below'> {
  readonly form: UseFormReturn<UserValues>
  readonly errors: FieldErrors<UserValues>
}

function UserFormFields({ form, errors, layout, only, Below }: UserFormFieldsProps) {
  const { service: zone } = use(ZonesContext)
  const isColumn = layout === 'column'
  const has = (name: UserFieldName) => only === undefined || only === name
  const input = (name: UserFieldName) => ({
    ...form.register(name),
    error: errors[name]?.message,
    // In a row it takes the place of the button that was pressed.
    autoFocus: !isColumn && name === (only ?? 'name'),
    spellCheck: false,
  })
  return (
    <div className={classes.fields} data-layout={layout}>
      {has('name') && <TextInput label={userEditText.fields.name} {...input('name')} />}
      {has('email') && (
        <div>
          <TextInput label={userEditText.fields.email} {...input('email')} inputMode="email" />
          {Below && <FieldNote control={form.control} name="email" Below={Below} />}
        </div>
      )}
      {has('ref') && (
        <div>
          <TextInput
            label={userEditText.fields.ref}
            {...input('ref')}
            description={isColumn && userEditText.fields.refHint}
          />
          {Below && <FieldNote control={form.control} name="ref" Below={Below} />}
        </div>
      )}
      {has('since') && (
        <Controller
          name="since"
          control={form.control}
          render={({ field: { value, onChange, ...field } }) => (
            <MomentInput
              {...field}
              label={userEditText.fields.since({ zone })}
              value={value.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T')}
              onChange={(next) => onChange(isMoment(next) ? next.replace('T', ' ') : next)}
              error={errors.since?.message}
              {...(only === 'since' && { autoFocus: true })}
              spellCheck={false}
              description={isColumn && userEditText.fields.sinceHint}
            />
          )}
        />
      )}
    </div>
  )
}

interface FieldNoteProps {
  readonly Below: NonNullable<UserFormProps['Below']>
  readonly control: Control<UserValues>
  readonly name: UserFieldName
}

/** A separate component, so that typing re-renders only the note and not the whole form. */
function FieldNote({ control, name, Below }: FieldNoteProps) {
  return <Below name={name} value={useWatch({ control, name })} />
}

const sinceInvalid = userEditText.fields.sinceInvalid({ example: momentInFull('2024-03-01T09:30:00') })

/** Returns the schema of the form: the contract's rules, but a value that was not edited is always valid. */
export function userFields(initial: UserValues) {
  const field = (name: UserFieldName, rule: z.ZodType, message?: string) =>
    z.string().check((context) => {
      if (context.value === initial[name]) return
      const given = toSent(name, context.value)
      const result = rule.safeParse(given)
      if (!result.success)
        context.issues.push({
          code: 'custom',
          input: context.value,
          message: findHidden(given) ?? message ?? result.error.issues[0]?.message ?? '',
        })
    })
  const { name, email } = userFieldRules
  return z.object({
    name: field('name', name),
    email: field('email', email, userEditText.fields.emailInvalid),
    ref: field('ref', newRef),
    since: field(
      'since',
      initial.since === '' ? zonelessDatetime.or(z.literal('')) : zonelessDatetime,
      sinceInvalid,
    ),
  })
}
