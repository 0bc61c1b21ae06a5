import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefCallback,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

import { isComposing, useInView, usePointed } from '../../ui/use-pointed.ts'
import { Field, type FieldProps } from './Field.tsx'
import classes from './Suggest.module.css'

export interface SuggestProps<Option> extends FieldProps {
  readonly listLabel: string
  /** Suggestions for the current text; any other text is allowed, too. */
  readonly options: readonly Option[]
  readonly idOf: (option: Option) => string
  readonly renderOption: (option: Option) => ReactNode
  readonly onChoose: (option: Option) => void
  /** Note below the options, such as that they are loading or that there are none. */
  readonly note?: string | undefined
  /** Effect of Enter if no option is highlighted: `none` is for options that load; undefined leaves it to the form. */
  readonly enterTakes?: 'first' | 'none' | undefined
  /** Called if Enter took nothing because of `enterTakes: 'none'`. */
  readonly onEarlyEnter?: () => void
  readonly onOpenChange?: (isOpen: boolean) => void
  /** Boxes by which several options are chosen, without closing the list; the space bar checks a marked one. */
  readonly checks?: {
    readonly isChecked: (option: Option) => boolean
    readonly onToggle: (option: Option) => void
  }
  /** Heading of an option's group, in which neighbours are listed together. */
  readonly groupOf?: ((option: Option) => string | undefined) | undefined
  /** Goes on after Enter, which then never reaches the form, and after a pressed option. Called once it has been chosen. */
  readonly onEntered?: (input: HTMLElement) => void
}

/** Text input with a list of suggestions. The focus stays in the input, and leaving it chooses nothing. */
export function Suggest<Option>(props: SuggestProps<Option>) {
  const { listLabel, options, idOf, renderOption, groupOf, onChoose, note, enterTakes, ...others } = props
  const { onOpenChange, onEntered, onEarlyEnter, checks, ...field } = others
  const listId = useId()
  const { pointed, point, move } = usePointed(options, idOf)
  const { isWanted, want } = useWanted((next, isChanged) => {
    point(undefined)
    if (isChanged) onOpenChange?.(next)
  })
  const isOpen = isWanted && field.readOnly !== true && (options.length > 0 || note !== undefined)
  const isListed = isOpen && options.length > 0
  const isFirst = enterTakes === 'first' && isListed && field.value.trim() !== ''
  const active = (isListed ? pointed : undefined) ?? (isFirst ? options[0] : undefined)
  const elementId = (option: Option) => `${listId}-${idOf(option).replaceAll(/[\s%]/g, encodeURIComponent)}`
  const activeId = active && elementId(active)
  useInView(activeId)

  const choose = (option: Option) => {
    want(false)
    onChoose(option)
  }
  const pick = (option: Option) => goOnAfter(() => choose(option), listId, onEntered)
  const arrow = (step: 1 | -1) => (isOpen ? move(step, active) : want(true))
  const goOn = ({ currentTarget }: KeyboardEvent) => {
    if (active) flushSync(() => choose(active))
    return active || field.value.trim() !== '' ? onEntered?.(currentTarget as HTMLElement) : want(true)
  }
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Enter' && onEntered) {
      // Ctrl or Cmd with Enter saves the form.
      if (event.ctrlKey || event.metaKey) return
      goOn(event)
    } else if (event.key === 'ArrowDown') arrow(1)
    else if (event.key === 'ArrowUp') arrow(-1)
    else if (event.key === ' ' && checks && pointed) checks.onToggle(pointed)
    else if (event.key === 'Enter' && active) choose(active)
    else if (event.key === 'Escape' && isOpen) want(false)
    else if (event.key !== 'Enter' || !isOpen || !enterTakes) return
    else if (enterTakes === 'none') onEarlyEnter?.()
    event.preventDefault()
    // The event must not reach a surrounding dialog, which would close.
    event.stopPropagation()
  }

  const lines = { renderOption, groupOf, point, pick, press, checks }
  return (
    <>
      <Field
        {...field}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the <input> it asks for is in Field
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? listId : undefined}
        aria-activedescendant={activeId}
        onChange={(text) => {
          want(true)
          field.onChange(text)
        }}
        onFocus={() => {
          field.onFocus?.()
          if (field.value === '') want(true)
        }}
        onBlur={() => {
          want(false)
          field.onBlur?.()
        }}
        onKeyDown={press}
      />
      {isOpen && (
        <Layer>
          {isListed && <Lines {...{ ...lines, listId, listLabel, options, active, elementId }} />}
          {note !== undefined && <output className={classes.note}>{note}</output>}
        </Layer>
      )}
    </>
  )
}

/** Chooses a pressed option; the input of the list, which has kept the focus, goes on as after Enter. */
function goOnAfter(choose: () => void, listId: string, onEntered: SuggestProps<unknown>['onEntered']) {
  const input = document.querySelector<HTMLElement>(`input:focus[aria-controls="${listId}"]`)
  flushSync(choose)
  if (input) onEntered?.(input)
}

