import { Box } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'

import { HiddenBar } from '../../domain/values/HiddenBar.tsx'
import { rawText } from '../../domain/values/draft.ts'
import { type Target, ValueText } from '../../domain/values/ValueText.tsx'
import { entityText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { lazyExtra } from '../../ui/lazy-extra.ts'
import classes from './HiddenValue.module.css'
import { CheckButton, isCheckable } from './CheckButton.tsx'
import { clearClipboardLater, isRevealable, type Revealed, shownMs } from './reveal.ts'
import { isMasked, type Row } from './row.ts'
import { Small } from './Small.tsx'

// Mantine's ring, which hardly anybody needs to see. Where it cannot be read the value is hidden in time all the same.
const RemainingTime = lazyExtra(async () => (await import('../../ui/RemainingTime.tsx')).RemainingTime)

export interface HiddenValueProps {
  readonly row: Row
  readonly revealed: Revealed | undefined
  readonly onReveal: (row: Row) => void
  readonly onHide: () => void
  /** Why the caller does not get the value, where the service keeps it. */
  readonly readDenied: string | undefined
  readonly renderLink: (target: Target) => ReactNode
}

/** A stored sensitive value: a mask until it is asked for, then the value with the time that is left. */
export function HiddenValue(props: HiddenValueProps) {
  const { row, revealed } = props
  const name = row.loaded?.key ?? row.key
  return revealed ? <Shown {...props} name={name} revealed={revealed} /> : <Mask {...props} name={name} />
}

interface ShownProps extends Pick<HiddenValueProps, 'onHide' | 'renderLink'> {
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
      <Suspense fallback={<Box w={16} />}>
        <RemainingTime
          untilMs={untilMs}
          ofMs={shownMs}
          color="var(--ds-sensitive)"
          label={entityText.hiddenIn}
        />
      </Suspense>
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
      <span className={classes.mask}>
        <HiddenBar />
      </span>
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
