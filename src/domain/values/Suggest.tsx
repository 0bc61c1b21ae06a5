import {
  type KeyboardEvent,
  type ReactNode,
  type RefCallback,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react'

import { isComposing, useInView, usePointed } from '../../ui/use-pointed.ts'
import classes from './Suggest.module.css'
import { Field, type FieldProps } from './Field.tsx'

export interface SuggestProps<Option> extends FieldProps {
  /** Accessible name of the list. */
  readonly listLabel: string
  /** For what stands in the field now; anything else may be written too. */
  readonly options: readonly Option[]
  readonly idOf: (option: Option) => string
  readonly renderOption: (option: Option) => ReactNode
  readonly onChoose: (option: Option) => void
  /** Below the options: that something is on its way, or was not found. */
  readonly note?: string | undefined
  /**
   * Effect of Enter while the typed text only searches for an option: `first` takes the first one, `none` takes none,
   * as while options are loading.
   */
  readonly enterTakes?: 'first' | 'none' | undefined
  /** The list is opened, or closed. */
  readonly onOpenChange?: (isOpen: boolean) => void
}

/** A line of text with a list of what it may be. The focus stays in the text, and leaving it chooses nothing. */
export function Suggest<Option>(props: SuggestProps<Option>) {
  const { listLabel, options, idOf, renderOption, onChoose, note, enterTakes, onOpenChange, ...field } = props
  const listId = useId()
  const [isWanted, setWanted] = useState(false)
  // Next value of `isWanted`, readable before the render: the focus may come and go before that.
  const wanted = useRef(false)
  const { pointed, point, move } = usePointed(options, idOf)
  const isOpen = isWanted && field.readOnly !== true && (options.length > 0 || note !== undefined)
  const isListed = isOpen && options.length > 0
  const isFirst = enterTakes === 'first' && isListed && field.value.trim() !== ''
  const active = (isListed ? pointed : undefined) ?? (isFirst ? options[0] : undefined)
  const elementId = (option: Option) => `${listId}-${idOf(option).replaceAll(/\s/g, '_')}`
  const activeId = active && elementId(active)
  useInView(activeId)

  const want = (next: boolean) => {
    point(undefined)
    if (next === wanted.current) return
    wanted.current = next
    setWanted(next)
    onOpenChange?.(next)
  }
  const choose = (option: Option) => {
    want(false)
    onChoose(option)
  }
  const arrow = (step: 1 | -1) => (isOpen ? move(step, active) : want(true))
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'ArrowDown') arrow(1)
    else if (event.key === 'ArrowUp') arrow(-1)
    else if (event.key === 'Enter' && active) choose(active)
    else if (event.key === 'Escape' && isOpen) want(false)
    else if (event.key !== 'Enter' || !isOpen || !enterTakes) return
    event.preventDefault()
    // A dialog around it stays open.
    event.stopPropagation()
  }

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
          {isListed && (
            <Lines
              {...{ listId, listLabel, options, active, elementId, renderOption, point, choose, press }}
            />
          )}
          {note !== undefined && <output className={classes.note}>{note}</output>}
        </Layer>
      )}
    </>
  )
}

interface LinesProps<Option> extends Pick<SuggestProps<Option>, 'listLabel' | 'options' | 'renderOption'> {
  readonly listId: string
  readonly active: Option | undefined
  readonly elementId: (option: Option) => string
  readonly point: (option: Option) => void
  readonly choose: (option: Option) => void
  readonly press: (event: KeyboardEvent) => void
}

function Lines<Option>(props: LinesProps<Option>) {
  const { listId, listLabel, options, active, elementId, renderOption, point, choose, press } = props
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <datalist> cannot say of what type a key is
    <div id={listId} role="listbox" aria-label={listLabel} tabIndex={-1}>
      {options.map((option) => (
        <div
          key={elementId(option)}
          id={elementId(option)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- of a listbox: an <option> is for a <select>
          role="option"
          tabIndex={-1}
          aria-selected={option === active}
          className={classes.option}
          // Not on entering: a list that moves under a pointer at rest points at nothing.
          onPointerMove={() => point(option)}
          onClick={() => choose(option)}
          onKeyDown={press}
        >
          {renderOption(option)}
        </div>
      ))}
    </div>
  )
}

const gapPx = 4
const listEdgePx = 8
const leastPx = 160

/** Below the field before it, or above where there is more room; in the top layer, where no row cuts it off. */
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
    addEventListener('resize', put)
    return () => {
      resized.disconnect()
      removeEventListener('scroll', put, { capture: true })
      removeEventListener('resize', put)
    }
  }, [])
  return (
    // A press on it leaves the focus in the field, the scroll bar included.
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
