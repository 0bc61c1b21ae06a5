import { type ComponentPropsWithRef, type ElementType, Fragment, type ReactNode } from 'react'

import classes from './RowFrame.module.css'

type Place = 'record' | 'form' | 'history'

/** Elements of a row: a description in a record, an item of a form, or one of a history. */
const elements: Record<Place, { Row: ElementType; Label: ElementType; Body: ElementType }> = {
  record: { Row: 'div', Label: 'dt', Body: 'dd' },
  form: { Row: 'div', Label: 'div', Body: Fragment },
  history: { Row: 'li', Label: 'span', Body: Fragment },
}

export interface RowFrameProps extends ComponentPropsWithRef<'div'> {
  readonly place: Place
  /** Label of the property, its key, or the input for that; undefined if all rows are about one property. */
  readonly label: ReactNode
  /** Cells of the row. */
  readonly children: ReactNode
}

/** Frame of a property, wherever it is read or edited: its label, and the cells of its value. */
export function RowFrame({ place, label, children, ...row }: RowFrameProps) {
  const { Row, Label, Body } = elements[place]
  return (
    <Row {...row} className={classes.row} data-place={place}>
      {label !== undefined && <Label className={classes.label}>{label}</Label>}
      <Body {...(Body !== Fragment && { className: classes.body })}>{children}</Body>
    </Row>
  )
}

interface RowCellsProps {
  /** Type of the property and the like. Comes before the value in the order of the focus, wherever it is drawn. */
  readonly quiet?: ReactNode
  /** Value, or its input. */
  readonly children: ReactNode
  readonly actions?: ReactNode
}

export function RowCells({ quiet, children, actions }: RowCellsProps) {
  return (
    <>
      {quiet !== undefined && <div className={classes.quiet}>{quiet}</div>}
      <div className={classes.value} data-value>
        {children}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </>
  )
}
