import { Box, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import type { Segment } from '#contract/index.ts'
import {
  type DraftCheck,
  type FilterDraft,
  type FilterIssue,
  isJsonOnly,
  jsonOf,
  nodeById,
  withJson,
} from '../../../domain/filter-builder/draft/filter-draft.ts'
import { Area } from '../../../domain/values/Field.tsx'
import { segmentFormText } from '../../../messages/index.ts'
import { useAnnounced } from '../../../ui/announced.tsx'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isApple, splitShortcut } from '../../../ui/keys/shortcut.ts'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { FilterBuilder } from './FilterBuilder.tsx'
import { lineOf, positionAt, positionsIn } from './json-positions.ts'
import classes from './FilterField.module.css'

/** Issues that the service reported for a draft; ignored for parts that have changed since. */
export interface Refused {
  readonly draft: FilterDraft
  readonly issues: readonly FilterIssue[]
}

export interface FilterFieldProps {
  readonly draft: FilterDraft
  readonly check: DraftCheck
  readonly onChange: (draft: FilterDraft) => void
  /** Whether a save was attempted, after which issues are shown everywhere, not only in visited parts. */
  readonly isTried: boolean
  readonly refused: Refused | undefined
  readonly segments: readonly Segment[]
  readonly tz: string
}

/** Delay before JSON errors are shown, since half-typed JSON is mostly invalid. */
const jsonErrorMs = 500
/** Typing pause after which further typed JSON starts a new undo step. */
const jsonStepMs = 1000

export function FilterField(props: FilterFieldProps) {
  const { draft, check, onChange, isTried, refused, segments, tz } = props
  const isBehind = draft.json !== undefined && !check.filter
  const { view, isStuck, show } = useView(draft, isBehind)
  const [said, setSaid] = useState('')
  // A screen reader announces a repeated message only if its text differs.
  useAnnounced(said)
  const say = (text: string) => setSaid((before) => (before === text ? `${text}\u00A0` : text))
  const { undo, redo, change, endStep, fieldset } = useUndo(draft, onChange, say)
  const { issuesAt, touch } = useIssuesAt(props)
  const jsonTypedAt = useRef(0)
  const json = draft.json ?? ''
  const isSettled = useDebouncedValue(json, jsonErrorMs) === json || isTried || isStuck

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of undo, wherever in it the focus is
    <fieldset aria-label={segmentFormText.filter} className={classes.root} {...fieldset}>
      <FilterHead view={view} onShow={show} undo={undo} redo={redo} />
      {view === 'builder' ? (
        <FilterBuilder
          root={draft.root}
          onChange={(root) => change({ root })}
          issues={issuesAt}
          touch={touch}
          say={say}
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
          unreadable={isSettled ? check.unreadable : undefined}
          stuck={isBehind && isSettled ? check.issues : []}
          refused={refused?.draft === draft ? refused.issues : []}
        />
      )}
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
function useIssuesAt({ draft, check, isTried, refused }: FilterFieldProps) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const refusedTree = refused && !isJsonOnly(refused.draft) ? refused.draft.root : undefined
  const issuesAt = (id: string) => {
    const isShown = isTried || touched.has(id)
    const own = check.issues.filter(
      ({ position, pointer }) => position.id === id && (isShown || pointer === ''),
    )
    const isAsRefused = refusedTree && nodeById(refusedTree, id) === nodeById(draft.root, id)
    return refused && isAsRefused
      ? [...own, ...refused.issues.filter(({ position }) => position.id === id)]
      : own
  }
  return { issuesAt, touch: (id: string) => setTouched((before) => new Set([...before, id])) }
}

/** Maximum number of undo steps. Each draft is small, because it shares most of its structure with its neighbours. */
const maxSteps = 200

interface Steps {
  readonly past: readonly FilterDraft[]
  readonly future: readonly FilterDraft[]
}

/** Adds undo and its shortcuts to a draft edited in a fieldset. Typing in one control without leaving it is one step. */
function useUndo(present: FilterDraft, onChange: (next: FilterDraft) => void, say: (text: string) => void) {
  const ref = useRef<HTMLFieldSetElement>(null)
  const [{ past, future }, setSteps] = useState<Steps>({ past: [], future: [] })
  /** Control whose typing causes the current change. */
  const typedIn = useRef<EventTarget>(undefined)
  /** Control whose typing caused the last step; undefined if further typing starts a new one. */
  const lastTypedIn = useRef<EventTarget>(undefined)
  const wasStepped = useRef(false)
  // The undo step may have removed the focused element.
  useLayoutEffect(() => {
    if (!wasStepped.current) return
    wasStepped.current = false
    if (!ref.current?.contains(document.activeElement))
      ref.current?.querySelector<HTMLElement>('[data-step="undo"]')?.focus()
  })
  const endStep = () => {
    lastTypedIn.current = undefined
  }
  const step = (to: FilterDraft | undefined, steps: Steps, said: string) =>
    to &&
    (() => {
      wasStepped.current = true
      endStep()
      setSteps(steps)
      onChange(to)
      say(said)
    })
  const undo = step(
    past.at(-1),
    { past: past.slice(0, -1), future: [present, ...future] },
    segmentFormText.undone({ left: past.length - 1 }),
  )
  const redo = step(
    future[0],
    { past: [...past, present], future: future.slice(1) },
    segmentFormText.redone({ left: future.length - 1 }),
  )
  return {
    undo,
    redo,
    endStep,
    change: (next: FilterDraft) => {
      const isContinued = typedIn.current !== undefined && typedIn.current === lastTypedIn.current
      lastTypedIn.current = typedIn.current
      typedIn.current = undefined
      setSteps({ past: isContinued ? past : [...past, present].slice(-maxSteps), future: [] })
      onChange(next)
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
      onBlurCapture: endStep,
      onChangeCapture: ({ target }: ChangeEvent) => {
        const types =
          target instanceof HTMLTextAreaElement ||
          (target instanceof HTMLInputElement && target.type === 'text')
        typedIn.current = types ? target : undefined
      },
    },
  }
}

const { label: viewsLabel, ...views } = segmentFormText.views
type FilterView = keyof typeof views
const viewOptions = (Object.keys(views) as FilterView[]).map((value) => ({ value, label: views[value] }))

const stepButtons = [
  { name: 'undo', keys: 'Mod+Z', noStep: segmentFormText.noUndo, Icon: IconArrowBackUp },
  { name: 'redo', keys: 'Mod+Shift+Z', noStep: segmentFormText.noRedo, Icon: IconArrowForwardUp },
] as const

interface FilterHeadProps extends Pick<ReturnType<typeof useUndo>, 'undo' | 'redo'> {
  readonly view: FilterView
  readonly onShow: (view: FilterView) => void
}

function FilterHead({ view, onShow, ...steps }: FilterHeadProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Text span fw={600}>
        {segmentFormText.filter}
      </Text>
      <Group gap={4} wrap="nowrap" className={classes.steps ?? ''}>
        {stepButtons.map(({ name, keys, noStep, Icon }) => {
          const label = segmentFormText[name]
          return (
            <DisabledReason key={name} reason={steps[name] ? undefined : noStep}>
              <IconButton
                aria-label={label}
                {...hint(segmentFormText.withKeys({ label, keys: splitShortcut(keys).join(' ') }))}
                onClick={steps[name]}
                data-step={name}
              >
                <Icon size={16} stroke={1.75} />
              </IconButton>
            </DisabledReason>
          )
        })}
        <SegmentedControl aria-label={viewsLabel} data={viewOptions} value={view} onChange={onShow} />
      </Group>
    </Group>
  )
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
