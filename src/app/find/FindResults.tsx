import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Link, useNavigate } from 'react-router'

import type { Visit } from '../../domain/people/recent.ts'
import { findText, sharedText } from '../../messages/index.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { KeyHint } from '../../ui/keys/KeyHint.tsx'
import { nameControlKey } from '../../ui/keys/shortcut.ts'
import { SkeletonBar, skeletonWidth } from '../../ui/skeletons/SkeletonRows.tsx'
import type { ZoneChoice } from '../../ui/time.ts'
import { useInView, usePointed } from '../../ui/use-pointed.ts'
import type { Option } from './option.ts'
import { type Offer, useOffer } from './sections.ts'
import classes from './FindResults.module.css'

const optionClass = `ds-option ${classes.option}`

/** State of the results that the field above them tells. */
export interface FoundState {
  /** Id of the element of the option that Enter takes. */
  readonly activeId: string | undefined
  readonly isExpanded: boolean
}

/** Handlers of the results that the field calls. */
export interface FindKeys {
  readonly press: (event: KeyboardEvent) => void
  /** Forgets what the keys and the pointer have chosen among the results of an earlier text. */
  readonly forget: () => void
}

interface FindResultsProps {
  readonly listId: string
  readonly typed: string
  /** Recently opened things, the latest first. */
  readonly recent: readonly Visit[]
  readonly commanded: ZoneChoice
  readonly keys: Ref<FindKeys>
  /** Whether Enter was pressed for this text before the results were there. */
  readonly isEntered: boolean
  readonly isFullService: boolean
  readonly onFound: (state: FoundState) => void
  readonly onClose: () => void
}

/** Results of the find dialog, whose field keeps the focus. */
export function FindResults(props: FindResultsProps) {
  const { listId, typed, recent, commanded, keys, isEntered, isFullService, onFound, onClose } = props
  const offer = useOffer(typed, recent, commanded, isFullService)
  const { options, active, point, choose, press, forget } = useChoice(offer, listId, isEntered, onClose)
  useImperativeHandle(keys, () => ({ press, forget }))
  const activeId = active && optionElementId(listId, active)
  const isExpanded = options.length > 0
  useLayoutEffect(() => onFound({ activeId, isExpanded }), [activeId, isExpanded, onFound])
  return (
    <>
      <FindList
        id={listId}
        sections={offer.sections}
        active={active}
        query={typed}
        onPoint={point}
        onChoose={choose}
      />
      <FindFooter
        notes={offer.notes}
        announced={
          offer.isPending
            ? findText.searching
            : typed.trim() === ''
              ? ''
              : findText.found({ count: options.length })
        }
      />
    </>
  )
}

const idOf = ({ id }: Option) => id

function useChoice(
  { sections, isPending, isSure }: Offer,
  listId: string,
  isEntered: boolean,
  onClose: () => void,
) {
  const navigate = useNavigate()
  const options = sections.flatMap((section) => section.options)
  const { isPointed, pointed, point, move } = usePointed(options, idOf)
  /** Whether Enter was pressed before the answer arrived. */
  const [isAwaited, setAwaited] = useState(isEntered)
  const isAwaitingFirst = isPending && sections.some(({ isLoading }) => isLoading === true)
  const active = isPointed ? pointed : isAwaitingFirst ? undefined : options[0]

  const choose = (option: Option) => {
    if (option.denied !== undefined) return
    if (option.stays === true) return option.run?.()
    // Closes first, so that the focus is returned before anything else takes it.
    flushSync(onClose)
    if (option.to === undefined) option.run?.()
    else void navigate(option.to)
  }
  const openElsewhere = (option: Option) => {
    const element = document.getElementById(optionElementId(listId, option))
    if (element instanceof HTMLAnchorElement) window.open(element.href, '_blank', 'noopener')
  }
  const arrived = useEffectEvent(() => {
    setAwaited(false)
    const [first] = options
    if (isSure && first && first.unsought !== true) choose(first)
  })
  useEffect(() => {
    if (!isAwaited || isPending) return
    const timer = setTimeout(arrived)
    return () => clearTimeout(timer)
  }, [isAwaited, isPending])

  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1, active)
    else if (event.key === 'ArrowUp') move(-1, active)
    else if (event.key !== 'Enter') return
    else if (isPending && !isPointed) setAwaited(true)
    else if (active && (event.ctrlKey || event.metaKey)) openElsewhere(active)
    else if (active) choose(active)
    event.preventDefault()
  }
  const forget = () => {
    point(undefined)
    setAwaited(false)
  }
  return { options, active, point, choose, press, forget }
}

