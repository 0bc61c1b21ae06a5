import { Button, Checkbox, Fieldset, Group, Input, NativeSelect, Stack, Text } from '@mantine/core'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router'

import { type DataType, dataTypes, type KnownKey } from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { keyedWrites } from '../../api/keyed-writes.ts'
import { useDenied } from '../../auth/use-session.ts'
import { EntityTypePicker, PropertyPicker } from '../../domain/definitions/Picker.tsx'
import { useEntityTypes } from '../../domain/definitions/use-definitions.ts'
import { InlineFailure, InView } from '../../domain/failures/InlineFailure.tsx'
import { KnownKeyNote } from '../../domain/filter-builder/KnownKeyNote.tsx'
import { jobOrigins } from '../../domain/jobs/origin.ts'
import { KnownNote, useSensitivity } from '../../domain/known-properties/sensitivity.tsx'
import { useKnownProperties, useReadKnown } from '../../domain/known-properties/use-known-properties.ts'
import { typeLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ValueInput } from '../../domain/values/ValueInput.tsx'
import { useReason, ReasonField } from '../../domain/writing/reason.tsx'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { batchText } from '../../messages/index.ts'
import { pressBySaveKey } from '../../ui/keys/shortcut.ts'
import {
  type BatchPartProps,
  changeKey,
  changeType,
  checkForm,
  emptyBatch,
  isSensitive,
  takeKnownKey,
  toSet,
} from './form-state.ts'
import { type BatchTarget, createBatch, rememberedForms } from './queries.ts'
import classes from './BatchForm.module.css'

const { form: batchFormText, failures } = batchText

/** Returns the form as it was when its job was begun; undefined if it was about other users, or the job is applied. */
function recallForm(client: QueryClient, target: BatchTarget) {
  const form = rememberedForms.get(client)
  if (!form || form.jobId !== jobOrigins.get(client)?.jobId) return undefined
  return JSON.stringify(form.target) === JSON.stringify(target) ? form : undefined
}

/** Form for a batch; submitting it starts a dry run. Input survives every failure. */
export function BatchForm({ target }: { readonly target: BatchTarget }) {
  const element = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const place = useLocation()
  const client = useQueryClient()
  const [before] = useState(() => recallForm(client, target))
  const [state, setState] = useState(before?.state ?? emptyBatch)
  const known = useKnownProperties(state.entity)
  const sealing = isSensitive(state, known.of(state.key)) ? (['sensitive:write'] as const) : []
  const denied = useDenied('users:read', 'entities:read', 'entities:write', ...sealing)
  const reason = useReason(before?.reason)
  const [isSubmitted, setSubmitted] = useState(false)
  const [isStarted, setStarted] = useState(false)
  const [write] = useState(keyedWrites)
  const lock = useSubmitLock()
  const { mutateAsync, error, isPending } = useMutation(createBatch())
  const keys = useMutation({ mutationFn: useReadKnown() })
  const failed = keys.error ?? error
  const own = keys.error ? { kept: failures.keysUnread } : failures
  const problems = checkForm(state)
  const isChanged = state !== (before?.state ?? emptyBatch) || reason.text !== (before?.reason ?? '')

  const check = async (free: () => void) => {
    flushSync(() => setSubmitted(true))
    if (Object.values(problems).some((problem) => problem !== undefined)) {
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return free()
    }
    if (!reason.isReady()) return free()
    // A fast typist may submit before the known keys have loaded. The submit waits for them: a sensitive value must not
    // be sent as a non-sensitive one.
    const read =
      state.sensitive === undefined ? await keys.mutateAsync(state.entity).catch(() => undefined) : known.of
    if (!read) return free()
    const body = { ...target, set: toSet(state, read(state.key)), reason: reason.given, dryRun: true }
    const written = await write(body, (keyed) => mutateAsync({ body, ...keyed })).catch(() => undefined)
    if (!written) return free()
    rememberedForms.set(client, { target, state, reason: reason.text, jobId: written.id })
    if (written.id !== undefined) jobOrigins.set(client, { jobId: written.id, title: batchText.title, place })
    // Submitted input needs no protection, and the leave guard must be gone before the navigation.
    flushSync(() => setStarted(true))
    void navigate(written.id === undefined ? links.jobs() : links.job(written.id))
  }
  const parts: BatchPartProps = {
    state,
    known,
    set: (change) => setState((before) => ({ ...before, ...change })),
    problems: isSubmitted ? problems : {},
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button within does the same
    <form
      ref={element}
      noValidate
      aria-label={batchFormText.label}
      onKeyDown={pressBySaveKey}
      onSubmit={(event) => {
        event.preventDefault()
        if (denied === undefined) lock((free) => void check(free))
      }}
    >
      <Stack gap={20} maw={640}>
        {isChanged && !isStarted && <Unsaved />}
        {failed && (
          <InView>
            <InlineFailure title={failures.notBegun} error={failed} own={own} />
          </InView>
        )}
        <PropertyFields {...parts} />
        <ValueFields {...parts} />
        <EntityChoice {...parts} />
        <ReasonField reason={reason} />
        <Foot denied={denied} isBusy={isPending || keys.isPending} />
      </Stack>
    </form>
  )
}

