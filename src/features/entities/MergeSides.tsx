import type { ReactNode } from 'react'

import type { Property } from '#contract/index.ts'

import { entityMergeText } from '../../messages/index.ts'
import { rawText } from '../../domain/values/draft.ts'
import { ValueText } from '../../domain/values/ValueText.tsx'
import { draftOfRow, hasNewValue, isSecret, readRow, type Row } from './draft.ts'
import classes from './MergeDialog.module.css'

/** The property that they wrote: of a key that was given here to another one, that key. */
export function theirKey(row: Row): string {
  return isAboutKey(row) ? row.key : (row.loaded ?? row.before ?? row).key
}

/** The property itself is as it was; it is the key given to it here that they wrote. */
function isAboutKey({ loaded, before }: Row): boolean {
  return loaded !== undefined && loaded === before
}

function holder(key: string, rows: readonly Row[]): Property | undefined {
  return rows.find((row) => row.loaded?.key === key && row.key === key)?.loaded
}

interface SideProps {
  readonly row: Row
  readonly rows: readonly Row[]
}

export function Mine({ row, rows }: SideProps) {
  const { key, type, sensitive, removed } = row
  if (removed === true) return entityMergeText.gone
  const read = readRow(row)
  return (
    <>
      <State
        of={row}
        now={{ key, type, sensitive }}
        value={
          isSecret(row) ? (
            hasNewValue(row) ? (
              entityMergeText.hiddenNew
            ) : (
              entityMergeText.hiddenUnchanged
            )
          ) : read === 'kept' || read.issues ? (
            rawText(draftOfRow(row).text)
          ) : (
            <ValueText type={type} value={read.value} />
          )
        }
      />
      {isAboutKey(row) && holder(key, rows) && (
        <span className={classes.part}>{entityMergeText.takesKey(key)}</span>
      )}
    </>
  )
}

export function Theirs({ row, rows }: SideProps) {
  const { loaded, before } = row
  if (!loaded) return entityMergeText.gone
  const added = isAboutKey(row) ? holder(row.key, rows) : undefined
  return (
    <>
      <State
        of={row}
        now={loaded}
        value={
          !isSecret(row) ? (
            <ValueText type={loaded.type} value={loaded.value} />
          ) : before && isSameSecret(before, loaded) ? (
            entityMergeText.hiddenUnchanged
          ) : (
            entityMergeText.hiddenChanged
          )
        }
      />
      {isAboutKey(row) && (
        <span className={classes.part}>
          {added ? (
            <>
              {entityMergeText.addedKey(row.key)}{' '}
              {added.sensitive === true ? (
                entityMergeText.hidden
              ) : (
                <ValueText type={added.type} value={added.value} />
              )}
            </>
          ) : (
            entityMergeText.removedKey(row.key)
          )}
        </span>
      )}
    </>
  )
}

function isSameSecret(a: Property, b: Property): boolean {
  return a.masked === true && b.masked === true
    ? a.version !== undefined && a.version === b.version
    : JSON.stringify(a.value) === JSON.stringify(b.value)
}

export function Before({ row }: { readonly row: Row }) {
  const { before } = row
  if (!before) return entityMergeText.absent
  return (
    <State
      of={row}
      now={before}
      value={isSecret(row) ? entityMergeText.hidden : <ValueText type={before.type} value={before.value} />}
    />
  )
}

interface StateProps {
  readonly of: Row
  readonly now: Pick<Property, 'key' | 'type' | 'sensitive'>
  readonly value: ReactNode
}

/** A property on one side: its value, and whatever else is not the same on all sides. */
function State({ of: row, now, value }: StateProps) {
  const { loaded, before } = row
  const all = [row, ...(loaded ? [loaded] : []), ...(before ? [before] : [])]
  const differ = (part: (each: Pick<Property, 'key' | 'type' | 'sensitive'>) => unknown) =>
    new Set(all.map(part)).size > 1
  return (
    <>
      {differ(({ key }) => key) && <span className={`ds-mono ${classes.part}`}>{now.key}</span>}
      {differ(({ type }) => type) && <span className={classes.part}>{now.type}</span>}
      <span className={classes.part}>{value}</span>
      {differ(({ sensitive }) => sensitive ?? false) && (
        <span className={classes.part}>
          {now.sensitive === true ? entityMergeText.sensitive : entityMergeText.notSensitive}
        </span>
      )}
    </>
  )
}
