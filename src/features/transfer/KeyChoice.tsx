import { Checkbox, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { userExportText } from '../../messages/index.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { keysQuery, listsKeys } from '../../domain/queries/keys.ts'
import type { PropertyColumns } from './export.ts'
import { Choices, Note } from './layout.tsx'
import classes from './transfer.module.css'

export type KeysChosen = PropertyColumns['keys']

export interface KeyChoiceProps {
  /** Type of the entity. */
  readonly entity: string
  readonly chosen: KeysChosen
  readonly onChange: (keys: KeysChosen) => void
  readonly error: string | undefined
}

/** Choice of properties: from the keys that the service knows, or typed if the service has no list. */
export function KeyChoice(props: KeyChoiceProps) {
  const { entity } = props
  const hasList = listsKeys()
  const { data, isError } = useQuery({ ...keysQuery(entity), enabled: hasList && entity !== '' })
  if (!hasList || isError)
    return <TypedKeys {...props} hint={isError ? userExportText.keysFailed : userExportText.keysHint} />
  if (!data) return entity === '' ? null : <SkeletonRows rows={3} height="24px" />
  return <KnownKeys {...props} known={data} />
}

function KnownKeys(
  props: KeyChoiceProps & { readonly known: readonly { key: string; sensitive?: unknown }[] },
) {
  const { entity, chosen, onChange, error, known } = props
  // A key has one entry for each of its types, and is sensitive if any of them is.
  const keys = [...new Set(known.map(({ key }) => key))].map((key) => ({
    key,
    sensitive: known.some((one) => one.key === key && one.sensitive === true),
  }))
  if (keys.length === 0) return <Note>{userExportText.noKeys({ entity })}</Note>
  return (
    <Choices label={userExportText.keys} error={error}>
      {keys.length > 2 && (
        <Checkbox
          label={userExportText.allKeys}
          checked={chosen.length === keys.length}
          indeterminate={chosen.length > 0 && chosen.length < keys.length}
          onChange={(event) => onChange(event.currentTarget.checked ? keys : [])}
        />
      )}
      <div className={classes.keys}>
        {keys.map((one) => (
          <Checkbox
            key={one.key}
            label={
              <>
                {one.key} {one.sensitive && <SensitiveMark />}
              </>
            }
            checked={chosen.some(({ key }) => key === one.key)}
            aria-invalid={error !== undefined}
            onChange={(event) => {
              const { checked } = event.currentTarget
              onChange(
                keys.filter(({ key }) =>
                  key === one.key ? checked : chosen.some((other) => other.key === key),
                ),
              )
            }}
          />
        ))}
      </div>
    </Choices>
  )
}

function TypedKeys({ chosen, onChange, error, hint }: KeyChoiceProps & { readonly hint: string }) {
  const [typed, setTyped] = useState(() => chosen.map(({ key }) => key).join('\n'))
  return (
    <Textarea
      label={userExportText.keys}
      description={hint}
      value={typed}
      onChange={(event) => {
        const { value } = event.currentTarget
        setTyped(value)
        const keys = new Set(value.split('\n').map((line) => line.trim()))
        keys.delete('')
        onChange([...keys].map((key) => ({ key, sensitive: 'perhaps' as const })))
      }}
      error={error}
      rows={4}
      resize="vertical"
      autoComplete="off"
      spellCheck={false}
    />
  )
}
