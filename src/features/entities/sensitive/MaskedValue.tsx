import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'

import { rawText } from '#contract/reading/written.ts'
import { revealedMark } from '../../../domain/clipboard-guard.ts'
import { PropertyText } from '../../../domain/definitions/DefinedValue.tsx'
import { Mask } from '../../../domain/values/Mask.tsx'
import { entityText } from '../../../messages/index.ts'
import { announce } from '../../../ui/announced.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { RemainingTime } from '../../../ui/RemainingTime.tsx'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { type DraftRow, isMasked } from '../draft/row.ts'
import { renderHiddenTarget } from '../target/TargetLink.tsx'
import { CheckDialog } from './AskDialog.tsx'
import { type Revealed, shownMs, useMaskedAccess, useRevealed } from './reveal.ts'
import classes from './MaskedValue.module.css'

const { revealing } = entityText

export interface MaskedValueProps {
  readonly row: DraftRow
  /** Shows the value that this person has just saved; undefined if there is none. */
  readonly onShowSaved?: (() => void) | undefined
}

/** Stored sensitive value: masked, or revealed for a while. */
export function MaskedValue(props: MaskedValueProps) {
  const { row } = props
  const { revealed, hide } = useRevealed(row)
  const { key } = row.loaded ?? row
  const label = useLabel()(key)
  return (
    <Concealed
      label={label}
      revealed={revealed}
      mask={<Mask />}
      tools={<MaskTools {...props} />}
      onHide={hide}
      copy={
        hasValue(revealed) && (
          <CopyButton
            label={entityText.copyValue({ label })}
            // Reads the value when it is copied: a closure over it would outlast its being hidden.
            value={() => rawText(revealed.value)}
            isSensitive
          />
        )
      }
    >
      {revealed && <RevealedText revealed={revealed} of={key} />}
    </Concealed>
  )
}

const hasValue = (revealed: Revealed | undefined): revealed is Revealed =>
  revealed?.value !== null && revealed?.value !== undefined

interface ConcealedProps {
  /** Name of what is hidden. */
  readonly label: string
  readonly revealed: Revealed | undefined
  readonly mask: ReactNode
  /** Buttons beside the mask. */
  readonly tools: ReactNode
  /** Button that copies the revealed value. */
  readonly copy?: ReactNode
  readonly onHide: () => void
  /** Revealed value, in a component of its own; see `RevealedText`. */
  readonly children: ReactNode
}

/**
 * Mask or revealed value with its tools. Keeps the focus when one replaces the other; Escape hides the value. Screen
 * readers are told of both changes, but read the value only to who moves to it: others may be listening.
 */
export function Concealed({ label, revealed, mask, tools, copy, onHide, children }: ConcealedProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button that hides the value does the same
    <span
      ref={useShownChange(label, revealed !== undefined)}
      className={classes.parts}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !revealed) return
        event.preventDefault()
        event.stopPropagation()
        onHide()
      }}
    >
      <span className={revealed ? classes.revealed : classes.mask} {...(revealed && revealedMark)}>
        {revealed ? children : mask}
      </span>
      {revealed ? (
        <>
          {copy}
          <RemainingTime
            untilMs={revealed.untilMs}
            ofMs={shownMs}
            color="var(--ds-sensitive)"
            label={(seconds) => entityText.hiddenIn({ seconds })}
          />
          {/* Mantine's drawer takes Escape from a button that does not say this. */}
          <Small label={entityText.hideOf({ label })} onClick={onHide} data-mantine-stop-propagation>
            {entityText.hide}
          </Small>
        </>
      ) : (
        tools
      )}
    </span>
  )
}

/** The value within a component of its own, which is dropped with it; what stays on the page never had it. */
function RevealedText({
  revealed: { type, value },
  of,
}: {
  readonly revealed: Revealed
  readonly of: string
}) {
  const entityType = use(EntityTypeContext)
  return <PropertyText {...{ entityType, of, type, value }} renderLink={renderHiddenTarget} />
}

/**
 * Announces that a value is revealed or hidden, and gives the focus to the first button in place of the pressed one,
 * which that removes.
 */
function useShownChange(label: string, isShown: boolean) {
  const parts = useRef<HTMLSpanElement>(null)
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current === isShown) return
    wasShown.current = isShown
    if (document.activeElement === document.body)
      parts.current?.querySelector('button')?.focus({ preventScroll: true })
    return announce(
      isShown ? revealing.revealed({ label, seconds: shownMs / 1000 }) : revealing.hidden({ label }),
    )
  }, [label, isShown])
  return parts
}

/** Buttons beside the mask. A stored value can be compared without being revealed, even without the scope to read it. */
function MaskTools({ row, onShowSaved }: MaskedValueProps) {
  const { reveal } = useRevealed(row)
  const { key, type } = row.loaded ?? row
  const { userId = '' } = useParams()
  const [isChecking, setChecking] = useState(false)
  const masked = isMasked(row)
  const label = useLabel()(key)
  const { mayReveal, mayCheck } = useMaskedAccess()
  return (
    <>
      {onShowSaved ? (
        <Small label={entityText.showSavedOf({ label })} onClick={onShowSaved}>
          {entityText.showSaved}
        </Small>
      ) : (
        (!masked || mayReveal) && (
          <Small label={entityText.revealOf({ label })} onClick={() => reveal(row)}>
            {entityText.reveal}
          </Small>
        )
      )}
      {masked && mayCheck && checkable.has(type) && (
        <Small label={entityText.checkOf({ label })} onClick={() => setChecking(true)}>
          {entityText.check}
        </Small>
      )}
      {isChecking && (
        <CheckDialog {...{ userId, type }} propertyKey={key} onClose={() => setChecking(false)} />
      )}
    </>
  )
}

/** Types that the service compares. The others have so few values that repeated checks would reveal the stored one. */
const checkable: ReadonlySet<string> = new Set(['TEXT', 'EMAIL', 'URL', 'NUMBER', 'DECIMAL', 'DATE'])

interface SmallProps {
  readonly label: string
  readonly onClick?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly children: ReactNode
  /** Marks a button that is replaced by an input when pressed; the input takes the focus. */
  readonly 'data-gives-input'?: boolean
  readonly 'data-mantine-stop-propagation'?: boolean
}

export function Small({ label, children, ...rest }: SmallProps) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" aria-label={label} {...rest}>
      {children}
    </Button>
  )
}
