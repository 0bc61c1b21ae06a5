import { type Ref, use, useMemo, useState } from 'react'

import { isBlank } from '#contract/reading/parts.ts'
import { PropertyPicker } from '../../../domain/definitions/Picker.tsx'
import type { RowIssues } from '../../../domain/failures/pointers.ts'
import { CellIssue, issueProps } from '../../../domain/known-properties/cells.tsx'
import { KnownNote } from '../../../domain/known-properties/sensitivity.tsx'
import type { KnownProperties } from '../../../domain/known-properties/use-known-properties.ts'
import { entityText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Action } from '../draft/entity-draft.ts'
import { EntityTypeContext } from '../draft/entity-type.ts'
import { type DraftRow, draftOfRow } from '../draft/row.ts'

const noneTaken: ReadonlySet<string> = new Set()

export interface KeyFieldProps {
  readonly row: DraftRow
  readonly known: KnownProperties
  /** Returns the keys of the draft's other rows, which this one must not have too. */
  readonly takenKeys: (rowId: string) => ReadonlySet<string>
  /** Issues of the input. Until a save, those of a key or of a new value are hidden until it was left. */
  readonly issues: RowIssues | undefined
  readonly showIssues: boolean
  /** Issues that the service reported. */
  readonly refused: RowIssues | undefined
  readonly onAct: (action: Action) => void
  /** Label of the property. */
  readonly name: string
  readonly ref: Ref<HTMLInputElement>
  /** Reason why the key may not be changed. */
  readonly denied: string | undefined
}

/** Input for a key, with what is known of it. A chosen property gives a new row its type and sensitivity unless set by hand. */
export function KeyField(props: KeyFieldProps) {
  const { row, known, takenKeys, name, ref, denied, onAct } = props
  const [taken, setTaken] = useState(noneTaken)
  const [isLeft, setLeft] = useState(false)
  // Type and sensitivity that nobody chose by hand: the defaults of a new row, or those of the last chosen key.
  const [given, setGiven] = useState({ type: 'TEXT', sensitive: false })
  const entityType = use(EntityTypeContext) ?? ''
  const { id, key, loaded, state, sensitive: isSensitive, aspects } = row
  const properties = useMemo(
    () => (taken.size === 0 ? known.properties : known.properties.filter((each) => !taken.has(each.name))),
    [known.properties, taken],
  )
  const setType = (type: string) => onAct({ do: 'set property type', id, type })
  const choose = (chosen: string, type: string | undefined, sensitive: boolean) => {
    onAct({ do: 'set key', id, key: chosen })
    if (loaded || type === undefined) return
    const isTypeFree = (row.type === given.type || row.chosen?.type !== true) && isBlank(draftOfRow(row))
    if (isTypeFree && known.of(chosen)?.type !== type) setType(type)
    if (known.state === 'none' && isSensitive === given.sensitive)
      onAct({ do: 'set sensitive', id, sensitive })
    setGiven({ type, sensitive })
  }
  const issue = props.refused?.key ?? (props.showIssues || isLeft ? props.issues?.key : undefined)
  const issueId = `${id}-key`
  return (
    <>
      <div {...hint(denied)}>
        <PropertyPicker
          ref={ref}
          label={entityText.form.keyOf({ label: name })}
          placeholder={entityText.form.key}
          readOnly={denied !== undefined}
          {...issueProps(issueId, issue)}
          mono
          value={key}
          properties={properties}
          onChange={(next) => onAct({ do: 'set key', id, key: next })}
          onBlur={() => setLeft(true)}
          onFocus={() => setTaken(takenKeys(id))}
          onChoose={(chosen) => choose(chosen.name, chosen.type, chosen.sensitive)}
        />
      </div>
      <CellIssue id={issueId}>{issue}</CellIssue>
      <KnownNote
        {...{ row, entityType, known, taken }}
        // An added, readable or renamed property.
        isExplained={state === 'added' || (state === 'edited' && (!isSensitive || aspects.includes('key')))}
        isAdvised={key !== loaded?.key || row.type !== loaded.type}
        onTake={(near) => choose(near.key, near.type, near.sensitive === true)}
        onTakeType={setType}
      />
    </>
  )
}
