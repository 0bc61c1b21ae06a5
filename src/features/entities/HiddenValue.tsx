import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'

import { HiddenBar } from '../../domain/values/HiddenBar.tsx'
import { rawText } from '../../domain/values/draft.ts'
import { type Target, ValueText } from '../../domain/values/ValueText.tsx'
import { entityText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { RemainingTime } from '../../ui/RemainingTime.tsx'
import classes from './HiddenValue.module.css'
import { clearClipboardLater, isRevealable, type Revealed, shownMs } from './reveal.ts'
import { isMasked, type Row } from './row.ts'
import { Small } from './Small.tsx'
import { isFull } from '../../api/index.ts'
import { CheckDialog } from './CheckDialog.tsx'

export interface HiddenValueProps {
  readonly row: Row
  readonly revealed: Revealed | undefined
  readonly onReveal: (row: Row) => void
  readonly onHide: () => void
  /** Why the caller does not get the value, where the service keeps it. */
  readonly readDenied: string | undefined
  readonly renderLink: (target: Target) => ReactNode
}

/**
 * A stored sensitive value: a mask until it is asked for, then the value with the time that is left. A screen reader is
 * told the value where it comes, and that it is hidden again.
 */
export function HiddenValue(props: HiddenValueProps) {
  const { row, revealed, renderLink } = props
  const name = row.loaded?.key ?? row.key
  return (
    <span ref={useKeptFocus(revealed !== undefined)} className={classes.parts}>
      <span aria-live="polite" className={revealed ? classes.revealed : classes.mask}>
        {revealed ? (
          <ValueText type={revealed.type} value={revealed.value} renderLink={renderLink} />
        ) : (
          <HiddenBar />
        )}
      </span>
      {revealed ? <Shown {...props} name={name} revealed={revealed} /> : <Mask {...props} name={name} />}
    </span>
  )
}

/** The button that was pressed goes with what it did: the first one of those that take its place has the focus. */
function useKeptFocus(isShown: boolean) {
  const parts = useRef<HTMLSpanElement>(null)
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current !== isShown && document.activeElement === document.body)
      parts.current?.querySelector('button')?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown])
  return parts
}

interface ShownProps extends Pick<HiddenValueProps, 'onHide'> {
  readonly name: string
  readonly revealed: Revealed
}

function Shown({ name, revealed: { value, untilMs }, onHide }: ShownProps) {
  return (
    <>
      {value !== null && value !== undefined && (
        <CopyButton
          label={entityText.copyValue(name)}
          value={() => {
            clearClipboardLater()
            return rawText(value)
          }}
        />
      )}
      <RemainingTime
        untilMs={untilMs}
        ofMs={shownMs}
        color="var(--ds-sensitive)"
        label={entityText.hiddenIn}
      />
      <Small label={entityText.hideOf(name)} onClick={onHide}>
        {entityText.hide}
      </Small>
    </>
  )
}

interface MaskProps extends Pick<HiddenValueProps, 'row' | 'readDenied' | 'onReveal'> {
  readonly name: string
}

function Mask({ row, name, readDenied, onReveal }: MaskProps) {
  return (
    <>
      {isMasked(row) && (readDenied !== undefined || !isRevealable(row)) ? (
        <span className={classes.note}>{entityText.maskedFor(readDenied ?? entityText.maskedByService)}</span>
      ) : (
        <Small label={entityText.revealOf(name)} onClick={() => onReveal(row)}>
          {entityText.reveal}
        </Small>
      )}
      {row.loaded && isMasked(row) && isCheckable(row.loaded.type) && (
        <CheckButton propertyKey={name} type={row.loaded.type} />
      )}
    </>
  )
}

/** Types whose values can be compared; any other has so few values that repeated checks would reveal the stored one. */
const checkable: ReadonlySet<string> = new Set(['TEXT', 'EMAIL', 'URL', 'NUMBER', 'DECIMAL', 'DATE'])

/** Whether the service compares values of a data type with what is said. */
function isCheckable(type: string): boolean {
  return isFull() && checkable.has(type)
}

/** Button to compare a stored sensitive value without seeing it; available even without the scope to read it. */
function CheckButton(property: { readonly propertyKey: string; readonly type: string }) {
  const { propertyKey } = property
  const { userId = '' } = useParams()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Small label={entityText.checkOf(propertyKey)} onClick={() => setAsking(true)}>
        {entityText.check}
      </Small>
      {isAsking && <CheckDialog userId={userId} {...property} onClose={() => setAsking(false)} />}
    </>
  )
}
