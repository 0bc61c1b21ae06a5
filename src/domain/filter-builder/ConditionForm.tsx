import { Button, Group, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

import { isRevealOnly } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { listFilterText, sharedText } from '../../messages/index.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { ListCondition } from '../user-list/list-state.ts'
import { ConditionContext, type ConditionScope, controlIn, useFocusNext } from './condition-context.ts'
import { EntityCondition, SegmentCondition, UserCondition } from './conditions.tsx'
import { fromFilter } from './draft/filter-codec.ts'
import { checkDraft } from './draft/filter-draft.ts'
import { changeNode, type Node } from './draft/nodes.ts'
import { sealedIssues } from './draft/sealed.ts'
import { isWhole } from './draft/subjects.ts'
import { useReadKeys } from './known-keys.ts'
import { NodeFieldset } from './NodeFieldset.tsx'
import { SubjectPicker } from './SubjectPicker.tsx'
import { useFilterSegments, useSubjectTypes } from './use-subjects.ts'

const tz = 'UTC'

export interface ConditionFormProps {
  /** Condition to edit; undefined for a new one. */
  readonly condition?: ListCondition | undefined
  readonly onApply: (condition: ListCondition) => void
  /** Grows with each press of the form's button: the condition is applied, and the next one begun. */
  readonly presses: number
  readonly onClose: () => void
}

/** Form for one condition: first what it is about, then the comparison. */
export function ConditionForm({ condition, onApply, presses, onClose }: ConditionFormProps) {
  const [root, setRoot] = useState(() => condition && fromFilter(condition.filter))
  const [typed, setTyped] = useState('')
  const segments = useFilterSegments()
  const apply = (next: ListCondition) => {
    onClose()
    onApply(next)
  }
  const begin = () => {
    setTyped('')
    setRoot(undefined)
  }
  usePress(presses, () => root === undefined && onClose())
  if (root)
    return (
      <ComparisonForm
        condition={condition}
        begun={root}
        segments={segments}
        onApply={apply}
        presses={presses}
        onApplyAndBegin={(next) => {
          begin()
          onApply(next)
        }}
        onBack={() => setRoot(undefined)}
        onClose={onClose}
      />
    )
  return (
    <SubjectPicker
      typed={typed}
      segments={segments}
      onClose={onClose}
      onChoose={(node, subject, search) => {
        setTyped(search)
        const { filter } = checkDraft({ root: node })
        if (isWhole(subject) && filter)
          apply({ id: condition?.id ?? crypto.randomUUID(), filter, isSensitive: false })
        else setRoot(node)
      }}
    />
  )
}

/** Acts on each later press. */
function usePress(presses: number, act: () => void) {
  const seen = useRef(presses)
  const press = useEffectEvent(act)
  useEffect(() => {
    if (seen.current !== presses) press()
    seen.current = presses
  }, [presses])
}

interface ComparisonFormProps extends ConditionFormProps {
  readonly begun: Node
  readonly segments: ConditionScope['segments']
  readonly onBack: () => void
  readonly onApplyAndBegin: (condition: ListCondition) => void
}

function ComparisonForm(props: ComparisonFormProps) {
  const { condition, onApply, onApplyAndBegin, presses, onBack, onClose } = props
  const { root, scope, element, apply } = useCondition(props)
  const [isApplying, setApplying] = useState(false)
  const submit = async (onApplied: typeof onApply) => {
    if (isApplying) return
    setApplying(true)
    const next = await apply()
    setApplying(false)
    if (next) onApplied(next)
  }
  usePress(presses, () => void submit(onApplyAndBegin))
  const part = root.kind === 'group' ? root.parts[0] : root
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys that its fields leave to it
    <form
      ref={element}
      noValidate
      onKeyDown={(event) => {
        const step = stepBack(event)
        if (step === undefined) return applyWithEnter(event)
        event.preventDefault()
        event.stopPropagation()
        if (step === 'close' && condition) onClose()
        else onBack()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(onApply)
      }}
    >
      <Stack gap="sm">
        <ConditionContext value={scope}>
          {part && (
            <NodeFieldset label={listFilterText.title} nodeId={part.id}>
              <Group gap="xs" align="flex-start">
                {part.kind === 'entity' && <EntityCondition node={part} />}
                {part.kind === 'user' && <UserCondition node={part} />}
                {part.kind === 'segment' && <SegmentCondition node={part} />}
              </Group>
            </NodeFieldset>
          )}
        </ConditionContext>
        <Group gap="xs">
          <IconButton aria-label={listFilterText.back} hinted bordered size="large" onClick={onBack}>
            <IconArrowLeft size={16} stroke={1.75} aria-hidden />
          </IconButton>
          <Button variant="default" ml="auto" onClick={onClose}>
            {sharedText.cancel}
          </Button>
          <Button type="submit" loading={isApplying}>
            {listFilterText.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Draft of the condition. Its issues are shown from the first attempt to apply it. */
function useCondition({ condition, begun, segments }: ComparisonFormProps) {
  const [root, setRoot] = useState(begun)
  const [attempts, setAttempts] = useState(0)
  const [takes, setTakes] = useState(0)
  const mayNotRead = useDenied('sensitive:read')
  const readKeys = useReadKeys()
  const { types } = useSubjectTypes()
  const { filter, issues } = checkDraft({ root })

  const element = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const first = controlIn(element.current)
    // Mantine's focus trap looks for this attribute when the popover opens; later steps move the focus themselves.
    first?.setAttribute('data-autofocus', 'true')
    first?.focus()
  }, [])
  const focusNext = useFocusNext(element)
  useLayoutEffect(() => {
    if (attempts > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  const submit = useEffectEvent(() => element.current?.requestSubmit())
  useEffect(() => {
    if (takes > 0) submit()
  }, [takes])

  const scope: ConditionScope = {
    change: (id, change, focus) => {
      focusNext(focus)
      setRoot((before) => changeNode(before, id, change) ?? before)
    },
    issues: (id) => (attempts > 0 ? issues.filter((issue) => issue.position.id === id) : []),
    touch: () => undefined,
    segments,
    types,
    isInline: false,
    take: () => setTakes((before) => before + 1),
    toValue: (from) => focusNext(`[data-node="${from.closest('[data-node]')?.getAttribute('data-node')}"]`),
    tz,
    // Some services let only saved segments test sensitive values; the list filters by unsaved conditions.
    ...(isRevealOnly() && { sensitiveRefusal: listFilterText.segmentOnly }),
  }
  const apply = async (): Promise<ListCondition | undefined> => {
    setAttempts(attempts + 1)
    if (!filter) return undefined
    const part = root.kind === 'group' ? root.parts[0] : root
    // Keys are read at once: a property may be new, and one that was ever sensitive is treated so.
    const known = part?.kind === 'entity' ? await readKeys(part.type).catch(() => []) : []
    const tests = part?.kind === 'entity' ? part.properties : []
    const sensitive = tests.filter(({ key }) =>
      known.some((each) => each.key === key && each.sensitive === true),
    )
    const isUnknown = tests.some(({ key }) => !known.some((each) => each.key === key))
    const isRefused = sensitive.some((test) => sealedIssues(test, tz).length > 0)
    const isDenied = sensitive.length > 0 && (mayNotRead ?? scope.sensitiveRefusal) !== undefined
    if (isRefused || isDenied) return undefined
    return {
      id: condition?.id ?? crypto.randomUUID(),
      filter,
      // With unknown keys the value is treated as sensitive.
      isSensitive: isUnknown || sensitive.length > 0,
    }
  }
  return { root, scope, element, apply }
}

/** Returns the step back that a key takes: Escape, or Backspace in an empty value. */
function stepBack({
  key,
  target,
  defaultPrevented,
  nativeEvent,
}: KeyboardEvent): 'close' | 'list' | undefined {
  if (defaultPrevented || nativeEvent.isComposing) return undefined
  if (key === 'Escape') return 'close'
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return key === 'Backspace' &&
    isText &&
    target.type !== 'checkbox' &&
    target.type !== 'radio' &&
    target.value === ''
    ? 'list'
    : undefined
}

/** Submits on Enter in a text area too, as in the other fields; Shift+Enter inserts a line break. */
function applyWithEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { key, shiftKey, target, nativeEvent } = event
  if (key !== 'Enter' || shiftKey || nativeEvent.isComposing || !(target instanceof HTMLTextAreaElement))
    return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
