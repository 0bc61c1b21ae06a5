import { createContext, type Ref, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { isBlank } from '#contract/reading/parts.ts'
import { PropertyPicker } from '../../../domain/definitions/Picker.tsx'
import { CellIssue, issueProps } from '../../../domain/known-properties/cells.tsx'
import { KnownNote } from '../../../domain/known-properties/sensitivity.tsx'
import type { KnownProperties } from '../../../domain/known-properties/use-known-properties.ts'
import { entityText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { EntityDraft } from '../draft/entity-draft.ts'
import { EntityTypeContext } from '../draft/entity-type.ts'
import { draftOfRow } from '../draft/row.ts'
import type { PropertyRowProps } from './row-parts.tsx'

/** Returns the keys of a draft's other rows, which a row must not have too. */
type TakenKeys = (rowId: string) => ReadonlySet<string>

const noneTaken: ReadonlySet<string> = new Set()

export const TakenKeysContext = createContext<TakenKeys>(() => noneTaken)

const nothingKnown: KnownProperties = {
  keys: [],
  properties: [],
  of: () => undefined,
  state: 'none',
  error: undefined,
  retry: () => undefined,
}

export const KnownContext = createContext(nothingKnown)

interface KeyFieldProps extends Pick<PropertyRowProps, 'row' | 'onAct'> {
  /** Label of the property. */
  readonly name: string
  readonly ref: Ref<HTMLInputElement>
  readonly issue: string | undefined
  /** Reason why the key may not be changed. */
  readonly denied: string | undefined
  readonly onBlur: () => void
}

/** Input for a key, with what is known of it. A chosen property gives a new row its type and sensitivity unless set by hand. */
export function KeyField({ row, name, issue, denied, onAct, ...field }: KeyFieldProps) {
  const takenKeys = use(TakenKeysContext)
  const [taken, setTaken] = useState(noneTaken)
  // Type and sensitivity that nobody chose by hand: the defaults of a new row, or those of the last chosen key.
  const [given, setGiven] = useState({ type: 'TEXT', sensitive: false })
  const known = use(KnownContext)
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
  const issueId = `${id}-key`
  return (
    <>
      <div {...hint(denied)}>
        <PropertyPicker
          {...field}
          label={entityText.form.keyOf({ label: name })}
          placeholder={entityText.form.key}
          readOnly={denied !== undefined}
          {...issueProps(issueId, issue)}
          mono
          value={key}
          properties={properties}
          onChange={(next) => onAct({ do: 'set key', id, key: next })}
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

/** Returns a function with a stable identity, so that typing does not render every row again. */
export function useTakenKeys(draft: EntityDraft): TakenKeys {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  return useCallback(
    (rowId) =>
      new Set(
        latest.current.rows.flatMap(({ id, key, removed }) =>
          id === rowId || removed === true || key === '' ? [] : [key],
        ),
      ),
    [],
  )
}
