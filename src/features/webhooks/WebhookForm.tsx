import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Radio.layer.css'

import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Checkbox, InputBase, Radio, TextInput } from '@mantine/core'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod'

import { subscribableTypes, subscriptionCreate } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import type { OwnWords } from '../../domain/failures/describe.ts'
import { eventTypeText, sharedText, webhookFormText, webhookText } from '../../messages/index.ts'
import { atFields } from '../../domain/failures/pointers.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import classes from './WebhookForm.module.css'

const { url, description } = subscriptionCreate.shape
const schema = z
  .object({
    url: z.string().trim().min(1, webhookFormText.urlMissing).pipe(url),
    description: description.unwrap(),
    all: z.boolean(),
    types: z.array(z.string()),
    paused: z.boolean(),
  })
  .refine(({ all, types }) => all || types.length > 0, { path: ['types'], message: webhookFormText.noType })

const formFields = ['url', 'description', 'types'] as const

export type Content = z.infer<typeof schema>

export interface WebhookFormProps {
  readonly start: Content
  readonly submit: string
  readonly failure: { readonly failed: string; readonly lost: OwnWords['lost'] & object }
  /** Of a new one only: later there is a button of its own. */
  readonly canStartPaused?: boolean
  /** Sends it, and answers what comes next: that is done once leaving no longer asks. */
  readonly onSave: (content: Content) => Promise<() => void>
  readonly onCancel: () => void
}

/** A webhook as it is written. Whatever goes wrong, what was typed stays. */
export function WebhookForm(props: WebhookFormProps) {
  const { start, submit, failure, canStartPaused = false, onSave, onCancel } = props
  const form = useForm<Content>({
    defaultValues: start,
    resolver: zodResolver(schema),
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, isDirty, isSubmitting, submitCount } = form.formState
  const [all, types] = useWatch({ control: form.control, name: ['all', 'types'] })
  const group = useId()
  const [problem, setProblem] = useState<ApiError>()
  const [saved, setSaved] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  // What this console does not know stays where it was chosen.
  const [offered] = useState(() => [
    ...subscribableTypes,
    ...start.types.filter((type) => !subscribableTypes.some((known) => known === type)),
  ])

  // After a try that was refused, here or by the service: on to the first thing that is wrong.
  useLayoutEffect(() => {
    if (submitCount > 0 && !isSubmitting)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem] input')?.focus()
  }, [submitCount, isSubmitting])

  const save = form.handleSubmit(async (content) => {
    setProblem(undefined)
    let next: () => void
    try {
      next = await onSave(content)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const [field, message] of atFields(error.errors, formFields).fields)
        form.setError(field, { type: 'service', message })
      setProblem(error)
      return
    }
    flushSync(() => setSaved(true))
    next()
  })

  const typesWrong = all ? undefined : errors.types?.message
  const chooseAll = (isAll: boolean) => {
    form.clearErrors('types')
    form.setValue('all', isAll, { shouldDirty: true })
  }
  const chooseTypes = (chosen: string[]) => {
    form.clearErrors('types')
    form.setValue('types', chosen, { shouldDirty: true })
  }
  return (
    <form ref={element} noValidate className={classes.form} onSubmit={(event) => void save(event)}>
      {isDirty && !saved && <Unsaved />}
      {problem && (
        <InlineFailure
          title={failure.failed}
          error={problem}
          own={{
            lost: failure.lost,
            missing: webhookText.failures.missing,
            rest: atFields(problem.errors, formFields).rest,
            kept: webhookFormText.kept,
          }}
        />
      )}
      <TextInput
        label={webhookFormText.url}
        description={webhookFormText.urlHint}
        placeholder={webhookFormText.urlPlaceholder}
        {...form.register('url')}
        error={errors.url?.message}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {/* Textarea would bring its growing along. */}
      <InputBase
        component="textarea"
        multiline
        label={webhookFormText.description}
        description={webhookFormText.descriptionHint}
        rows={2}
        {...form.register('description')}
        error={errors.description?.message}
        autoComplete="off"
      />
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{webhookFormText.types}</legend>
        <Radio
          label={webhookFormText.all}
          description={webhookFormText.allHint}
          name={group}
          checked={all}
          onChange={() => chooseAll(true)}
        />
        <Radio label={webhookFormText.some} name={group} checked={!all} onChange={() => chooseAll(false)} />
        {!all && (
          <fieldset className={classes.types} data-problem={typesWrong !== undefined || undefined}>
            <legend className="ds-visually-hidden">{webhookFormText.some}</legend>
            {offered.map((type) => (
              <Checkbox
                key={type}
                label={eventTypeText(type) ?? <span className="ds-mono">{type}</span>}
                description={eventTypeText(type) !== undefined && <span className="ds-mono">{type}</span>}
                checked={types.includes(type)}
                onChange={(event) =>
                  chooseTypes(
                    event.currentTarget.checked
                      ? offered.filter((each) => each === type || types.includes(each))
                      : types.filter((each) => each !== type),
                  )
                }
              />
            ))}
          </fieldset>
        )}
        {typesWrong !== undefined && (
          <p role="alert" className={classes.wrong}>
            {typesWrong}
          </p>
        )}
      </fieldset>
      {canStartPaused && (
        <Checkbox
          label={webhookFormText.paused}
          description={webhookFormText.pausedHint}
          {...form.register('paused')}
        />
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel} disabled={isSubmitting}>
          {sharedText.cancel}
        </Button>
        <Button type="submit" loading={isSubmitting}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
