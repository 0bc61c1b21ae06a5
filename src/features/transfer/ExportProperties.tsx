import { Checkbox, Radio, TextInput } from '@mantine/core'

import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { userExportText } from '../../messages/index.ts'
import { whichEntities } from './cells.ts'
import { type AskedTypes, isChecked, type ExportPartProps } from './export-choices.ts'
import { KeyChoice } from './KeyChoice.tsx'
import { Choices, Nested, Note } from './layout.tsx'

const noAutofillProps = { autoComplete: 'off', spellCheck: false }

interface AskedProps {
  readonly asked: AskedTypes
}

/** Columns for properties of entities, in addition to the user's own fields. */
export function ExportProperties({ asked, ...parts }: ExportPartProps & AskedProps) {
  const { chosen, set } = parts
  const denied = useDenied('entities:read')
  const isCsv = chosen.kind === 'csv'
  return (
    <>
      <Checkbox
        label={isCsv ? userExportText.properties : userExportText.entities}
        description={denied ?? (isCsv ? userExportText.propertiesHint : userExportText.entitiesHint)}
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

/** Choice of an entity type, of the entities of that type, and of their properties. */
function Columns({ asked, chosen: { entity, which, keys }, set, problems }: ExportPartProps & AskedProps) {
  const isAsked = asked.types.includes(entity)
  return (
    <>
      <TextInput
        maw={280}
        label={userExportText.entity}
        value={entity}
        onChange={(event) => set({ entity: event.currentTarget.value, keys: [] })}
        error={problems.entity}
        {...noAutofillProps}
      />
      <Choices label={userExportText.which({ entity })}>
        {whichEntities.map(
          (one) =>
            (one !== 'matching' || isAsked) && (
              <Radio
                key={one}
                name="which"
                label={userExportText[one]({ entity })}
                description={one === 'matching' ? asked.denied : undefined}
                disabled={one === 'matching' && asked.denied !== undefined}
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
        description={denied ?? userExportText.sensitiveHint}
        disabled={denied !== undefined}
        checked={withSensitive}
        onChange={(event) => set({ withSensitive: isChecked(event) })}
      />
      {withSensitive && (
        <TextInput
          label={userExportText.reason}
          description={isFull() ? userExportText.reasonKept : userExportText.reasonNotKept}
          value={reason}
          onChange={(event) => set({ reason: event.currentTarget.value })}
          error={problems.reason}
          maxLength={500}
          required
          {...noAutofillProps}
        />
      )}
    </>
  )
}
