import { Checkbox, Input, Radio, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { whichEntities } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { EntityTypePicker } from '../../domain/definitions/Picker.tsx'
import { useEntityTypes } from '../../domain/definitions/use-definitions.ts'
import { propertyLabel, typeLabel } from '../../domain/labels.ts'
import { keysQuery } from '../../domain/queries/keys.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { userExportText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { type ExportPartProps, isChecked, type KeysChosen } from './export-choices.ts'
import { Choices, Nested, Note } from './layout.tsx'
import classes from './layout.module.css'

/** Option to export the users' entities too: columns for their properties in tables, whole entities in JSON lines. */
export function ExportProperties(parts: ExportPartProps) {
  const { chosen, set } = parts
  const denied = useDenied('entities:read')
  const isTable = chosen.kind !== 'ndjson'
  return (
    <>
      <Checkbox
        label={isTable ? userExportText.properties : userExportText.entities}
        description={denied ?? (isTable ? userExportText.propertiesHint : undefined)}
        disabled={denied !== undefined}
        checked={chosen.withProperties}
        onChange={(event) => set({ withProperties: isChecked(event) })}
      />
      {chosen.withProperties && (
        <Nested>
          {isTable && <Columns {...parts} />}
          <Sensitive {...parts} />
        </Nested>
      )}
    </>
  )
}

function Columns({ matchable, chosen: { entity, which, keys }, set, problems }: ExportPartProps) {
  const isMatchable = matchable.types.includes(entity)
  const types = useEntityTypes()
  return (
    <>
      <Input.Wrapper
        maw={280}
        label={userExportText.entity}
        labelProps={{ 'aria-hidden': true }}
        error={problems.entity}
        errorProps={{ id: 'export-entity' }}
      >
        <EntityTypePicker
          byLabel
          types={types}
          label={userExportText.entity}
          value={entity}
          onChange={(next) => set({ entity: next, keys: next === entity ? keys : [] })}
          invalid={problems.entity !== undefined}
          describedBy={problems.entity === undefined ? undefined : 'export-entity'}
        />
      </Input.Wrapper>
      <Choices label={userExportText.which({ entity: typeLabel(entity) })}>
        {whichEntities.map(
          (one) =>
            (one !== 'matching' || isMatchable) && (
              <Radio
                key={one}
                name="which"
                label={userExportText[one]({ entity: typeLabel(entity) })}
                description={one === 'matching' ? matchable.denied : undefined}
                disabled={one === 'matching' && matchable.denied !== undefined}
                checked={which === one}
                onChange={() => set({ which: one })}
              />
            ),
        )}
        <Note>{userExportText.whichHint}</Note>
      </Choices>
      <KeyChoice
        key={entity}
        entity={entity}
        chosen={keys}
        onChange={(next) => set({ keys: next })}
        error={problems.keys}
      />
    </>
  )
}

function Sensitive({ chosen: { withSensitive, reason }, set, problems }: ExportPartProps) {
  const denied = useDenied('entities:read', 'sensitive:read')
  return (
    <>
      <Checkbox
        label={
          <>
            {userExportText.sensitive} <SensitiveMark />
          </>
        }
        color="violet"
        description={denied ?? userExportText.sensitiveHint}
        disabled={denied !== undefined}
        checked={withSensitive}
        onChange={(event) => set({ withSensitive: isChecked(event) })}
      />
      {withSensitive && (
        <TextInput
          label={userExportText.reason}
          description={userExportText.reasonKept}
          value={reason}
          onChange={(event) => set({ reason: event.currentTarget.value })}
          error={problems.reason}
          maxLength={500}
          required
          spellCheck={false}
        />
      )}
    </>
  )
}

interface KeyChoiceProps {
  readonly entity: string
  readonly chosen: KeysChosen
  readonly onChange: (keys: KeysChosen) => void
  readonly error: string | undefined
}

/** Choice of properties: from the keys that the service knows, or typed if their list fails to load. */
function KeyChoice(props: KeyChoiceProps) {
  const { entity } = props
  const { data, isError } = useQuery({ ...keysQuery(entity), enabled: entity !== '' })
  if (isError) return <TypedKeys {...props} />
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
  if (keys.length === 0) return <Note>{userExportText.noKeys({ entity: typeLabel(entity) })}</Note>
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
                <span {...hint(one.key)}>{propertyLabel(entity, one.key)}</span>{' '}
                {one.sensitive && <SensitiveMark />}
              </>
            }
            checked={chosen.some(({ key }) => key === one.key)}
            aria-invalid={error !== undefined}
            onChange={(event) => {
              const others = chosen.filter(({ key }) => key !== one.key)
              const now = isChecked(event) ? [...others, one] : others
              onChange(keys.filter(({ key }) => now.some((each) => each.key === key)))
            }}
          />
        ))}
      </div>
    </Choices>
  )
}

function TypedKeys({ chosen, onChange, error }: KeyChoiceProps) {
  const [typed, setTyped] = useState(() => chosen.map(({ key }) => key).join('\n'))
  return (
    <Textarea
      label={userExportText.keys}
      description={userExportText.keysFailed}
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
      spellCheck={false}
    />
  )
}
