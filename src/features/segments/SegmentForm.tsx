import '@mantine/core/styles/Input.layer.css'

import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod'

import { isTimeZone, type Segment, type SegmentWrite, segmentWrite } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { segments as text, shared } from '../../messages/index.ts'
import { filterOf, newFilterDraft, problemsOf, refusalsOf, unfinishedFilterOf } from './filter-draft.ts'
import { FilterField, type Refused } from './FilterField.tsx'
import { Unsaved } from '../../app/unsaved.tsx'
import { namesOf } from './names.ts'
import { NotCreated } from './NotCreated.tsx'
import classes from './SegmentForm.module.css'
import { sentenceOf, sentenceOfParts } from './sentence.ts'

const words = text.create
const { name, description, tz } = segmentWrite.shape
const fields = z.object({ name, description: description.unwrap(), tz: tz.unwrap() })
type Values = z.infer<typeof fields>
const blank: Values = { name: '', description: '', tz: 'UTC' }

export interface SegmentFormProps {
  readonly segments: readonly Segment[]
  /** Sends it, and answers what comes next: that is done once leaving no longer asks. */
  readonly onSave: (segment: SegmentWrite) => Promise<() => void>
  readonly onCancel: () => void
}

/** A new segment. Whatever goes wrong, what was typed stays. */
export function SegmentForm({ segments, onSave, onCancel }: SegmentFormProps) {
  const form = useForm<Values>({
    defaultValues: blank,
    resolver: zodResolver(fields),
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, isDirty, isSubmitting, submitCount } = form.formState
  const [initial] = useState(newFilterDraft)
  const [filter, setFilter] = useState(initial)
  const [problem, setProblem] = useState<ApiError>()
  const [refused, setRefused] = useState<Refused>()
  const [saved, setSaved] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const zones = useId()
  const typedZone = useWatch({ control: form.control, name: 'tz' }).trim()
  const zone = isTimeZone(typedZone) ? typedZone : 'UTC'

  // After a try that was refused, here or by the service: on to the first thing that is wrong.
  useLayoutEffect(() => {
    if (submitCount > 0 && !isSubmitting)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]')?.focus()
  }, [submitCount, isSubmitting])

  const save = form.handleSubmit(async ({ name, description, tz }) => {
    setProblem(undefined)
    setRefused(undefined)
    const { unreadable, problems } = problemsOf(filter)
    // JSON that only another service understands is for the service to judge.
    if (unreadable !== undefined || (filter.view === 'builder' && problems.length > 0)) return
    let next: () => void
    try {
      next = await onSave({
        name,
        ...(description.trim() !== '' && { description }),
        filter: filterOf(filter),
        ...(tz !== 'UTC' && { tz }),
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const { pointer, detail } of error.errors)
        if (pointer === '/name' || pointer === '/description' || pointer === '/tz')
          form.setError(pointer.slice(1) as keyof Values, { type: 'service', message: detail })
      setRefused({ draft: filter, problems: refusalsOf(filter.root, error.errors) })
      setProblem(error)
      return
    }
    // Saved is nothing to lose: the guard has to be gone before anything navigates.
    flushSync(() => setSaved(true))
    next()
  })

  const input = (field: keyof Values) => ({
    ...form.register(field),
    error: errors[field]?.message,
    autoComplete: 'off',
  })
  const unfinished = unfinishedFilterOf(filter)
  const context = { tz: zone, segmentName: namesOf(segments) }

  return (
    <form ref={element} noValidate className={classes.form} onSubmit={(event) => void save(event)}>
      {(isDirty || filter !== initial) && !saved && <Unsaved />}
      <div className={classes.main}>
        {problem && <NotCreated error={problem} />}
        <TextInput label={words.name} {...input('name')} className={classes.short ?? ''} />
        <Textarea
          label={words.description}
          rows={2}
          {...input('description')}
          className={classes.short ?? ''}
        />
        <TextInput
          label={words.zone}
          description={words.zoneHint}
          {...input('tz')}
          list={zones}
          spellCheck={false}
          className={classes.short ?? ''}
        />
        <datalist id={zones}>
          {timeZones.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </datalist>
        <FilterField
          draft={filter}
          onChange={setFilter}
          checked={submitCount > 0}
          refused={refused}
          segments={segments}
          tz={zone}
        />
      </div>
      <aside className={classes.aside} aria-labelledby={`${zones}-sentence`}>
        <h2 id={`${zones}-sentence`} className={classes.heading}>
          {words.sentence}
        </h2>
        <p className={classes.sentence} aria-live="polite">
          {filter.view === 'builder'
            ? sentenceOfParts(unfinished as SegmentWrite['filter'], context)
            : sentenceOf(unfinished, context)}
        </p>
      </aside>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel} disabled={isSubmitting}>
          {shared.cancel}
        </Button>
        <Button type="submit" loading={isSubmitting}>
          {words.submit}
        </Button>
      </div>
    </form>
  )
}

// UTC is none of the places that browsers list.
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((each) => each !== 'UTC')]
