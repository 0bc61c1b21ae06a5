import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'

import { isRevealOnly } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { listFilterText, sharedText } from '../../messages/index.ts'
import type { ListCondition } from '../user-list/list-state.ts'
import { ConditionContext, type ConditionScope, firstControl, useFocusNext } from './condition-context.ts'
import { EntityCondition, UserCondition } from './conditions.tsx'
import { fromFilter } from './draft/filter-codec.ts'
import { checkDraft } from './draft/filter-draft.ts'
import { changeNode, newEntityNode, newUserNode } from './draft/nodes.ts'
import { sealedIssues } from './draft/sealed.ts'
import { useReadKeys } from './known-keys.ts'
import { NodeFieldset } from './NodeFieldset.tsx'
const tz = 'UTC'

export interface ConditionFormProps {
  /** Condition to edit; undefined for a new one. */
  readonly condition?: ListCondition | undefined
  readonly onApply: (condition: ListCondition) => void
  readonly onClose: () => void
}

export function ConditionForm({ condition, onApply, onClose }: ConditionFormProps) {
  const { root, kind, setKind, scope, element, apply } = useCondition(condition)
  const [isApplying, setApplying] = useState(false)
  const submit = async () => {
    setApplying(true)
    const next = await apply()
    setApplying(false)
    if (!next) return
    onClose()
    onApply(next)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys that its fields leave to it
    <form
      ref={element}
      noValidate
      onKeyDown={applyWithEnter}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isApplying) void submit()
      }}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={listFilterText.about}
          value={kind}
          onChange={(next) => setKind(next === 'entity' ? next : 'user')}
          data={conditionKinds}
        />
        <ConditionContext value={scope}>
          <NodeFieldset label={listFilterText.title} nodeId={root.id}>
            <Group gap="xs" align="flex-start">
              {root.kind === 'entity' ? (
                <EntityCondition node={root} number="" />
              ) : (
                <UserCondition node={root} />
              )}
            </Group>
          </NodeFieldset>
        </ConditionContext>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onClose}>
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
function useCondition(condition: ListCondition | undefined) {
  const [nodes, setNodes] = useState(() => nodesOf(condition))
  const [kind, setKind] = useState<'user' | 'entity'>(
    condition && 'entity' in condition.filter ? 'entity' : 'user',
  )
  const [attempts, setAttempts] = useState(0)
  const mayNotRead = useDenied('sensitive:read')
  const readKeys = useReadKeys()
  const root = nodes[kind]
  const { filter, issues } = checkDraft({ root })

  const element = useRef<HTMLFormElement>(null)
  const [first] = useState(() => firstControl(root))
  useLayoutEffect(() => {
    // Mantine's focus trap looks for this attribute.
    element.current?.querySelector(first)?.setAttribute('data-autofocus', 'true')
  }, [first])
  const focusNext = useFocusNext(element)
  useLayoutEffect(() => {
    if (attempts > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])

  const scope: ConditionScope = {
    change: (id, change, focus) => {
      focusNext(focus)
      setNodes((before) => {
        const next = changeNode(before[kind], id, change)
        return next === undefined ? before : { ...before, [kind]: next }
      })
    },
    issues: (id) => (attempts > 0 ? issues.filter((issue) => issue.position.id === id) : []),
    touch: () => undefined,
    segments: [],
    tz,
    // Some services let only saved segments test sensitive values; the list filters by unsaved conditions.
    ...(isRevealOnly() && { sensitiveRefusal: listFilterText.segmentOnly }),
  }
  const apply = async (): Promise<ListCondition | undefined> => {
    setAttempts(attempts + 1)
    if (!filter) return undefined
    // A fast typist may apply the condition before the known keys have loaded.
    const known = root.kind === 'entity' ? await readKeys(root.type).catch(() => []) : []
    const tests = root.kind === 'entity' ? root.properties : []
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
  return { root, kind, setKind, scope, element, apply }
}

/** Submits on Enter in a text area too, as in the other fields; Shift+Enter inserts a line break. */
function applyWithEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { key, shiftKey, target, nativeEvent } = event
  if (key !== 'Enter' || shiftKey || nativeEvent.isComposing || !(target instanceof HTMLTextAreaElement))
    return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

const conditionKinds = (['user', 'entity'] as const).map((value) => ({
  value,
  label: listFilterText.kinds[value],
}))

/** Creates a node of each kind, so that switching kinds and back keeps what was entered. */
function nodesOf(condition: ListCondition | undefined) {
  const node = condition && fromFilter(condition.filter)
  return {
    user: node?.kind === 'user' ? node : newUserNode(),
    entity: node?.kind === 'entity' ? node : newEntityNode(),
  }
}
