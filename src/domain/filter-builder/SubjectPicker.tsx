import { Input, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { filterBuilderText } from '../../messages/index.ts'
import { noAutofill } from '../../ui/keys/no-autofill.ts'
import { isComposing, useInView, usePointed } from '../../ui/use-pointed.ts'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import type { Node } from './draft/nodes.ts'
import { findSubjects, listSubjects, type NamedSegment, newSubject, type Subject } from './draft/subjects.ts'
import { useSubjectTypes } from './use-subjects.ts'
import classes from './SubjectPicker.module.css'

export interface SubjectPickerProps {
  /** Entity type whose properties alone are listed. */
  readonly entity?: string | undefined
  readonly segments: readonly NamedSegment[]
  /** Text to begin with, such as that of the last search. */
  readonly typed?: string
  readonly onChoose: (node: Node, subject: Subject, typed: string) => void
  readonly onClose: () => void
}

const subjectsText = filterBuilderText.subjects

/** Searchable list of everything that a condition can be about. Enter takes the marked one. */
export function SubjectPicker(props: SubjectPickerProps) {
  const { entity, segments, typed: before = '', onChoose, onClose } = props
  const id = useId()
  const [typed, setTyped] = useState(before)
  /** Whether Enter was pressed before the properties were there. */
  const [isAwaited, setAwaited] = useState(false)
  const { options, isLoading, error } = useFound(typed, entity, segments)
  const { pointed, point, move } = usePointed(options, ({ id: own }) => own)
  const active = pointed ?? (typed.trim() === '' ? undefined : options[0])
  const elementId = (option: Subject) => `${id}-${option.id.replaceAll(/[^\w-]/g, '_')}`
  useInView(active && elementId(active))
  const search = useRef<HTMLInputElement>(null)
  // A list that takes the place of a form gets its focus; a popover that opens moves the focus itself.
  useLayoutEffect(() => search.current?.focus(), [])

  const choose = (option: Subject) => onChoose(option.begin(), option, typed)
  const chooseAwaited = useEffectEvent(() => isAwaited && active && choose(active))
  useEffect(() => {
    if (!isLoading) chooseAwaited()
  }, [isLoading])

  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const { key } = event
    if (key === 'ArrowDown') move(1, active)
    else if (key === 'ArrowUp') move(-1, active)
    else if (key === 'Escape') onClose()
    // A list that is still coming may have a better match.
    else if (key === 'Enter' && isLoading && pointed === undefined && typed.trim() !== '') setAwaited(true)
    else if (key === 'Enter' && active) choose(active)
    else if (key !== 'Enter') return
    event.preventDefault()
    // The key must not reach a form or a popover around the list.
    event.stopPropagation()
  }
  return (
    <div className={classes.root}>
      <Input
        {...noAutofill}
        ref={search}
        data-autofocus
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the <input> it asks for is in Input
        role="combobox"
        aria-label={subjectsText.label}
        aria-autocomplete="list"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={active && elementId(active)}
        placeholder={subjectsText.label}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          point(undefined)
          setAwaited(false)
        }}
        onKeyDown={press}
      />
      <SubjectList {...{ id, options, active, elementId, point, choose, press }} />
      <output className={classes.note}>
        {isLoading
          ? subjectsText.loading
          : error
            ? subjectsText.failed
            : options.length === 0 && subjectsText.none}
      </output>
    </div>
  )
}

interface SubjectListProps {
  readonly id: string
  readonly options: readonly Subject[]
  readonly active: Subject | undefined
  readonly elementId: (option: Subject) => string
  readonly point: (option: Subject) => void
  readonly choose: (option: Subject) => void
  readonly press: (event: KeyboardEvent) => void
}

function SubjectList({ id, options, active, elementId, point, choose, press }: SubjectListProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <select> cannot be searched
    <div id={id} role="listbox" aria-label={subjectsText.list} tabIndex={-1} className={classes.list}>
      {groupsOf(options).map(([group, ofGroup]) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <optgroup> is for a <select>
        <div key={group} role="group" aria-label={subjectsText.groups[group]}>
          <div className={classes.heading} aria-hidden>
            {subjectsText.groups[group]}
          </div>
          {ofGroup.map((option) => (
            <div
              key={option.id}
              id={elementId(option)}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <option> is for a <select>
              role="option"
              tabIndex={-1}
              aria-selected={option === active}
              className="ds-option"
              // Pointer enter is ignored: a list that moves under a resting pointer must not mark anything.
              onPointerMove={() => point(option)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
              onKeyDown={press}
            >
              {option.label}
              {option.isSensitive && <SensitiveMark />}
              <Text span c="dimmed" fz="xs" ml="auto">
                {option.aside}
              </Text>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function useFound(typed: string, entity: string | undefined, segments: readonly NamedSegment[]) {
  const { types, isLoading, error } = useSubjectTypes()
  const subjects = useMemo(() => {
    if (entity === undefined) return listSubjects(types, segments)
    const own = types.filter(({ name }) => name === entity)
    return listSubjects(own, []).filter(({ group }) => group === 'property' || group === 'consent')
  }, [types, segments, entity])
  const options = useMemo(() => {
    const found = findSubjects(subjects, typed)
    const own = entity === undefined || typed.includes('.') ? typed : `${entity}.${typed}`
    // A key that is not listed yet is no new one.
    const added = typed.trim() === '' || isLoading ? undefined : newSubject(own, types)
    return added ? [...found, added] : found
  }, [subjects, typed, types, entity, isLoading])
  return { options, isLoading, error }
}

function groupsOf(options: readonly Subject[]) {
  return [...Map.groupBy(options, ({ group }) => group)]
}
