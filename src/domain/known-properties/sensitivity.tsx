import { Button, Text } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { knownPropertyText, sharedText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { hint } from '../../ui/Hint.tsx'
import { propertyLabel, typeLabel } from '../labels.ts'
import { adviceOn, type KnownProperty, type WrittenProperty } from './known-property.ts'
import { isUnchecked, type KnownProperties } from './use-known-properties.ts'

/**
 * State of the switch that marks a property as sensitive. The switch requires the scope to write sensitive values,
 * except to turn it off for a key that is sensitive only in another entity type. If the key is known to be sensitive in
 * this one, turning it off also requires a confirmation. `isStored`: the property itself is included in the counts.
 */
export function useSensitivity(
  entityType: string | undefined,
  { key, sensitive: isOn }: Pick<WrittenProperty, 'key' | 'sensitive'>,
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
      label={propertyLabel(entityType, key)}
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

interface SensitivitySwitchProps {
  readonly switching: ReturnType<typeof useSensitivity>
  readonly on: boolean
  readonly label: string
  /** Hint on a switch that can be used. */
  readonly meaning: string
  readonly className: string | undefined
}

/** Lock that marks a property as sensitive, with the confirmation that turning it off may need. */
export function SensitivitySwitch({ switching, on, label, meaning, className }: SensitivitySwitchProps) {
  const { denied, set, question } = switching
  const Icon = on ? IconLock : IconLockOpen
  return (
    <>
      <label className={className} data-on={on || undefined} {...hint(denied ?? meaning)}>
        <input
          type="checkbox"
          className="ds-visually-hidden"
          checked={on}
          // `disabled` would make the switch, and the reason shown with it, unreachable by keyboard.
          aria-disabled={denied !== undefined || undefined}
          aria-label={label}
          onChange={(event) => {
            if (denied === undefined) set(event.currentTarget.checked)
          }}
        />
        <Icon size={15} stroke={on ? 2 : 1.5} aria-hidden />
      </label>
      {question}
    </>
  )
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
  const said = explain(row, known)
  const near = onTake && adviceOn(row, known.keys)
  return (
    <Text component="div" size="xs" c="dimmed">
      <Announced>
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
      </Announced>
    </Text>
  )
}

function explain(row: WrittenProperty, known: KnownProperties): string | undefined {
  const { unchecked, checking, elsewhere, hidden, readable } = knownPropertyText
  if (isUnchecked(known, row)) return known.state === 'failed' ? unchecked : checking
  const property = known.of(row.key)
  if (!property?.sensitive) return undefined
  if (property.elsewhere !== undefined)
    return row.sensitive ? elsewhere({ type: typeLabel(property.elsewhere) }) : undefined
  const { uncounted, all, nearly } = row.sensitive ? hidden : readable
  if (property.users === undefined) return uncounted
  return (property.isAll === true ? all : nearly)({ users: property.users })
}

const openDialogText = knownPropertyText.open

interface OpenDialogProps {
  readonly label: string
  readonly known: KnownProperty
  readonly onOpen: () => void
  readonly onClose: () => void
}

/** Asks whether a property is to be readable although other properties with its key are sensitive. */
function OpenDialog({ label, known: { users, isAll }, onOpen, onClose }: OpenDialogProps) {
  const { uncounted, all, nearly } = openDialogText.body
  const extent =
    users === undefined ? uncounted({ label }) : (isAll === true ? all : nearly)({ label, users })
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
        {extent} {openDialogText.consequence}
      </p>
    </Dialog>
  )
}
