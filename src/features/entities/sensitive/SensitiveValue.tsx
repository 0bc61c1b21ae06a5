import { flushSync } from 'react-dom'

import type { ValueIssue } from '#contract/index.ts'
import type { Draft } from '../../../domain/values/draft.ts'
import { ValueInput } from '../../../domain/values/ValueInput.tsx'
import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { isTyped } from '../../../ui/keys/shortcut.ts'
import type { Action } from '../draft/entity-draft.ts'
import { useLabel } from '../draft/entity-type.ts'
import { RelationshipInput } from '../target/RelationshipInput.tsx'
import { MaskedValue, type MaskedValueProps, Small } from './MaskedValue.tsx'
import classes from './SensitiveValue.module.css'

export interface SensitiveValueProps extends MaskedValueProps {
  /** Dispatches an edit; undefined if the value is shown for reading only. */
  readonly onAct?: ((action: Action) => void) | undefined
  readonly writeDenied?: string | undefined
  readonly issues?: readonly ValueIssue[] | undefined
  readonly onBlur?: () => void
  /** Whether the old value is kept by what is around the value, so that no button of its own is needed. */
  readonly isKeptAround?: boolean
}

/** Stored sensitive value: never edited in place, but replaced by what is typed into an empty input beside it. */
export function SensitiveValue(props: SensitiveValueProps) {
  const { row, revealed, onAct, writeDenied, issues } = props
  const { key } = row.loaded ?? row
  const label = useLabel()
  const isReplaced = row.edit !== undefined && onAct !== undefined
  const replace = () => onAct?.({ do: 'replace value', id: row.id })
  return (
    <div className={classes.masked}>
      {(revealed || !isReplaced) && <MaskedValue {...props} />}
      {row.edit && onAct && <Replacement {...props} name={key} edit={row.edit} onAct={onAct} />}
      {!row.edit && onAct && (
        <DisabledReason reason={writeDenied}>
          <Small
            label={entityText.replaceOf({ label: label(key) })}
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
      {!isReplaced && issues && issues.length > 0 && <p className={classes.issue}>{issues[0]?.detail}</p>}
    </div>
  )
}

interface ReplacementProps extends Pick<
  SensitiveValueProps,
  'row' | 'issues' | 'onBlur' | 'isKeptAround' | 'renderLink'
> {
  readonly name: string
  readonly edit: Draft
  readonly onAct: (action: Action) => void
}

function Replacement(props: ReplacementProps) {
  const { row, name, edit, issues, onBlur, isKeptAround = false, onAct, renderLink } = props
  const { id, type, emptied } = row
  const label = useLabel()
  return (
    <>
      {emptied === true ? (
        <span className="ds-dimmed">{entityText.willBeEmpty}</span>
      ) : (
        <div className={classes.replacement}>
          <ValueInput
            type={type}
            draft={edit}
            label={entityText.form.valueOf({ label: label(name) })}
            blank={entityText.unchanged}
            issues={issues}
            onBlur={onBlur}
            onChange={(draft) => onAct({ do: 'set value', id, draft })}
            renderLink={renderLink}
            relationship={RelationshipInput}
          />
        </div>
      )}
      {!isKeptAround && (
        <Small
          label={entityText.keepOf({ label: label(name) })}
          onClick={() => onAct({ do: 'keep value', id })}
        >
          {entityText.keep}
        </Small>
      )}
      {emptied !== true && (
        <Small
          label={entityText.emptyOf({ label: label(name) })}
          onClick={() => onAct({ do: 'empty value', id })}
        >
          {entityText.emptyIt}
        </Small>
      )}
    </>
  )
}
