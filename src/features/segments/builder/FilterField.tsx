import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

import type { Segment } from '#contract/index.ts'
import { segmentText } from '../../../messages/index.ts'
import { isApple } from '../../../ui/platform.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import type { Node } from '../draft/nodes.ts'
import {
  type FilterDraft,
  isJsonOnly,
  jsonOf,
  nodeById,
  type Issue,
  issuesOf,
  withJson,
  withRoot,
} from '../draft/filter-draft.ts'
import classes from './FilterField.module.css'
import { FilterHead, type View } from './FilterHead.tsx'
import { useHistory } from './use-history.ts'
import { FilterBuilder } from './FilterBuilder.tsx'
import { JsonPane } from './JsonPane.tsx'

const words = segmentText.create

/** What the service refused, and the draft that it refused: what was changed since is no longer refused. */
export interface Refused {
  readonly draft: FilterDraft
  readonly issues: readonly Issue[]
}

export interface FilterFieldProps {
  readonly draft: FilterDraft
  readonly onChange: (draft: FilterDraft) => void
  /** Somebody wanted to save: everything that is wrong is shown, not only where he has been. */
  readonly checked: boolean
  readonly refused: Refused | undefined
  readonly segments: readonly Segment[]
  readonly tz: string
}

/** Between two letters of JSON most of it is none: what is wrong is said once nobody types. */
const settledMs = 500
/** Between two pieces of what is typed as JSON. */
const pauseMs = 1000

/** One filter as builder, as JSON, or both beside each other, with its own undo. */
export function FilterField({ draft, onChange, checked, refused, segments, tz }: FilterFieldProps) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [said, setSaid] = useState('')
  /** The draft whose JSON the builder could not show when it was asked to. */
  const [stuck, setStuck] = useState<FilterDraft>()
  const { unreadable, issues } = useMemo(() => issuesOf(draft), [draft])
  const isBehind = useMemo(() => isJsonOnly(draft), [draft])
  const [chosen, setView] = useState<View>('builder')
  if (chosen === 'builder' && isBehind) setView('json')
  const view = chosen === 'builder' && isBehind ? 'json' : chosen
  const { root, json = '' } = draft
  const isSettled = useSettled(json, settledMs) === json || checked || stuck === draft

  const field = useRef<HTMLFieldSetElement>(null)
  const typedIn = useRef<EventTarget>(undefined)
  const jsonTypedAt = useRef(0)
  const history = useHistory(draft, onChange)
  const change = (next: FilterDraft) => {
    history.change(next, typedIn.current)
    typedIn.current = undefined
  }
  const say = useCallback((text: string) => {
    // The same words again are news only where they differ.
    setSaid((before) => (before === text ? `${text}\u00A0` : text))
  }, [])
  const undo = history.undo && (() => [history.undo?.(), say(words.undone(history.undoable - 1))])
  const redo = history.redo && (() => [history.redo?.(), say(words.redone(history.redoable - 1))])
  const wasStepped = useRef(false)
  const step = (go: typeof undo) => {
    wasStepped.current = true
    go?.()
  }
  // What had the focus may have been taken back.
  useLayoutEffect(() => {
    if (!wasStepped.current) return
    wasStepped.current = false
    if (!field.current?.contains(document.activeElement))
      field.current?.querySelector<HTMLElement>('[data-undo]')?.focus()
  })
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (!(isApple() ? metaKey : ctrlKey) || altKey || event.nativeEvent.isComposing) return
    const letter = key.toLowerCase()
    const isRedo = letter === 'y' ? !isApple() : shiftKey
    if (letter !== 'z' && !(letter === 'y' && isRedo)) return
    event.preventDefault()
    step(isRedo ? redo : undo)
  }

  const show = (next: View) => {
    const isRefused = next === 'builder' && isBehind
    setStuck(isRefused ? draft : undefined)
    if (!isRefused) setView(next)
  }
  const issuesAt = useCallback(
    (id: string) => {
      // What is too much as a whole nobody leaves, so it is said at once.
      const isShown = checked || touched.has(id)
      const own = issues.filter(({ place, pointer }) => place.id === id && (isShown || pointer === ''))
      const known =
        refused && !isJsonOnly(refused.draft) && nodeById(refused.draft.root, id) === nodeById(root, id)
      return known ? [...own, ...refused.issues.filter(({ place }) => place.id === id)] : own
    },
    [checked, touched, issues, refused, root],
  )
  const touch = useCallback(
    (id: string) => setTouched((before) => (before.has(id) ? before : new Set([...before, id]))),
    [],
  )

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of undo, wherever in it the focus is
    <fieldset
      ref={field}
      aria-label={words.filter}
      className={classes.root}
      onKeyDown={press}
      onBlurCapture={() => history.endStep()}
      onChangeCapture={({ target }) => {
        const types =
          target instanceof HTMLTextAreaElement ||
          (target instanceof HTMLInputElement && target.type === 'text')
        typedIn.current = types ? target : undefined
      }}
    >
      <FilterHead
        view={view}
        onShow={show}
        onUndo={undo && (() => step(undo))}
        onRedo={redo && (() => step(redo))}
      />
      <div className={classes.panes} data-view={view}>
        {view !== 'json' && (
          <div className={classes.pane}>
            {isBehind && isSettled && <p className={classes.behind}>{words.behind}</p>}
            <div inert={isBehind && isSettled}>
              <FilterBuilder
                root={root}
                onChange={(next: Node) => change(withRoot(next))}
                issues={issuesAt}
                onTouch={touch}
                onSay={say}
                segments={segments}
                tz={tz}
              />
            </div>
          </div>
        )}
        {view !== 'builder' && (
          <JsonPane
            json={jsonOf(draft)}
            onChange={(next) => {
              // A long text is taken back by pieces.
              if (Date.now() - jsonTypedAt.current > pauseMs) history.endStep()
              jsonTypedAt.current = Date.now()
              change(withJson(draft, next))
            }}
            unreadable={isSettled ? unreadable : undefined}
            stuck={isBehind && isSettled ? issues : []}
            refused={refused?.draft === draft ? refused.issues : []}
          />
        )}
      </div>
      <output className="ds-visually-hidden">{said}</output>
    </fieldset>
  )
}
