import { Button, Text } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import type { KnownKey } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { knownPropertyText, sharedText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { hint } from '../../ui/Hint.tsx'
import { propertyLabel, typeLabel } from '../labels.ts'
import { keyCountQuery } from '../queries/keys.ts'
import { dataTypeName } from '../values/data-type-name.ts'
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
  readonly entityType: string
  readonly known: KnownProperties
  /** Keys of the other rows, which this one must not have too. */
  readonly taken?: ReadonlySet<string>
  /** Whether the note tells why the property is sensitive. */
  readonly isExplained?: boolean
  /** Whether the note suggests another key or type. */
  readonly isAdvised?: boolean
  /** Replaces the row's key by a known one that it is probably a typo of. */
  readonly onTake: (known: KnownKey) => void
  /** Without it, no other type is suggested. */
  readonly onTakeType?: (type: string) => void
}

const noneTaken: ReadonlySet<string> = new Set()

/**
 * Note below a key while it is typed: why its property is sensitive, that others with its key are, or that this is
 * unchecked; and whether a known key is similar, or has another type.
 */
export function KnownNote(props: KnownNoteProps) {
  const { row, known, taken = noneTaken, isExplained = true, isAdvised = true, onTakeType } = props
  const mayNotHide = useDenied('sensitive:write') !== undefined
  const said = isExplained ? explain(row, known) : undefined
  const free = known.keys.filter(({ key }) => !taken.has(key))
  const advice = isAdvised ? adviceOn(row, free) : undefined
  return (
    <Text component="div" size="xs" c="dimmed">
      <Announced>
        {said !== undefined && (
          <>
            {said} {row.sensitive && mayNotHide && knownPropertyText.cannotHide}
          </>
        )}
        {said === knownPropertyText.unchecked && (
          <Button size="compact-xs" variant="subtle" onClick={known.retry}>
            {sharedText.retry}
          </Button>
        )}
        {advice && (advice.about === 'key' || onTakeType) && <Suggestion {...props} advice={advice} />}
      </Announced>
    </Text>
  )
}

interface SuggestionProps extends Pick<KnownNoteProps, 'entityType' | 'known' | 'onTake' | 'onTakeType'> {
  readonly advice: NonNullable<ReturnType<typeof adviceOn>>
}

function Suggestion({ entityType, known: { state }, advice, onTake, onTakeType }: SuggestionProps) {
  const { known, about } = advice
  const { key, type, sensitive } = known
  const denied = useDenied('users:read', 'segments:read')
  const { data } = useQuery({
    ...keyCountQuery(entityType, known),
    // A count would reveal something about sensitive values and would be recorded; a hint does not justify that.
    enabled: sensitive !== true && denied === undefined && state !== 'none',
  })
  const { uncounted, counted, more } = knownPropertyText.had
  const named = { key, type: dataTypeName(type) }
  return (
    <>
      {data ? (data.isMore ? more : counted)({ ...named, users: data.total }) : uncounted(named)}{' '}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => (about === 'key' ? onTake(known) : onTakeType?.(type))}
      >
        {about === 'key' ? knownPropertyText.take({ key }) : knownPropertyText.takeType(named)}
      </Button>
    </>
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
