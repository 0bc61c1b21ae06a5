import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type ComponentType, type ReactNode, use, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type Control,
  Controller,
  type FieldErrors,
  useForm,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import * as z from 'zod'

import { hiddenIn, newRef, userPatch, zonelessDatetime } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { sharedText, userEditText } from '../../messages/index.ts'
import { atFields } from '../failures/pointers.ts'
import { InView } from '../failures/InlineFailure.tsx'
import { NotSaved } from './NotSaved.tsx'
import { hint } from '../../ui/Hint.tsx'
import { isMoment, momentInFull } from '../../ui/moments.tsx'
import { pressBySaveKey } from '../../ui/save-key.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { MomentInput } from '../values/MomentInput.tsx'
import { Unsaved, type UnsavedProps } from '../writing/unsaved.tsx'
import { useSubmit } from '../writing/use-submit.ts'
import { asSent, fieldNames, type UserField, type UserValues } from './user-fields.ts'
import classes from './UserForm.module.css'

export interface UserFormProps {
  /** Initial values of the fields; later changes do not reach text that is being typed. */
  readonly initial: UserValues
  /**
   * Sends it, and answers what comes next: that is done once leaving no longer asks. A rejection with an `ApiError` is
   * told at its fields, and otherwise above the form. `undefined`: not saved after all, and it stays as it is.
   * `'stays'`: nothing is left to lose, and the form is there for another try.
   */
  readonly onSave: (values: UserValues, changed: readonly UserField[]) => Promise<Next>
  readonly onCancel: () => void
  readonly submit: (changes: number) => string
  /** Whether the submit button is disabled until something has changed. */
  readonly needsChange: boolean
  /** A failure that belongs to no field; else what is said of any write. */
  readonly Failure?: ComponentType<{ readonly error: ApiError; readonly values: UserValues }>
  /** Above the fields. */
  readonly children?: ReactNode
  /** Between the fields and the buttons. */
  readonly more?: ReactNode
  /** Below the e-mail and the ref, with what is typed there. */
  readonly Below?: ComponentType<{ readonly name: UserField; readonly value: string }>
  readonly staysAt?: UnsavedProps['staysAt']
  readonly layout: 'column' | 'row'
}

type Next = (() => void) | 'stays' | undefined

/** The fields of a user, for creating and editing alike. Whatever goes wrong, what was typed stays. */
export function UserForm(props: UserFormProps) {
  const { initial, onSave, onCancel, submit, needsChange, children, staysAt, layout, more, Below } = props
  const { Failure = NotSaved } = props
  const [begun] = useState(initial)
  const [problem, setProblem] = useState<{ error: ApiError; values: UserValues }>()
  const resolver = useMemo(() => zodResolver(userFields(begun)), [begun])
  const form = useForm<UserValues>({ defaultValues: begun, resolver, mode: 'onTouched' })
  const { errors, dirtyFields, isDirty, isSubmitting } = form.formState
  const changed = fieldNames.filter((field) => dirtyFields[field] === true)

  const save = useSubmit(form, async (values) => {
    setProblem(undefined)
    let next: Next
    try {
      next = await onSave(values, changed)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { fields, rest } = atFields(error.errors, fieldNames)
      for (const [index, [field, message]] of [...fields].entries())
        form.setError(field, { type: 'service', message }, { shouldFocus: index === 0 })
      if (fields.size === 0 || rest.length > 0) setProblem({ error, values })
      return false
    }
    if (!next) return false
    // Saved is not dirty: the guard has to be gone before anything navigates.
    flushSync(() => form.reset(values))
    if (next === 'stays') return false
    next()
    return true
  })

  const isColumn = layout === 'column'
  const narrow = isColumn && { maw: 480 }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button within does the same
    <form noValidate onSubmit={save} onKeyDown={pressBySaveKey}>
      <Stack gap={16}>
        {isDirty && <Unsaved staysAt={staysAt} />}
        <Stack gap={16} {...narrow}>
          {children}
          {problem && (
            <InView>
              <Failure {...problem} />
            </InView>
          )}
          <Fields form={form} errors={errors} layout={layout} Below={Below} />
        </Stack>
        {more !== undefined && <div>{more}</div>}
        <Group justify="flex-end" gap="xs" {...narrow} {...(isColumn && { pt: 8, pb: 24 })}>
          <Button variant="default" onClick={onCancel} disabled={isSubmitting}>
            {sharedText.cancel}
          </Button>
          <Button
            type="submit"
            loading={isSubmitting}
            disabled={needsChange && changed.length === 0}
            {...hint(undefined, 'Mod+S')}
          >
            {submit(changed.length)}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface FieldsProps {
  readonly form: UseFormReturn<UserValues>
  readonly errors: FieldErrors<UserValues>
  readonly layout: UserFormProps['layout']
  readonly Below: UserFormProps['Below'] | undefined
}

function Fields({ form, errors, layout, Below }: FieldsProps) {
  const { service: zone } = use(ZonesContext)
  const isColumn = layout === 'column'
  const input = (name: UserField) => ({
    ...form.register(name),
    error: errors[name]?.message,
    // Browsers keep what is typed into named fields, and offer it to the next person.
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <div className={classes.fields} data-layout={layout}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a row it takes the place of the button that was pressed */}
      <TextInput label={userEditText.fields.name} {...input('name')} autoFocus={!isColumn} />
      <div>
        <TextInput label={userEditText.fields.email} {...input('email')} inputMode="email" />
        {Below && <Watched control={form.control} name="email" Below={Below} />}
      </div>
      <div>
        <TextInput
          label={userEditText.fields.ref}
          {...input('ref')}
          description={isColumn && userEditText.fields.refHint}
        />
        {Below && <Watched control={form.control} name="ref" Below={Below} />}
      </div>
      <Controller
        name="since"
        control={form.control}
        render={({ field: { value, onChange, ...field } }) => (
          <MomentInput
            {...field}
            label={userEditText.fields.since(zone)}
            value={value.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T')}
            onChange={(next) => onChange(isMoment(next) ? next.replace('T', ' ') : next)}
            error={errors.since?.message}
            spellCheck={false}
            description={isColumn && userEditText.fields.sinceHint}
          />
        )}
      />
    </div>
  )
}

interface WatchedProps extends Required<Pick<UserFormProps, 'Below'>> {
  readonly control: Control<UserValues>
  readonly name: UserField
}

/** Apart, so that a letter typed draws this anew and not the form. */
function Watched({ control, name, Below }: WatchedProps) {
  return <Below name={name} value={useWatch({ control, name })} />
}

const sinceInvalid = userEditText.fields.sinceInvalid(momentInFull('2024-03-01T09:30:00'))

/**
 * The contract's rules, for what was typed; a value that came from the service and was left alone is never an error.
 * @param initial What the form began with.
 */
export function userFields(initial: UserValues) {
  const field = (name: UserField, rule: z.ZodType, message?: string) =>
    z.string().check((context) => {
      if (context.value === initial[name]) return
      const given = asSent(name, context.value)
      const result = rule.safeParse(given)
      if (!result.success)
        context.issues.push({
          code: 'custom',
          input: context.value,
          message: hiddenIn(given) ?? message ?? result.error.issues[0]?.message ?? '',
        })
    })
  const { name, email } = userPatch.shape
  return z.object({
    name: field('name', name),
    email: field('email', email, userEditText.fields.emailInvalid),
    ref: field('ref', newRef),
    since:
      initial.since === ''
        ? field('since', z.union([z.literal(''), zonelessDatetime]), sinceInvalid)
        : field('since', zonelessDatetime, sinceInvalid),
  })
}
