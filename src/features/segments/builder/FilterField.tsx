import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Box, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'

import type { Segment } from '#contract/index.ts'
import { segmentFormText } from '../../../messages/index.ts'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import {
  type FilterDraft,
  type FilterIssue,
  isJsonOnly,
  issuesOf,
  jsonOf,
  nodeById,
  withJson,
} from '../../../domain/filter-builder/draft/filter-draft.ts'
import { FilterBuilder } from './FilterBuilder.tsx'
import classes from './FilterField.module.css'
import { isApple, splitShortcut } from '../../../ui/keys/shortcut.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Area } from '../../../domain/values/Field.tsx'
import { lineOf, positionAt, positionsIn } from './json-positions.ts'

/** Issues that the service reported for a draft; ignored for parts that have changed since. */
export interface Refused {
  readonly draft: FilterDraft
  readonly issues: readonly FilterIssue[]
}

export interface FilterFieldProps {
  readonly draft: FilterDraft
  readonly onChange: (draft: FilterDraft) => void
  /** Whether a save was attempted, after which issues are shown everywhere, not only in visited parts. */
  readonly checked: boolean
  readonly refused: Refused | undefined
  readonly segments: readonly Segment[]
  readonly tz: string
}

/** Delay before JSON errors are shown, since half-typed JSON is mostly invalid. */
const jsonErrorMs = 500
/** Typing pause after which further typed JSON starts a new undo step. */
const jsonStepMs = 1000

export function FilterField({ draft, onChange, checked, refused, segments, tz }: FilterFieldProps) {
  const { unreadable, issues } = useMemo(() => issuesOf(draft), [draft])
  const isBehind = useMemo(() => isJsonOnly(draft), [draft])
  const { view, isStuck, show } = useView(draft, isBehind)
  const [said, setSaid] = useState('')
  const say = useCallback((text: string) => {
    // A screen reader announces a repeated message only if its text differs.
    setSaid((before) => (before === text ? `${text}\u00A0` : text))
  }, [])
  const { undo, redo, change, endStep, fieldset } = useUndo(draft, onChange, say)
  const { issuesAt, touch } = useIssuesAt(draft, issues, checked, refused)
  const jsonTypedAt = useRef(0)
  const json = draft.json ?? ''
  const isSettled = useDebouncedValue(json, jsonErrorMs) === json || checked || isStuck

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of undo, wherever in it the focus is
    <fieldset aria-label={segmentFormText.filter} className={classes.root} {...fieldset}>
      <FilterHead view={view} onShow={show} onUndo={undo} onRedo={redo} />
      {view === 'builder' ? (
        <FilterBuilder
          root={draft.root}
          onChange={(root) => change({ root })}
          issues={issuesAt}
          onTouch={touch}
          onSay={say}
          segments={segments}
          tz={tz}
        />
      ) : (
        <JsonPane
          json={jsonOf(draft)}
          onChange={(next) => {
            if (Date.now() - jsonTypedAt.current > jsonStepMs) endStep()
            jsonTypedAt.current = Date.now()
            change(withJson(draft, next))
          }}
          unreadable={isSettled ? unreadable : undefined}
          stuck={isBehind && isSettled ? issues : []}
          refused={refused?.draft === draft ? refused.issues : []}
        />
      )}
      <output className="ds-visually-hidden">{said}</output>
    </fieldset>
  )
}

/** Returns the current view of the filter; always JSON if the builder cannot show the filter. */
function useView(draft: FilterDraft, isBehind: boolean) {
  const [chosen, setChosen] = useState<FilterView>('builder')
  /** Draft that the builder was selected for and could not show. */
  const [stuck, setStuck] = useState<FilterDraft>()
  const view = chosen === 'builder' && isBehind ? 'json' : chosen
  if (view !== chosen) setChosen(view)
  const show = (next: FilterView) => {
    const isRefused = next === 'builder' && isBehind
    setStuck(isRefused ? draft : undefined)
    if (!isRefused) setChosen(next)
  }
  return { view, show, isStuck: stuck === draft }
}

/**
 * Returns the issues of a node once it was visited or a save was attempted; issues with limits of the whole filter are
 * shown at once.
 */