function FindFooter({ notes, announced }: Pick<Offer, 'notes'> & { readonly announced: string }) {
  const { effects } = findText
  const { enter, escape } = sharedText.keys
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> may hold no paragraphs */}
      <div role="status">
        <span className="ds-visually-hidden">{announced}</span>
        {notes.map((note) => (
          <p key={note} className={classes.note}>
            {note}
          </p>
        ))}
      </div>
      <p className={classes.keys} aria-hidden>
        <FindKey of={['↑', '↓']} does={effects.move} />
        <FindKey of={[enter]} does={effects.open} />
        <FindKey of={[nameControlKey(), enter]} does={effects.newTab} />
        <FindKey of={[escape]} does={effects.close} />
      </p>
    </>
  )
}

function FindKey({ of, does }: { readonly of: readonly string[]; readonly does: string }) {
  return (
    <span>
      {of.map((key) => (
        <kbd key={key} className={classes.key}>
          {key}
        </kbd>
      ))}{' '}
      {does}
    </span>
  )
}

interface FindListProps extends Pick<Offer, 'sections'>, Pick<ReturnType<typeof useChoice>, 'active'> {
  readonly id: string
  readonly query: string
  readonly onPoint: (option: Option) => void
  readonly onChoose: (option: Option) => void
}

const skeletonRows = 3

function optionElementId(listId: string, option: Option): string {
  return `${listId}-${option.id.replaceAll(' ', '-')}`
}

/** Results: the options of the field above, which keeps the focus. A row that opens a page is also a link. */
function FindList({ id, sections, active, query, onPoint, onChoose }: FindListProps) {
  const activeId = active && optionElementId(id, active)
  useInView(activeId)

  const shown = sections.filter(({ options, isLoading }) => options.length > 0 || isLoading === true)
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <select> holds no links and no second lines
    <div id={id} role="listbox" aria-label={findText.results} className={classes.list} tabIndex={-1}>
      {shown.map(({ label, options, isLoading }, index) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- of a listbox: an <optgroup> is for a <select>
        <div key={label} role="group" aria-labelledby={`${id}-${index}`}>
          <div id={`${id}-${index}`} role="presentation" className={classes.label}>
            {label}
          </div>
          {isLoading === true &&
            Array.from({ length: skeletonRows }, (_, row) => (
              <div key={row} className={optionClass} aria-hidden>
                <SkeletonBar width={skeletonWidth(row, 0)} />
              </div>
            ))}
          {options.map((option) => (
            <FindRow
              key={option.id}
              option={option}
              elementId={optionElementId(id, option)}
              isActive={option === active}
              query={query}
              onPoint={() => {
                if (option !== active) onPoint(option)
              }}
              onChoose={() => onChoose(option)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface FindRowProps {
  readonly option: Option
  readonly elementId: string
  readonly isActive: boolean
  readonly query: string
  readonly onPoint: () => void
  readonly onChoose: () => void
}

function FindRow({ option, elementId, isActive, query, onPoint, onChoose }: FindRowProps) {
  const { icon: Icon, avatar, label, nameless, unsought, details = [], denied, to, shortcut } = option
  const row = {
    id: elementId,
    role: 'option',
    tabIndex: -1,
    className: optionClass,
    'aria-selected': isActive,
    'aria-disabled': denied === undefined ? undefined : true,
    // Reacts only to pointer movement: a list that moves under a resting pointer selects nothing.
    onPointerMove: onPoint,
    // Keeps the focus in the field.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onClick: (event: MouseEvent) => {
      // Leaves the browser's own ways of opening a link elsewhere to the browser.
      if (to !== undefined && denied === undefined && (event.ctrlKey || event.metaKey || event.shiftKey))
        return
      event.preventDefault()
      onChoose()
    },
  }
  const content = (
    <>
      {avatar ? (
        <Avatar {...avatar} />
      ) : (
        <Icon size={17} stroke={1.75} className={classes.icon} aria-hidden />
      )}
      <span className={classes.text}>
        <span className={nameless === true ? classes.nameless : classes.name} dir="auto">
          {nameless === true || unsought === true ? label : <Highlight text={label} query={query} />}
        </span>
        {denied !== undefined && <span className={classes.details}>{denied}</span>}
        {details.length > 0 && (
          <span className={classes.details}>
            {details.map((detail) => (
              <span key={detail} className={classes.detail} dir="auto">
                <Highlight text={detail} query={query} />
              </span>
            ))}
          </span>
        )}
      </span>
      {shortcut !== undefined && denied === undefined && (
        <span className={classes.shortcut}>
          <KeyHint shortcut={shortcut} />
        </span>
      )}
    </>
  )
  return to === undefined || denied !== undefined ? (
    <div {...row}>{content}</div>
  ) : (
    <Link {...row} to={to}>
      {content}
    </Link>
  )
}
