import type { MouseEvent } from 'react'
import { Link } from 'react-router'

import { findText } from '../../messages/index.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { KeyHint } from '../../ui/keys/KeyHint.tsx'
import { SkeletonBar, skeletonWidth } from '../../ui/skeletons/SkeletonRows.tsx'
import { useInView } from '../../ui/use-pointed.ts'
import type { Option, FindSection } from './option.ts'
import classes from './FindDialog.module.css'

export interface FindListProps {
  readonly id: string
  readonly sections: readonly FindSection[]
  readonly active: Option | undefined
  readonly query: string
  readonly onPoint: (option: Option) => void
  readonly onChoose: (option: Option) => void
}

const skeletonRows = 3

export function optionElementId(listId: string, option: Option): string {
  return `${listId}-${option.id.replaceAll(' ', '-')}`
}

/**
 * List of results to choose from. The focus stays in the field above: the rows are its options, and links for the
 * pointer.
 */
export function FindList({ id, sections, active, query, onPoint, onChoose }: FindListProps) {
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
              <div key={row} className={classes.option} aria-hidden>
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
  const { icon: Icon, avatar, label, nameless = false, unsought = false, details = [], denied, to } = option
  const { shortcut } = option
  const row = {
    id: elementId,
    role: 'option',
    tabIndex: -1,
    className: classes.option ?? '',
    'aria-selected': isActive,
    'aria-disabled': denied === undefined ? undefined : true,
    // Reacts only to pointer movement: a list that moves under a resting pointer selects nothing.
    onPointerMove: onPoint,
    onMouseDown: keepFocus,
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
        <span className={nameless ? classes.nameless : classes.name} dir="auto">
          {nameless || unsought ? label : <Highlight text={label} query={query} />}
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

function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
