import { Checkbox, Radio, TextInput } from '@mantine/core'

import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { transferText } from '../../messages/index.ts'
import { whichEntities } from './cells.ts'
import { type Asked, isChecked, type PartProps } from './export-choices.ts'
import { KeyChoice } from './KeyChoice.tsx'
import { Choices, Nested, Note } from './layout.tsx'

const exportText = transferText.export
const given = { autoComplete: 'off', spellCheck: false }

interface AskedProps {
  readonly asked: Asked
}

/** Columns for properties of entities, in addition to the user's own fields. */
export function ExportProperties({ asked, ...parts }: PartProps & AskedProps) {
  const { chosen, set } = parts
  const denied = useDenied('entities:read')
  const isCsv = chosen.kind === 'csv'
  return (
    <>
      <Checkbox
        label={isCsv ? exportText.properties : exportText.entities}
        description={denied ?? (isCsv ? exportText.propertiesHint : exportText.entitiesHint)}
        disabled={denied !== undefined}
        checked={chosen.withProperties}
        onChange={(event) => set({ withProperties: isChecked(event) })}
      />
      {chosen.withProperties && (
        <Nested>
          {isCsv && <Columns asked={asked} {...parts} />}
          <Sensitive {...parts} />
        </Nested>
      )}
    </>
  )
}

/** Choice of an entity type, of which entities of that type, and of their properties. */
function Columns({ asked, chosen: { entity, which, keys }, set, problems }: PartProps & AskedProps) {
  const isAsked = asked.types.includes(entity)
  return (
    <>
      <TextInput
        maw={280}
        label={exportText.entity}
        value={entity}
        onChange={(event) => set({ entity: event.currentTarget.value, keys: [] })}
        error={problems.entity}
        {...given}
      />
      <Choices label={exportText.which(entity)}>
        {whichEntities.map(
          (one) =>
            (one !== 'matching' || isAsked) && (
              <Radio
                key={one}
                name="which"
                label={exportText[one](entity)}
                description={one === 'matching' ? asked.denied : undefined}
                disabled={one === 'matching' && asked.denied !== undefined}
                checked={which === one}
                onChange={() => set({ which: one })}
              />
            ),
        )}
        <Note>{exportText.whichHint}</Note>
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

function Sensitive({ chosen: { withSensitive, reason }, set, problems }: PartProps) {
  const denied = useDenied('entities:read', 'sensitive:read')
  return (
    <>
      <Checkbox
        label={
          <>
            {exportText.sensitive} <SensitiveMark />
          </>
        }
        description={denied ?? exportText.sensitiveHint}
        disabled={denied !== undefined}
        checked={withSensitive}
        onChange={(event) => set({ withSensitive: isChecked(event) })}
      />
      {withSensitive && (
        <TextInput
          label={exportText.reason}
          description={isFull() ? exportText.reasonKept : exportText.reasonNotKept}
          value={reason}
          onChange={(event) => set({ reason: event.currentTarget.value })}
          error={problems.reason}
          maxLength={500}
          required
          {...given}
        />
      )}
    </>
  )
}
