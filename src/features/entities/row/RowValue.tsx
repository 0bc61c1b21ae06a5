import { flushSync } from 'react-dom'

import type { ValueIssue } from '#contract/index.ts'
import { DefinedValue } from '../../../domain/definitions/DefinedValue.tsx'
import type { NamedProperty } from '../../../domain/definitions/definitions.ts'
import type { Draft } from '../../../domain/values/draft.ts'
import { ValueInput } from '../../../domain/values/ValueInput.tsx'
import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { isTyped } from '../../../ui/keys/shortcut.ts'
import type { Action } from '../draft/entity-draft.ts'
import { useLabel } from '../draft/entity-type.ts'
import { type DraftRow, draftOfRow, loadedDraft, showsMask } from '../draft/row.ts'
import { MaskedValue, type MaskedValueProps, Small } from '../sensitive/MaskedValue.tsx'
import { useRevealed } from '../sensitive/reveal.ts'
import { RelationshipInput } from '../target/RelationshipInput.tsx'
import { renderHiddenTarget, renderTarget } from '../target/TargetLink.tsx'
import classes from './RowValue.module.css'

/** Acts and issues of a value while it is edited. */
export interface ValueEdit {
  readonly onAct: (action: Action) => void
  readonly issues: readonly ValueIssue[] | undefined
  readonly onBlur: () => void
  /** Reason why a hidden value may not be replaced. */
  readonly writeDenied: string | undefined
  /** Whether the old value is kept by what is around the value, so that no button of its own is needed. */
  readonly isKeptAround?: boolean
}

interface RowValueProps extends MaskedValueProps {
  /** Definition of the row's property; undefined if there is none. */
  readonly property: NamedProperty | undefined
  /** Undefined if the value is only read. */
  readonly edit?: ValueEdit | undefined
}

/** Value of a row: as text, behind its mask, or in its input. */
export function RowValue({ property, edit, ...shown }: RowValueProps) {
  const { row } = shown
  const { type, loaded } = row
  const label = useLabel()
  if (showsMask(row)) return edit ? <HiddenValue {...shown} edit={edit} /> : <MaskedValue {...shown} />
  if (!edit)
    return <DefinedValue property={property} type={type} value={loaded?.value} renderLink={renderTarget} />
  return (
    <ValueInput
      {...inputProps(row, edit, label)}
      draft={draftOfRow(row)}
      stored={loadedDraft(row)}
      defined={property}
      renderLink={renderTarget}
    />
  )
}

function inputProps(row: DraftRow, { issues, onBlur, onAct }: ValueEdit, label: (key: string) => string) {
  const { id, type, loaded } = row
  const key = loaded?.key ?? row.key
  return {
    type,
    issues,
    onBlur,
    // The name keeps the stored key, so that it stays the same while the key is edited.
    label: entityText.form.valueOf({ label: key === '' ? entityText.form.unnamed : label(key) }),
    onChange: (draft: Draft) => onAct({ do: 'set value', id, draft }),
    relationship: RelationshipInput,
  }
}

interface HiddenValueProps extends MaskedValueProps {
  readonly edit: ValueEdit
}

/** Stored sensitive value: never edited in place, but replaced by what is typed into an empty input beside it. */
function HiddenValue({ edit, ...shown }: HiddenValueProps) {
  const { row } = shown
  const { revealed } = useRevealed(row)
  const { writeDenied, issues, onAct } = edit
  const label = useLabel()((row.loaded ?? row).key)
  const replace = () => onAct({ do: 'replace value', id: row.id })
  return (
    <div className={classes.masked}>
      {(revealed || !row.edit) && <MaskedValue {...shown} />}
      {row.edit ? (
        <Replacement {...{ row, label, edit }} draft={row.edit} />
      ) : (
        <DisabledReason reason={writeDenied}>
          <Small
            label={entityText.replaceOf({ label })}
            onClick={replace}
            // A character that is typed over the button is the first of the new value: the input has the focus before
            // the browser writes it.
            onKeyDown={(event) => {
              if (isTyped(event) && writeDenied === undefined) flushSync(replace)
            }}
            data-gives-input
          >
            {entityText.replace}
          </Small>
        </DisabledReason>
      )}
      {!row.edit && issues && issues.length > 0 && <p className={classes.issue}>{issues[0]?.detail}</p>}
    </div>
  )
}

interface ReplacementProps extends Pick<HiddenValueProps, 'row' | 'edit'> {
  readonly label: string
  readonly draft: Draft
}

function Replacement({ row, label, draft, edit }: ReplacementProps) {
  const { id, emptied } = row
  const { isKeptAround = false, onAct } = edit
  return (
    <>
      {emptied === true ? (
        <span className="ds-dimmed">{entityText.willBeEmpty}</span>
      ) : (
        <div className={classes.replacement}>
          <ValueInput
            {...inputProps(row, edit, () => label)}
            draft={draft}
            blank={entityText.unchanged}
            renderLink={renderHiddenTarget}
          />
        </div>
      )}
      {!isKeptAround && (
        <Small label={entityText.keepOf({ label })} onClick={() => onAct({ do: 'keep value', id })}>
          {entityText.keep}
        </Small>
      )}
      {emptied !== true && (
        <Small label={entityText.emptyOf({ label })} onClick={() => onAct({ do: 'empty value', id })}>
          {entityText.emptyIt}
        </Small>
      )}
    </>
  )
}
