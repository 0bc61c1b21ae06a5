import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Group } from '@mantine/core'
import { type FormEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type DefaultValues, type FieldValues, type Path, useForm, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'

import { ApiError } from '../../api/index.ts'
import { sharedText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { pressBySaveKey } from '../../ui/keys/shortcut.ts'
import { InView } from '../failures/InlineFailure.tsx'
import { assignToFields } from '../failures/pointers.ts'
import { Unsaved, type UnsavedProps } from './unsaved.tsx'
import { useSubmitLock } from './use-submit-lock.ts'
import classes from './service-form.module.css'

/** Next step after a save. `'stays'`: the form stays open for another save; undefined: nothing was saved. */
export type NextStep = (() => void) | 'stays' | undefined

export interface ServiceFormOptions<Values extends FieldValues> {
  /** Validates the typed values. A new schema takes effect immediately. */
  readonly schema: z.ZodType<Values, Values>
  /** Initial values. Later changes don't overwrite text that is being typed. */
  readonly initial: Values
  /** Fields that the service's error pointers may refer to. */
  readonly fields: readonly (Path<Values> & keyof Values & string)[]
  /** Whether anything outside the fields has changed, such as a filter. */
  readonly isChanged?: boolean
  /**
   * Sends the form and returns the next step, which runs once the leave guard is released. A thrown `ApiError` is
   * shown at the fields that it points to, and otherwise above the form.
   */
  readonly onSave: (values: Values, changed: readonly (keyof Values & string)[]) => Promise<NextStep>
}

/** Error of the last save that no field shows. */
export interface FormProblem<Values> {
  readonly error: ApiError
  readonly values: Values
  /** Error details that no field shows. */
  readonly rest: readonly string[]
}

export interface ServiceForm<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>
  readonly changed: readonly (keyof Values & string)[]
  readonly problem: FormProblem<Values> | undefined
  readonly isUnsaved: boolean
  readonly save: (event: FormEvent) => void
}

/** State of a form whose values are saved by one request. Typed input survives every failure. */
export function useServiceForm<Values extends FieldValues>(
  options: ServiceFormOptions<Values>,
): ServiceForm<Values> {
  const { schema, fields, isChanged = false, onSave } = options
  const [initial] = useState(options.initial)
  const resolver = useMemo(() => zodResolver(schema), [schema])
  const form = useForm<Values>({
    defaultValues: initial as DefaultValues<Values>,
    resolver,
    mode: 'onTouched',
    // FormFrame moves the focus, since the first error may be outside the fields.
    shouldFocusError: false,
  })
  const { dirtyFields, isDirty } = form.formState
  const [problem, setProblem] = useState<FormProblem<Values>>()
  const [isSaved, setSaved] = useState(false)
  const lock = useSubmitLock()
  const changed = Object.keys(initial).filter((name) =>
    Boolean(dirtyFields[name as keyof typeof dirtyFields]),
  )

  /** Returns whether the form is done. A finished form is not sent again, even while it is still on screen. */
  const send = async (values: Values): Promise<boolean> => {
    setProblem(undefined)
    let next: NextStep
    try {
      next = await onSave(values, changed)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { fields: refused, rest } = assignToFields(error.errors, fields)
      for (const [field, message] of refused) form.setError(field, { type: 'service', message })
      if (refused.size === 0 || rest.length > 0) setProblem({ error, values, rest })
      return false
    }
    if (!next) return false
    // Saved values are safe to leave: the leave guard must be released before any navigation.
    flushSync(() => {
      form.reset(values)
      setSaved(next !== 'stays')
    })
    if (next === 'stays') return false
    next()
    return true
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    lock((free) => {
      let isDone = false
      const submit = form.handleSubmit(async (values) => {
        isDone = await send(values)
      })
      void submit(event).finally(() => {
        if (!isDone) free()
      })
    })
  }
  return { form, changed, problem, isUnsaved: (isDirty || isChanged) && !isSaved, save }
}

export interface FormFrameProps<Values extends FieldValues> {
  readonly form: ServiceForm<Values>
  /** Renders an error above the fields. */
  readonly renderProblem: (problem: FormProblem<Values>) => ReactNode
  readonly submit: string
  readonly onCancel: () => void
  /** Whether the submit button is disabled until something has changed. */
  readonly needsChange?: boolean
  /** Paths at which the edit stays mounted. */
  readonly staysAt?: UnsavedProps['staysAt']
  /** `column`: stacked fields, with a line above the buttons. `row`: an inline edit in place of the edited content. */
  readonly layout: 'column' | 'row'
  /** Content beside the fields, if the window is wide enough. */
  readonly aside?: ReactNode
  /** Content above the error. */
  readonly above?: ReactNode
  readonly children: ReactNode
}

/** Renders error and buttons of a `useServiceForm`, guards against leaving, and manages the focus. */
export function FormFrame<Values extends FieldValues>(props: FormFrameProps<Values>) {
  const { form: state, renderProblem, submit, onCancel, needsChange = false, staysAt } = props
  const { form, changed, problem, isUnsaved, save } = state
  const { isSubmitting, submitCount } = form.formState
  const element = useRef<HTMLFormElement>(null)

  // After a failed save, whether rejected here or by the service, the focus moves to the first error.
  useLayoutEffect(() => {
    if (submitCount > 0 && !isSubmitting)
      element.current
        ?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input, [data-issue]')
        ?.focus()
  }, [submitCount, isSubmitting])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button within does the same
    <form
      ref={element}
      noValidate
      className={classes.form}
      data-layout={props.aside === undefined ? props.layout : 'beside'}
      onSubmit={save}
      onKeyDown={pressBySaveKey}
    >
      {isUnsaved && <Unsaved staysAt={staysAt} />}
      <div className={classes.fields}>
        {props.above}
        {problem && <InView>{renderProblem(problem)}</InView>}
        {props.children}
      </div>
      {props.aside}
      <Group justify="flex-end" gap="xs" className={classes.buttons ?? ''}>
        <Button variant="default" onClick={onCancel} disabled={isSubmitting}>
          {sharedText.cancel}
        </Button>
        <Button
          type="submit"
          loading={isSubmitting}
          disabled={needsChange && changed.length === 0}
          {...hint(undefined, 'Mod+S')}
        >
          {submit}
        </Button>
      </Group>
    </form>
  )
}
