import { IconArrowBackUp } from '@tabler/icons-react'
import { memo, useRef } from 'react'

import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { entityText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { HiddenBar } from '../../domain/values/HiddenBar.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ValueText } from '../../domain/values/ValueText.tsx'
import { isHidden, type DraftRow } from './row.ts'
import { EditCells } from './EditCells.tsx'
import { textsOf } from './finding.ts'
import { HistoryButton } from './history/use-history.tsx'
import classes from './PropertyRow.module.css'
import { Meanwhile, type PropertyRowProps, renderHiddenTarget, renderTarget } from './row-parts.tsx'
import { useFocusKept } from './row-focus.ts'
import { SensitiveValue } from './SensitiveValue.tsx'

/** Row of one property: editable, read-only, or marked as removed. */
export const PropertyRow = memo(function PropertyRow(props: PropertyRowProps) {
  const { row, denied, repeated } = props
  const { loaded } = row
  const element = useRef<HTMLDivElement>(null)
  const focusKept = useFocusKept(element)
  return (
    <div
      ref={element}
      {...focusKept}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see PropertyList
      role="listitem"
      className={classes.row}
      data-state={row.state}
      data-sensitive={row.sensitive || loaded?.sensitive === true || undefined}
    >
      {denied.write !== undefined || repeated ? (
        <ReadCells {...props} />
      ) : row.state === 'removed' ? (
        <RemovedCells {...props} />
      ) : (
        <EditCells {...props} />
      )}
    </div>
  )
})

/**
 * Classes that place a far row's cells in the normal columns without wrapper elements, since there may be hundreds of
 * such rows.
 */
const far = {
  key: `${classes.key} ${classes.readKey}`,
  type: `${classes.type} ${classes.readType}`,
  value: `${classes.value} ${classes.readValue}`,
}

/** Untouched property far from the viewport, reduced to plain text. */
export function FarRow({ row }: { readonly row: DraftRow }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see PropertyList
    <div role="listitem" className={classes.row} data-sensitive={row.sensitive || undefined}>
      <span className={far.key}>{row.key}</span>
      <span className={far.type}>{dataTypeName(row.type)}</span>
      <span className={far.value}>
        {isHidden(row) ? <HiddenBar /> : textsOf(row.loaded?.value).join(' ')}
      </span>
    </div>
  )
}

function ReadCells({ row, denied, revealed, repeated, onReveal, onHide, onHistory }: PropertyRowProps) {
  const { loaded, key, type } = row
  return (
    <>
      <div className={classes.key}>
        <span className={classes.readKey}>{key}</span>
        {repeated && <p className={classes.note}>{entityText.form.repeatedReason}</p>}
      </div>
      <div className={classes.type}>
        <span className={classes.readType}>{dataTypeName(type)}</span>
      </div>
      <div className={classes.value} data-value>
        {isHidden(row) ? (
          <SensitiveValue
            row={row}
            revealed={revealed}
            onReveal={onReveal}
            onHide={onHide}
            writeDenied={undefined}
            renderLink={renderHiddenTarget}
          />
        ) : (
          <div className={classes.readValue}>
            <ValueText type={type} value={loaded?.value} renderLink={renderTarget} />
          </div>
        )}
      </div>
      <span className={classes.sensitive} data-on={row.sensitive || undefined}>
        {row.sensitive && <SensitiveMark />}
      </span>
      <div className={classes.actions}>
        {loaded && <HistoryButton about={loaded.key} denied={denied.history} onOpen={onHistory} />}
      </div>
    </>
  )
}

/** Cells of a removed property: its key, and an undo button in place of the remove button. */
function RemovedCells({ row, onAct }: PropertyRowProps) {
  return (
    <>
      <div className={classes.key}>
        <s className={classes.readKey}>{row.loaded?.key}</s>
      </div>
      <div className={classes.type}>
        <s className={classes.readType}>{row.loaded && dataTypeName(row.loaded.type)}</s>
      </div>
      <div className={classes.value}>
        <div className={classes.readValue}>{entityText.form.removed}</div>
        <Meanwhile row={row} />
      </div>
      <span className={classes.sensitive} />
      <div className={classes.actions}>
        <IconButton
          // The pressed remove button is gone; this button takes its place and the focus.
          ref={takeFocus}
          aria-label={entityText.form.undoRemoval({ key: row.key })}
          {...hint(entityText.form.undoRemoval({ key: row.key }))}
          onClick={() => onAct({ do: 'undo', id: row.id })}
        >
          <IconArrowBackUp size={16} stroke={1.75} />
        </IconButton>
      </div>
    </>
  )
}

function takeFocus(element: HTMLElement | null) {
  element?.focus()
}
