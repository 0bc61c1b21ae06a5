import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Checkbox, Group, InputBase, Radio, Stack, TextInput } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import * as z from 'zod'

import { subscribableTypes, subscriptionCreate } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { useSubmit } from '../../domain/writing/use-submit.ts'
import type { OwnWords } from '../../domain/failures/describe.ts'
import { eventTypeText, sharedText, webhookFormText, webhookText } from '../../messages/index.ts'
import { atFields } from '../../domain/failures/pointers.ts'
import { InlineFailure, InView } from '../../domain/failures/InlineFailure.tsx'
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
  /** Offers to start paused; for a new webhook only, since an existing one has a pause button. */
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
  const { isDirty, isSubmitting } = form.formState
  const [problem, setProblem] = useState<ApiError>()
  const [saved, setSaved] = useState(false)
  const save = useSubmit(form, async (content) => {
    setProblem(undefined)
    let next: () => void
    try {
      next = await onSave(content)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const [field, message] of atFields(error.errors, formFields).fields)
        form.setError(field, { type: 'service', message })
      setProblem(error)
      return false
    }
    flushSync(() => setSaved(true))
    next()
    return true
  })
  const element = useFocusOnProblem(form)

  return (
    <form ref={element} noValidate onSubmit={save}>
      <Stack gap={20} maw={640}>
        {isDirty && !saved && <Unsaved />}
        {problem && (
          <InView>
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
          </InView>
        )}
        <Texts form={form} />
        <Types form={form} start={start.types} />
        {canStartPaused && (
          <Checkbox
            label={webhookFormText.paused}
            description={webhookFormText.pausedHint}
            {...form.register('paused')}
          />
        )}
        <Group
          justify="flex-end"
          gap="xs"
          pt="md"
          pb="xl"
          style={{ borderTop: '1px solid var(--ds-border)' }}
        >
          <Button variant="default" onClick={onCancel} disabled={isSubmitting}>
            {sharedText.cancel}
          </Button>
          <Button type="submit" loading={isSubmitting}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Moves the focus to the first problem after a submit was refused, here or by the service. */
function useFocusOnProblem({ formState: { submitCount, isSubmitting } }: UseFormReturn<Content>) {
  const element = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (submitCount > 0 && !isSubmitting)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input')?.focus()
  }, [submitCount, isSubmitting])
  return element
}

interface FieldsProps {
  readonly form: UseFormReturn<Content>
}

function Texts({ form: { register, formState } }: FieldsProps) {
  const { errors } = formState
  return (
    <>
      <TextInput
        label={webhookFormText.url}
        description={webhookFormText.urlHint}
        placeholder={webhookFormText.urlPlaceholder}
        {...register('url')}
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
        {...register('description')}
        error={errors.description?.message}
        autoComplete="off"
      />
    </>
  )
}

/** All types of events, or a choice of them. */
function Types({ form, start }: FieldsProps & { readonly start: readonly string[] }) {
  const [all, types] = useWatch({ control: form.control, name: ['all', 'types'] })
  // Chosen types that this console does not know stay on offer.
  const [offered] = useState(() => [...new Set([...subscribableTypes, ...start])])
  const set = <Name extends 'all' | 'types'>(name: Name, value: Content[Name]) => {
    form.clearErrors('types')
    form.setValue<'all' | 'types'>(name, value, { shouldDirty: true })
  }
  return (
    <Stack gap="xs">
      <Radio.Group
        label={webhookFormText.types}
        value={all ? 'all' : 'some'}
        onChange={(chosen) => set('all', chosen === 'all')}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="all" label={webhookFormText.all} description={webhookFormText.allHint} />
          <Radio value="some" label={webhookFormText.some} />
        </Stack>
      </Radio.Group>
      {!all && (
        <Checkbox.Group
          label={webhookFormText.some}
          labelProps={{ className: 'ds-visually-hidden' }}
          value={types}
          onChange={(chosen) =>
            set(
              'types',
              offered.filter((type) => chosen.includes(type)),
            )
          }
          error={form.formState.errors.types?.message}
          errorProps={{ role: 'alert', mt: 'xs' }}
        >
          <div className={classes.types}>
            {offered.map((type) => {
              const code = <span className="ds-mono">{type}</span>
              const name = eventTypeText(type)
              return <Checkbox key={type} value={type} label={name ?? code} description={name && code} />
            })}
          </div>
        </Checkbox.Group>
      )}
    </Stack>
  )
}
