import { Box, Checkbox, InputBase, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import * as z from 'zod'

import { subscribableTypes, subscriptionCreate } from '#contract/index.ts'
import { eventTypeName } from '../../domain/event-type-name.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { FormFrame, useServiceForm } from '../../domain/writing/service-form.tsx'
import { webhookFormText, webhookText } from '../../messages/index.ts'

const { url, description } = subscriptionCreate.shape
const subscriptionSchema = z
  .object({
    url: z.string().trim().min(1, webhookFormText.urlMissing).pipe(url),
    description: description.unwrap(),
    all: z.boolean(),
    types: z.array(z.string()),
    paused: z.boolean(),
  })
  .refine(({ all, types }) => all || types.length > 0, { path: ['types'], message: webhookFormText.noType })

const formFields = ['url', 'description', 'types'] as const

export type SubscriptionContent = z.infer<typeof subscriptionSchema>

export interface SubscriptionFormProps {
  readonly start: SubscriptionContent
  readonly words: Pick<typeof webhookFormText.create, 'submit' | 'failed' | 'lost'>
  /** Whether to offer a paused start. Only for new webhooks, because an existing one has a pause button. */
  readonly canStartPaused?: boolean
  /** Saves the webhook. Returns the next step, once leaving the page no longer asks for confirmation. */
  readonly onSave: (content: SubscriptionContent) => Promise<() => void>
  readonly onCancel: () => void
}

export function SubscriptionForm(props: SubscriptionFormProps) {
  const { start, words, canStartPaused = false, onSave, onCancel } = props
  const state = useServiceForm({ schema: subscriptionSchema, initial: start, fields: formFields, onSave })
  const { form } = state
  return (
    <FormFrame
      form={state}
      layout="column"
      submit={words.submit}
      onCancel={onCancel}
      renderProblem={({ error, rest }) => (
        <InlineFailure
          title={words.failed}
          error={error}
          own={{ lost: words.lost, missing: webhookText.failures.missing, rest, kept: webhookFormText.kept }}
        />
      )}
    >
      <TextFields form={form} />
      <TypesField form={form} start={start.types} />
      {canStartPaused && (
        <Checkbox
          label={webhookFormText.paused}
          description={webhookFormText.pausedHint}
          {...form.register('paused')}
        />
      )}
    </FormFrame>
  )
}

interface SubscriptionFieldsProps {
  readonly form: UseFormReturn<SubscriptionContent>
}

function TextFields({ form: { register, formState } }: SubscriptionFieldsProps) {
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
        autoCapitalize="off"
        spellCheck={false}
      />
      {/* Mantine's Textarea would also bundle its autosize code. */}
      <InputBase
        component="textarea"
        multiline
        label={webhookFormText.description}
        description={webhookFormText.descriptionHint}
        rows={2}
        {...register('description')}
        error={errors.description?.message}
      />
    </>
  )
}

function TypesField({ form, start }: SubscriptionFieldsProps & { readonly start: readonly string[] }) {
  const [all, types] = useWatch({ control: form.control, name: ['all', 'types'] })
  // Selected types that this console does not know remain available.
  const [offered] = useState(() => [...new Set([...subscribableTypes, ...start])])
  const set = <Name extends 'all' | 'types'>(name: Name, value: SubscriptionContent[Name]) => {
    form.clearErrors('types')
    form.setValue<'all' | 'types'>(name, value, { shouldDirty: true })
  }
  return (
    <Stack gap="xs">
      <Radio.Group
        label={webhookFormText.types}
        value={all ? 'all' : 'some'}
        onChange={(chosen) => set('all', chosen === 'all')}
        error={all && form.formState.errors.types?.message}
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
          <Box
            ms="xs"
            p="4px 0 4px 20px"
            style={{
              display: 'grid',
              gridTemplateColumns: 'repeat(auto-fill, minmax(min(240px, 100%), 1fr))',
              gap: '12px 20px',
              borderInlineStart: '1px solid var(--ds-border)',
            }}
          >
            {offered.map((type) => {
              const code = <span className="ds-mono">{type}</span>
              const name = eventTypeName(type)
              return <Checkbox key={type} value={type} label={name ?? code} description={name && code} />
            })}
          </Box>
        </Checkbox.Group>
      )}
    </Stack>
  )
}