function Foot({ denied, isBusy }: { readonly denied: string | undefined; readonly isBusy: boolean }) {
  return (
    <Group justify="flex-end" gap="sm" pt="md" className={classes.foot ?? ''}>
      <Text size="sm" c="dimmed" flex={1} miw={200}>
        {denied ?? batchFormText.checkHint}
      </Text>
      <Button type="submit" loading={isBusy} disabled={denied !== undefined}>
        {batchFormText.check}
      </Button>
    </Group>
  )
}

const dataTypeOptions = dataTypes.map((value) => ({ value, label: dataTypeName(value) }))

function PropertyFields({ state, known, set, problems }: BatchPartProps) {
  const { entity, key, type, value } = state
  const types = useEntityTypes()
  const [isInKey, setInKey] = useState(false)
  const onTake = (taken: Pick<KnownKey, 'key' | 'type'>) => set(takeKnownKey(state, taken))
  const leaveKey = () => {
    setInKey(false)
    const found = known.properties.find(({ name }) => name === key)
    if (found?.type !== undefined && isBlank(value)) onTake({ key, type: found.type })
  }
  return (
    <Group gap="12px 16px" align="flex-start">
      <Input.Wrapper
        label={batchFormText.entity}
        labelProps={{ 'aria-hidden': true }}
        error={problems.entity}
        errorProps={{ id: 'batch-entity' }}
        flex="1 1 140px"
      >
        <EntityTypePicker
          byLabel
          types={types}
          label={batchFormText.entity}
          value={entity}
          onChange={(next) => set(changeKey(state, { entity: next }))}
          invalid={problems.entity !== undefined}
          describedBy={problems.entity === undefined ? undefined : 'batch-entity'}
        />
      </Input.Wrapper>
      <Input.Wrapper
        label={batchFormText.key}
        labelProps={{ 'aria-hidden': true }}
        error={problems.key}
        errorProps={{ id: 'batch-key' }}
        flex="2 1 200px"
      >
        <PropertyPicker
          byLabel
          properties={known.properties}
          label={batchFormText.key}
          value={key}
          onChange={(next) => set(changeKey(state, { key: next }))}
          onChoose={(chosen) => onTake({ key: chosen.name, type: chosen.type ?? type })}
          onFocus={() => setInKey(true)}
          onBlur={leaveKey}
          invalid={problems.key !== undefined}
          describedBy={problems.key === undefined ? undefined : 'batch-key'}
        />
      </Input.Wrapper>
      <NativeSelect
        label={batchFormText.type}
        flex="1 1 150px"
        value={type}
        onChange={(event) => set(changeType(state, event.currentTarget.value as DataType))}
        data={dataTypeOptions}
      />
      {!isInKey && <KnownKeyNote value={key} type={type} known={known.keys} onTake={onTake} />}
    </Group>
  )
}

function EntityChoice({ state: { entity, create, first }, set }: BatchPartProps) {
  return (
    <Fieldset
      variant="unstyled"
      miw={0}
      legend={
        <Text component="span" size="sm" fw={500}>
          {batchFormText.which}
        </Text>
      }
    >
      <Stack gap="xs">
        <Checkbox
          label={batchFormText.first({ entity: typeLabel(entity) })}
          description={batchFormText.firstHint}
          checked={first}
          onChange={(event) => set({ first: event.currentTarget.checked })}
        />
        <Checkbox
          label={batchFormText.create({ entity: typeLabel(entity) })}
          checked={create}
          onChange={(event) => set({ create: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  )
}

function ValueFields({ state, known, set, problems }: BatchPartProps) {
  const { key, type, value, clears } = state
  const sensitive = isSensitive(state, known.of(key))
  const switching = useSensitivity(state.entity, { key, sensitive }, known.of(key), (next) =>
    set({ sensitive: next }),
  )
  const mayNotMark = switching.denied
  const row = {
    key,
    type,
    sensitive,
    ...(state.sensitive !== undefined && { chosen: { sensitive: true as const } }),
  }
  return (
    <Stack gap="xs">
      {!clears && (
        <Input.Wrapper label={batchFormText.value} labelProps={{ 'aria-hidden': true }} data-value>
          <ValueInput
            key={type}
            type={type}
            draft={value}
            label={batchFormText.value}
            defined={known.properties.find((each) => each.name === key)}
            onChange={(draft) => set({ value: draft })}
            issues={problems.value}
          />
        </Input.Wrapper>
      )}
      <Checkbox
        label={batchFormText.clear}
        description={batchFormText.clearHint}
        checked={clears}
        onChange={(event) => set({ clears: event.currentTarget.checked })}
      />
      <Checkbox
        label={
          <>
            {batchFormText.sensitive} <SensitiveMark />
          </>
        }
        color="violet"
        description={mayNotMark ?? batchFormText.sensitiveHint}
        disabled={mayNotMark !== undefined}
        checked={sensitive}
        onChange={(event) => switching.set(event.currentTarget.checked)}
      />
      <div className={classes.note}>
        <KnownNote
          {...{ row, known }}
          entityType={state.entity}
          onTake={(near) => set(changeKey(state, { key: near.key }))}
        />
      </div>
      {switching.question}
    </Stack>
  )
}
