import type { Change, Changeset } from '#contract/index.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import { changeText } from '../../messages/index.ts'
import { ChangedValue } from './ChangedValue.tsx'
import classes from './Changes.module.css'
import { isSensitive } from './is-sensitive.ts'
import { fieldName, isOfUser } from './labels.ts'
import { HiddenBar } from '../values/HiddenBar.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'

/**
 * Table of the changes of one write, old → new value. For a sensitive value that is withheld, it shows only that the
 * value changed.
 */
export function Changes({ changeset }: { readonly changeset: Changeset }) {
  const { changes, entityType, entityTypeBefore } = changeset
  const typeChanged = typeof entityTypeBefore === 'string'
  if (changes.length === 0 && !typeChanged) return <p className="ds-dimmed">{changeText.none}</p>
  return (
    <table aria-label={changeText.label} className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{changeText.key}</th>
          <th scope="col">{changeText.before}</th>
          <th scope="col">{changeText.after}</th>
        </tr>
      </thead>
      <tbody>
        {typeChanged && (
          <tr data-op="change">
            <th scope="row">{changeText.entityType}</th>
            <td>{entityTypeBefore}</td>
            <td>{entityType}</td>
          </tr>
        )}
        {changes.map((change) => (
          <tr key={change.key} data-op={change.op} data-sensitive={isSensitive(change) || undefined}>
            <th scope="row">
              <ChangeKey change={change} ofUser={isOfUser(changeset)} />
            </th>
            {isSensitive(change) && change.masked === true ? (
              <td colSpan={2}>
                <HiddenBar>{changeText.secret({ op: change.op })}</HiddenBar>
              </td>
            ) : (
              <>
                <td>
                  {change.op === 'add' ? (
                    <span className="ds-dimmed">{changeText.wasNot}</span>
                  ) : (
                    <ChangedValue changeset={changeset} change={change} side="before" />
                  )}
                </td>
                <td>
                  {change.op === 'remove' ? (
                    changeText.removed
                  ) : (
                    <ChangedValue changeset={changeset} change={change} side="after" />
                  )}
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ChangeKey({ change, ofUser }: { readonly change: Change; readonly ofUser: boolean }) {
  const { key, type, typeBefore, sensitive, sensitiveBefore } = change
  return (
    <>
      <span className={ofUser ? undefined : 'ds-mono'}>{ofUser ? fieldName(key) : key}</span>{' '}
      {isSensitive(change) && <SensitiveMark />}
      {typeBefore !== undefined && (
        <span className={classes.aspect}>
          {changeText.type({ before: dataTypeName(typeBefore), after: dataTypeName(type) })}
        </span>
      )}
      {sensitiveBefore !== undefined && (
        <span className={classes.aspect}>
          {sensitive === true ? changeText.becameSensitive : changeText.becamePlain}
        </span>
      )}
    </>
  )
}