function useIssuesAt(
  { root }: FilterDraft,
  issues: readonly FilterIssue[],
  checked: boolean,
  refused: Refused | undefined,
) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const touch = useCallback(
    (id: string) => setTouched((before) => (before.has(id) ? before : new Set([...before, id]))),
    [],
  )
  const issuesAt = useCallback(
    (id: string) => {
      const isShown = checked || touched.has(id)
      const own = issues.filter(({ place, pointer }) => place.id === id && (isShown || pointer === ''))
      const isAsRefused =
        refused && !isJsonOnly(refused.draft) && nodeById(refused.draft.root, id) === nodeById(root, id)
      return isAsRefused ? [...own, ...refused.issues.filter(({ place }) => place.id === id)] : own
    },
    [checked, touched, issues, refused, root],
  )
  return { issuesAt, touch }
}

/** Adds undo and its shortcuts to a value edited in a fieldset; typing in one control is one step. */
function useUndo<T>(present: T, onChange: (next: T) => void, say: (text: string) => void) {
  const ref = useRef<HTMLFieldSetElement>(null)
  const typedIn = useRef<EventTarget>(undefined)
  const wasStepped = useRef(false)
  const history = useHistory(present, onChange)
  // The undo step may have removed the focused element.
  useLayoutEffect(() => {
    if (!wasStepped.current) return
    wasStepped.current = false
    if (!ref.current?.contains(document.activeElement))
      ref.current?.querySelector<HTMLElement>('[data-undo]')?.focus()
  })
  const step = (go: (() => void) | undefined, said: string) =>
    go &&
    (() => {
      wasStepped.current = true
      go()
      say(said)
    })
  const undo = step(history.undo, segmentFormText.undone({ left: history.undoable - 1 }))
  const redo = step(history.redo, segmentFormText.redone({ left: history.redoable - 1 }))
  return {
    undo,
    redo,
    endStep: () => history.endStep(),
    change: (next: T) => {
      history.change(next, typedIn.current)
      typedIn.current = undefined
    },
    fieldset: {
      ref,
      onKeyDown: (event: KeyboardEvent) => {
        const { key, ctrlKey, metaKey, altKey, shiftKey } = event
        if (!(isApple() ? metaKey : ctrlKey) || altKey || event.nativeEvent.isComposing) return
        const letter = key.toLowerCase()
        const isRedo = letter === 'y' ? !isApple() : shiftKey
        if (letter !== 'z' && !(letter === 'y' && isRedo)) return
        event.preventDefault()
        ;(isRedo ? redo : undo)?.()
      },
      onBlurCapture: () => history.endStep(),
      onChangeCapture: ({ target }: ChangeEvent) => {
        const types =
          target instanceof HTMLTextAreaElement ||
          (target instanceof HTMLInputElement && target.type === 'text')
        typedIn.current = types ? target : undefined
      },
    },
  }
}

/** Maximum number of undo steps. Each value is small, because it shares most of its structure with its neighbours. */
const maxSteps = 200

interface Steps<T> {
  readonly past: readonly T[]
  readonly future: readonly T[]
}

/** Undo history for a value stored elsewhere. Typing in one field without leaving it is one step. */
function useHistory<T>(present: T, onChange: (next: T) => void) {
  const [{ past, future }, setSteps] = useState<Steps<T>>({ past: [], future: [] })
  const field = useRef<unknown>(undefined)
  const go = (to: T | undefined, steps: Steps<T>) =>
    to === undefined
      ? undefined
      : () => {
          field.current = undefined
          setSteps(steps)
          onChange(to)
        }
  return {
    /** Changes the value. `typedIn` is the field being typed in; undefined for other changes. */
    change(to: T, typedIn?: unknown) {
      const isContinued = typedIn !== undefined && typedIn === field.current
      field.current = typedIn
      setSteps({ past: isContinued ? past : [...past, present].slice(-maxSteps), future: [] })
      onChange(to)
    },
    /** Starts a new undo step for further typing. */
    endStep() {
      field.current = undefined
    },
    undo: go(past.at(-1), { past: past.slice(0, -1), future: [present, ...future] }),
    redo: go(future[0], { past: [...past, present], future: future.slice(1) }),
    undoable: past.length,
    redoable: future.length,
  }
}

const { label, ...views } = segmentFormText.views
type FilterView = keyof typeof views
const viewOptions = (Object.keys(views) as FilterView[]).map((value) => ({ value, label: views[value] }))

interface FilterHeadProps {
  readonly view: FilterView
  readonly onShow: (view: FilterView) => void
  /** Undoes the last step; undefined if there is none. */
  readonly onUndo: (() => void) | undefined
  readonly onRedo: (() => void) | undefined
}

