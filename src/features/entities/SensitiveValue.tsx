import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import type { ValueIssue } from '#contract/index.ts'

import { type Draft, rawText } from '../../domain/values/draft.ts'
import { ValueInput } from '../../domain/values/ValueInput.tsx'
import { type Target, ValueText } from '../../domain/values/ValueText.tsx'
import { entityText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import type { Action } from './entity-draft.ts'
import classes from './PropertyRow.module.css'
import { clearClipboardLater, isRevealable, type Revealed } from './reveal.ts'
import { isMasked, type Row } from './row.ts'
import { RelationshipInput } from './target/RelationshipInput.tsx'

export interface SensitiveValueProps {
  readonly row: Row
  readonly revealed: Revealed | undefined
  readonly onReveal: (row: Row) => void
  readonly onHide: () => void
  /** Absent: for reading only. */
  readonly onAct?: ((action: Action) => void) | undefined
  /** Why the caller does not get the value, where the service keeps it. */
  readonly readDenied: string | undefined
  readonly writeDenied: string | undefined
  readonly issues?: readonly ValueIssue[] | undefined
  readonly onBlur?: () => void
  readonly renderLink: (target: Target) => ReactNode
}

/**
 * A stored sensitive value: a mask until it is asked for, and never edited in place. A replacement is typed into an
 * empty input, which means nothing while it is blank; what is shown stays beside it, to be compared.
 */
export function SensitiveValue(props: SensitiveValueProps) {
  const { row, revealed, onAct, writeDenied, issues } = props
  const element = useRef<HTMLDivElement>(null)
  const isShown = revealed !== undefined
  const wasShown = useRef(isShown)
  useEffect(() => {
    // The button that was pressed has gone with it.
    if (wasShown.current !== isShown && !row.edit && document.activeElement === document.body)
      element.current?.querySelector('button')?.focus()
    wasShown.current = isShown
  }, [isShown, row.edit])
  const key = row.loaded?.key ?? row.key
  const isReplaced = row.edit !== undefined && onAct !== undefined
  return (
    <div ref={element} className={classes.hidden}>
      {revealed ? (
        <Shown {...props} name={key} revealed={revealed} />
      ) : (
        !isReplaced && <Mask {...props} name={key} />
      )}
      {row.edit && onAct && <Replacement {...props} name={key} edit={row.edit} onAct={onAct} />}
      {!row.edit && onAct && (
        <DisabledReason reason={writeDenied}>
          <Small
            label={entityText.replaceOf(key)}
            onClick={() => onAct({ do: 'replace value', id: row.id })}
            data-gives-input
          >
            {entityText.replace}
          </Small>
        </DisabledReason>
      )}
      {!isReplaced && issues && issues.length > 0 && <p className={classes.issue}>{issues[0]?.detail}</p>}
    </div>
  )
}

interface ReplacementProps extends Pick<SensitiveValueProps, 'row' | 'issues' | 'onBlur' | 'renderLink'> {
  readonly name: string
  readonly edit: Draft
  readonly onAct: (action: Action) => void
}

function Replacement({ row, name, edit, issues, onBlur, onAct, renderLink }: ReplacementProps) {
  const { id, type, emptied } = row
  return (
    <>
      {emptied === true ? (
        <span className="ds-dimmed">{entityText.willBeEmpty}</span>
      ) : (
        <div className={classes.replacement}>
          <ValueInput
            type={type}
            draft={edit}
            label={entityText.form.valueOf(name)}
            blank={entityText.unchanged}
            issues={issues}
            onBlur={onBlur}
            onChange={(draft) => onAct({ do: 'set value', id, draft })}
            renderLink={renderLink}
            relationship={RelationshipInput}
          />
        </div>
      )}
      <Small label={entityText.keepOf(name)} onClick={() => onAct({ do: 'keep value', id })}>
        {entityText.keep}
      </Small>
      {emptied !== true && (
        <Small label={entityText.emptyOf(name)} onClick={() => onAct({ do: 'empty value', id })}>
          {entityText.emptyIt}
        </Small>
      )}
    </>
  )
}

interface ShownProps extends Pick<SensitiveValueProps, 'onHide' | 'renderLink'> {
  readonly name: string
  readonly revealed: Revealed
}

function Shown({ name, revealed: { type, value, untilMs }, onHide, renderLink }: ShownProps) {
  return (
    <>
      <span className={classes.revealed}>
        <ValueText type={type} value={value} renderLink={renderLink} />
      </span>
      {value !== null && value !== undefined && (
        <CopyButton
          label={entityText.copyValue(name)}
          value={() => {
            clearClipboardLater()
            return rawText(value)
          }}
        />
      )}
      <Countdown untilMs={untilMs} />
      <Small label={entityText.hideOf(name)} onClick={onHide}>
        {entityText.hide}
      </Small>
    </>
  )
}

interface MaskProps extends Pick<SensitiveValueProps, 'row' | 'readDenied' | 'onReveal'> {
  readonly name: string
}

function Mask({ row, name, readDenied, onReveal }: MaskProps) {
  return (
    <>
      <span className={classes.mask} aria-hidden>
        {entityText.mask}
      </span>
      <span className="ds-visually-hidden">{entityText.masked}</span>
      {isMasked(row) && (readDenied !== undefined || !isRevealable(row)) ? (
        <span className={classes.note}>{entityText.maskedFor(readDenied ?? entityText.maskedByService)}</span>
      ) : (
        <Small label={entityText.revealOf(name)} onClick={() => onReveal(row)}>
          {entityText.reveal}
        </Small>
      )}
    </>
  )
}

/** Nothing is announced each second: a screen reader reads it when it is asked to. */
function Countdown({ untilMs }: { readonly untilMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" className={classes.note}>
      {entityText.hiddenIn(Math.max(0, Math.ceil((untilMs - nowMs) / 1000)))}
    </span>
  )
}

interface SmallProps {
  readonly label: string
  readonly onClick?: () => void
  readonly children: ReactNode
  /** What it gives takes its place, and the focus. */
  readonly 'data-gives-input'?: boolean
}

function Small({ label, children, ...rest }: SmallProps) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" aria-label={label} {...rest}>
      {children}
    </Button>
  )
}
