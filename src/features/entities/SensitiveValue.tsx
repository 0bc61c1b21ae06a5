import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

import type { ValueIssue } from '#contract/index.ts'

import { entities as text } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { rawText } from '../../ui/value/draft.ts'
import { type Target, ValueInput } from '../../ui/value/ValueInput.tsx'
import { ValueText } from '../../ui/value/ValueText.tsx'
import { type Action, isMasked, type Row } from './draft.ts'
import classes from './PropertyRow.module.css'
import { clearClipboardLater } from './reveal.ts'

export interface SensitiveValueProps {
  readonly row: Row
  readonly revealed: boolean
  readonly onReveal: (id: string | undefined) => void
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
 * empty input, which means nothing while it is blank.
 */
export function SensitiveValue(props: SensitiveValueProps) {
  const { row, revealed, onReveal, onAct, readDenied, writeDenied, issues, onBlur, renderLink } = props
  const { id, edit, emptied } = row
  const key = row.loaded?.key ?? row.key
  // The value and what the page knows of it belong to what was loaded: a new key or type is not yet its own.
  const { type, value } = row.loaded ?? { type: row.type, value: undefined }

  if (edit && onAct)
    return (
      <div className={classes.hidden}>
        {emptied === true ? (
          <span className="ds-dimmed">{text.willBeEmpty}</span>
        ) : (
          <div className={classes.replacement}>
            <ValueInput
              type={row.type}
              draft={edit}
              label={text.form.valueOf(key)}
              blank={text.unchanged}
              issues={issues}
              onBlur={onBlur}
              onChange={(draft) => onAct({ do: 'set value', id, draft })}
              renderLink={renderLink}
            />
          </div>
        )}
        <Small label={text.keepOf(key)} onClick={() => onAct({ do: 'keep value', id })}>
          {text.keep}
        </Small>
        {emptied !== true && (
          <Small label={text.emptyOf(key)} onClick={() => onAct({ do: 'empty value', id })}>
            {text.emptyIt}
          </Small>
        )}
      </div>
    )

  const masked = isMasked(row)
  return (
    <div className={classes.hidden}>
      {revealed && !masked ? (
        <>
          <span className={classes.revealed}>
            <ValueText type={type} value={value} renderLink={renderLink} />
          </span>
          {value !== null && value !== undefined && (
            <CopyButton
              label={text.copyValue(key)}
              value={() => {
                clearClipboardLater()
                return rawText(value)
              }}
            />
          )}
          <Small label={text.hideOf(key)} onClick={() => onReveal(undefined)}>
            {text.hide}
          </Small>
        </>
      ) : (
        <>
          <span className={classes.mask} aria-hidden>
            {text.mask}
          </span>
          <span className="ds-visually-hidden">{text.masked}</span>
          {masked ? (
            <span className={classes.note}>{text.maskedFor(readDenied ?? text.maskedByService)}</span>
          ) : (
            <Small label={text.revealOf(key)} onClick={() => onReveal(id)}>
              {text.reveal}
            </Small>
          )}
        </>
      )}
      {onAct && (
        <DisabledReason reason={writeDenied}>
          <Small label={text.replaceOf(key)} onClick={() => onAct({ do: 'replace value', id })}>
            {text.replace}
          </Small>
        </DisabledReason>
      )}
      {issues && issues.length > 0 && <p className={classes.issue}>{issues[0]?.detail}</p>}
    </div>
  )
}

interface SmallProps {
  readonly label: string
  readonly onClick?: () => void
  readonly children: ReactNode
}

function Small({ label, children, ...rest }: SmallProps) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" aria-label={label} {...rest}>
      {children}
    </Button>
  )
}
