import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { knownPropertyText, sharedText } from '../../messages/index.ts'
import { keyLabel } from '../values/key-label.ts'
import { adviceOn, type KnownProperty, type WrittenProperty } from './known-property.ts'
import { isUnchecked, type KnownProperties } from './use-known-properties.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/**
 * State of the switch that marks a property as sensitive. The switch requires the scope to write sensitive values,
 * except to turn it off for a key that is sensitive only in another entity type. If the key is known to be sensitive in
 * this one, turning it off also requires a confirmation. `isStored`: the property itself is included in the counts.
 */
export function useSensitivity(
  { key: property, sensitive: isOn }: Pick<WrittenProperty, 'key' | 'sensitive'>,
  known: KnownProperty | undefined,
  onChange: (sensitive: boolean) => void,
  isStored = false,
) {
  const denied = useDenied('sensitive:write')
  const [isAsking, setAsking] = useState(false)
  const { users = 1 } = known ?? {}
  const isHidden = known?.sensitive === true && known.elsewhere === undefined && !(isStored && users === 1)
  const question: ReactNode = isAsking && known && (
    <OpenDialog
      property={property}
      known={known}
      onOpen={() => onChange(false)}
      onClose={() => setAsking(false)}
    />
  )
  return {
    question,
    denied: isOn && known?.elsewhere !== undefined ? undefined : denied,
    set: (sensitive: boolean) => (isHidden && !sensitive ? setAsking(true) : onChange(sensitive)),
  }
}

interface KnownNoteProps {
  readonly row: WrittenProperty
  readonly known: KnownProperties
  /** Replaces the row's key with the one that it is probably a typo of. Without it, the note does not suggest a key. */
  readonly onTake?: (key: string) => void
}

/** Explains why a property is sensitive, warns that others with its key are, or says that this is unchecked. */
export function KnownNote({ row, known, onTake }: KnownNoteProps) {
  const mayNotHide = useDenied('sensitive:write') !== undefined
  const { sensitive, users, isAll = false, elsewhere } = known.of(row.key) ?? { sensitive: false }
  const said = isUnchecked(known, row)
    ? known.state === 'failed'
      ? knownPropertyText.unchecked
      : knownPropertyText.checking
    : !sensitive
      ? undefined
      : elsewhere !== undefined
        ? row.sensitive
          ? knownPropertyText.elsewhere({ type: keyLabel(elsewhere) })
          : undefined
        : row.sensitive
          ? describeExtent(knownPropertyText.hidden, { users, isAll })
          : describeExtent(knownPropertyText.readable, { users, isAll })
  const near = onTake && adviceOn(row, known.keys)
  return (
    <Text component="output" display="block" size="xs" c="dimmed">
      {said} {said !== undefined && row.sensitive && mayNotHide && knownPropertyText.cannotHide}
      {said === knownPropertyText.unchecked && (
        <Button size="compact-xs" variant="subtle" onClick={known.retry}>
          {sharedText.retry}
        </Button>
      )}
      {near?.about === 'key' && (
        <>
          {knownPropertyText.near({ key: near.known.key })}{' '}
          <Button size="compact-xs" variant="subtle" onClick={() => onTake?.(near.known.key)}>
            {knownPropertyText.take({ key: near.known.key })}
          </Button>
        </>
      )}
    </Text>
  )
}

interface Extent {
  /** Undefined if they have not been counted. */
  readonly users: number | undefined
  readonly isAll: boolean
}

/** Describes for how many users a property is sensitive. */
function describeExtent(
  text: typeof knownPropertyText.hidden | typeof knownPropertyText.readable,
  { users, isAll }: Extent,
): string {
  if (users === undefined) return text.uncounted
  return isAll ? text.all({ users }) : text.nearly({ users })
}

const openDialogText = knownPropertyText.open

interface OpenDialogProps {
  readonly property: string
  readonly known: KnownProperty
  readonly onOpen: () => void
  readonly onClose: () => void
}

/** Asks whether a property is to be readable although other properties with its key are sensitive. */
function OpenDialog({ property, known: { users, isAll = false }, onOpen, onClose }: OpenDialogProps) {
  const label = keyLabel(property)
  return (
    <Dialog
      title={openDialogText.title({ label })}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="default"
            onClick={() => {
              onOpen()
              onClose()
            }}
          >
            {openDialogText.open({ label })}
          </Button>
          <Button onClick={onClose}>{openDialogText.keep({ label })}</Button>
        </>
      }
    >
      <p>
        {describeOpening(label, { users, isAll })} {openDialogText.consequence}
      </p>
    </Dialog>
  )
}

function describeOpening(label: string, { users, isAll }: Extent): string {
  const { uncounted, all, nearly } = openDialogText.body
  if (users === undefined) return uncounted({ label })
  return isAll ? all({ label, users }) : nearly({ label, users })
}