/** Whether the list is wanted. A change is known before the next render: the input may gain and lose the focus before. */
function useWanted(onWant: (isWanted: boolean, isChanged: boolean) => void) {
  const [isWanted, setWanted] = useState(false)
  const wanted = useRef(false)
  const want = (next: boolean) => {
    onWant(next, next !== wanted.current)
    wanted.current = next
    setWanted(next)
  }
  return { isWanted, want }
}

interface LinesProps<Option> extends Pick<
  SuggestProps<Option>,
  'listLabel' | 'options' | 'renderOption' | 'groupOf'
> {
  readonly listId: string
  readonly active: Option | undefined
  readonly elementId: (option: Option) => string
  readonly point: (option: Option) => void
  readonly pick: (option: Option) => void
  readonly press: (event: KeyboardEvent) => void
  readonly checks: SuggestProps<Option>['checks']
}

function Lines<Option>(props: LinesProps<Option>) {
  const { listId, listLabel, options, active, elementId, renderOption, groupOf, point, pick, press, checks } =
    props
  const lines = options.map((option) => (
    <div
      key={elementId(option)}
      id={elementId(option)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- of a listbox: an <option> is for a <select>
      role="option"
      tabIndex={-1}
      aria-selected={option === active}
      aria-checked={checks?.isChecked(option)}
      className="ds-option"
      // Pointer enter is ignored: a list that moves under a resting pointer must not select anything.
      onPointerMove={() => point(option)}
      onClick={() => pick(option)}
      onKeyDown={press}
    >
      {checks && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the space bar does so at the option
        <span
          className={classes.check}
          data-checked={checks.isChecked(option) || undefined}
          onClick={(event) => {
            event.stopPropagation()
            checks.onToggle(option)
          }}
        />
      )}
      {renderOption(option)}
    </div>
  ))
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <datalist> cannot say of what type a key is
    <div id={listId} role="listbox" aria-label={listLabel} tabIndex={-1}>
      {groupOf ? groupLines(options.map(groupOf), lines) : lines}
    </div>
  )
}

/** Puts neighbouring lines with the same heading into a group. */
function groupLines(
  headings: readonly (string | undefined)[],
  lines: readonly ReactNode[],
): readonly ReactNode[] {
  const starts = headings.flatMap((heading, at) => (at === 0 || heading !== headings[at - 1] ? [at] : []))
  return starts.map((from, at) => {
    const [heading, ofGroup] = [headings[from], lines.slice(from, starts[at + 1])]
    if (heading === undefined) return <Fragment key={from}>{ofGroup}</Fragment>
    return (
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- of a listbox: an <optgroup> is for a <select>
      <div key={from} role="group" aria-label={heading}>
        <div className={classes.heading} aria-hidden>
          {heading}
        </div>
        {ofGroup}
      </div>
    )
  })
}

const gapPx = 4
const listEdgePx = 8
const leastPx = 160
const framesToFollow = 30

/** Popover below the field, or above if there is more room, in the top layer, so that no row clips it. */
function Layer({ children }: { readonly children: ReactNode }) {
  const place = useCallback<RefCallback<HTMLDivElement>>((layer) => {
    const field = layer?.previousElementSibling
    if (!layer || !field) return
    layer.showPopover()
    const put = () => {
      const { left, top, bottom, width } = field.getBoundingClientRect()
      const [above, below] = [top - gapPx - listEdgePx, innerHeight - bottom - gapPx - listEdgePx]
      const isBelow = below >= leastPx || below >= above
      const { style } = layer
      style.minWidth = `${width}px`
      style.maxHeight = `${Math.min(320, isBelow ? below : above)}px`
      style.left = `${Math.max(listEdgePx, Math.min(left, innerWidth - layer.offsetWidth - listEdgePx))}px`
      style.top = isBelow ? `${bottom + gapPx}px` : 'auto'
      style.bottom = isBelow ? 'auto' : `${innerHeight - top + gapPx}px`
    }
    put()
    const resized = new ResizeObserver(put)
    resized.observe(layer)
    addEventListener('scroll', put, { capture: true, passive: true })
    let frame = 0
    // A dialog or popover that holds the field moves some frames after the window has changed.
    const follow = (frames: number) => {
      put()
      cancelAnimationFrame(frame)
      if (frames > 0) frame = requestAnimationFrame(() => follow(frames - 1))
    }
    const onResize = () => follow(framesToFollow)
    addEventListener('resize', onResize)
    return () => {
      resized.disconnect()
      cancelAnimationFrame(frame)
      removeEventListener('resize', onResize)
      removeEventListener('scroll', put, { capture: true })
    }
  }, [])
  return (
    // Pressing the mouse in the list, including its scroll bar, leaves the focus in the field.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it does nothing itself
    <div
      ref={place}
      popover="manual"
      className={classes.layer}
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>
  )
}