function FilterHead({ view, onShow, onUndo, onRedo }: FilterHeadProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Text span fw={600}>
        {segmentFormText.filter}
      </Text>
      <Group gap={4} wrap="nowrap" className={classes.steps ?? ''}>
        <StepButton
          label={segmentFormText.undo}
          keys={undoKeys}
          go={onUndo}
          noStep={segmentFormText.noUndo}
          data-undo
        >
          <IconArrowBackUp size={16} stroke={1.75} />
        </StepButton>
        <StepButton label={segmentFormText.redo} keys={redoKeys} go={onRedo} noStep={segmentFormText.noRedo}>
          <IconArrowForwardUp size={16} stroke={1.75} />
        </StepButton>
        <SegmentedControl aria-label={label} data={viewOptions} value={view} onChange={onShow} />
      </Group>
    </Group>
  )
}

const undoKeys = splitShortcut('Mod+Z').join(' ')
const redoKeys = splitShortcut('Mod+Shift+Z').join(' ')

interface StepButtonProps {
  readonly label: string
  readonly keys: string
  readonly go: (() => void) | undefined
  readonly noStep: string
  readonly 'data-undo'?: boolean
  readonly children: ReactNode
}

function StepButton({ label, keys, go, noStep, children, ...rest }: StepButtonProps) {
  const button = (
    <IconButton
      {...rest}
      aria-label={label}
      {...hint(segmentFormText.withKeys({ label, keys }))}
      onClick={go}
    >
      {children}
    </IconButton>
  )
  return <DisabledReason reason={go ? undefined : noStep}>{button}</DisabledReason>
}

interface JsonPaneProps {
  readonly json: string
  readonly onChange: (json: string) => void
  /** Why the text is not valid JSON; undefined if it is. */
  readonly unreadable: string | undefined
  readonly stuck: readonly FilterIssue[]
  readonly refused: readonly FilterIssue[]
}

/** Renders the filter as editable JSON. Each problem names its line; pressing it selects the place in the text. */
function JsonPane({ json, onChange, unreadable, stuck, refused }: JsonPaneProps) {
  const describedBy = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const typed = useRef(json)
  const positions = useMemo(() => positionsIn(json), [json])
  const faults = [...stuck, ...refused]
  const invalid = unreadable !== undefined || faults.length > 0

  // Undo or redo replaced the text, so the cursor moves to the end of the part that changed.
  useLayoutEffect(() => {
    const before = typed.current
    typed.current = json
    if (before === json || document.activeElement !== area.current) return
    const end = lastDifference(before, json)
    area.current?.setSelectionRange(end, end)
  }, [json])

  const select = ([from, to]: readonly [number, number]) => {
    area.current?.focus()
    area.current?.setSelectionRange(from, to)
  }
  const line = (position: readonly [number, number]): ReactNode => (
    <UnstyledButton fz="inherit" fw={600} td="underline" onClick={() => select(position)}>
      {segmentFormText.line({ line: String(lineOf(json, position[0])) })}
    </UnstyledButton>
  )
  const { error } = positions
  return (
    <Stack gap={4} className={classes.json ?? ''}>
      <Area
        ref={area}
        label={segmentFormText.jsonLabel}
        value={json}
        onChange={(next) => {
          typed.current = next
          onChange(next)
        }}
        mono
        invalid={invalid}
        describedBy={invalid ? describedBy : undefined}
      />
      <Text component="div" id={describedBy} role="alert" fz="sm" c="var(--mantine-color-error)">
        {unreadable !== undefined && (
          <p>
            {error !== undefined && line([error, Math.min(error + 1, json.length)])} {unreadable}
          </p>
        )}
        {stuck.length > 0 && <p>{segmentFormText.staysJson}</p>}
        {faults.length > 0 && (
          <Box component="ul" mt={4} mb={0} pl={20}>
            {faults.map(({ pointer, detail }) => (
              <li key={`${pointer} ${detail}`}>
                {line(positionAt(positions, pointer))}{' '}
                <span className="ds-mono">{pointer === '' ? segmentFormText.whole : pointer}</span> {detail}
              </li>
            ))}
          </Box>
        )}
      </Text>
    </Stack>
  )
}

/** Returns the offset in `after` at which the longest common suffix of both texts begins. */
function lastDifference(before: string, after: string): number {
  let same = 0
  while (same < Math.min(before.length, after.length) && before.at(-1 - same) === after.at(-1 - same))
    same += 1
  return after.length - same
}
