import { Table } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'

import type { Change, Changeset } from '#contract/index.ts'
import { changeText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { PropertyText } from '../definitions/DefinedValue.tsx'
import { QueryFailure } from '../failures/InlineFailure.tsx'
import { typeLabel } from '../labels.ts'
import { isRefused } from '../page-route.ts'
import { isSensitive } from '../queries/changesets.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import { Mask } from '../values/Mask.tsx'
import { ValueText, type ValueTextProps } from '../values/ValueText.tsx'
import { MarkedLabel } from './ComparisonTable.tsx'
import { changeLabel, isOfUser } from './labels.ts'
import classes from './Changes.module.css'

/** Changes of one write; a placeholder while they load; a text if they are gone or reading them failed. */
export function ReadChanges({ query }: { readonly query: UseQueryResult<Changeset> }) {
  const { data, error } = query
  if (data) return <Changes changeset={data} />
  if (!error) return <SkeletonRows rows={2} height="30px" />
  if (isRefused(error, 404)) return <p className="ds-dimmed">{changeText.gone}</p>
  return <QueryFailure title={changeText.failed} query={query} />
}

interface ChangesProps extends Pick<ValueTextProps, 'renderLink'> {
  readonly changeset: Changeset
}

/** Table of the changes of one write, old → new value; of a masked value, only that it changed. */
export function Changes({ changeset, renderLink }: ChangesProps) {
  const { changes, entityType, entityTypeBefore } = changeset
  const typeChanged = typeof entityTypeBefore === 'string'
  if (changes.length === 0 && !typeChanged) return <p className="ds-dimmed">{changeText.none}</p>
  return (
    <Table
      aria-label={changeText.label}
      layout="fixed"
      verticalSpacing={6}
      horizontalSpacing={6}
      borderColor="var(--ds-border)"
      className={classes.table ?? ''}
    >
      <Table.Thead fz="xs" c="dimmed">
        <Table.Tr>
          <Table.Th scope="col" fw={500} w="max(24%, 96px)">
            {changeText.key}
          </Table.Th>
          <Table.Th scope="col" fw={500}>
            {changeText.before}
          </Table.Th>
          <Table.Th scope="col" fw={500}>
            {changeText.after}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {typeChanged && (
          <Table.Tr data-op="change">
            <Table.Th scope="row" fw={500}>
              {changeText.entityType}
            </Table.Th>
            {[entityTypeBefore, entityType ?? ''].map((type) => (
              <Table.Td key={type}>{typeLabel(type)}</Table.Td>
            ))}
          </Table.Tr>
        )}
        {changes.map((change) => (
          <Table.Tr key={change.key} data-op={change.op} data-sensitive={isSensitive(change) || undefined}>
            <Table.Th scope="row" fw={500}>
              <ChangedKey changeset={changeset} change={change} />
            </Table.Th>
            {isSensitive(change) && change.masked === true ? (
              <Table.Td colSpan={2}>
                <Mask>{changeText.secret({ op: change.op })}</Mask>
              </Table.Td>
            ) : (
              <>
                <Table.Td>
                  {change.op === 'add' ? (
                    <span className="ds-dimmed">{changeText.wasNot}</span>
                  ) : (
                    <ChangedValue {...{ changeset, change, renderLink }} side="before" />
                  )}
                </Table.Td>
                <Table.Td>
                  {change.op === 'remove' ? (
                    changeText.removed
                  ) : (
                    <ChangedValue {...{ changeset, change, renderLink }} side="after" />
                  )}
                </Table.Td>
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface ChangeProps {
  readonly changeset: Pick<Changeset, 'entity' | 'entityType'>
  readonly change: Change
}

function ChangedKey({ changeset, change }: ChangeProps) {
  const { key, type, typeBefore, sensitive, sensitiveBefore } = change
  return (
    <>
      <MarkedLabel label={changeLabel(changeset, key)} isSecret={isSensitive(change)} />
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

/** Renders the old or the new value of a change. A user's account is shown as a state, not as a boolean. */
export function ChangedValue({
  changeset,
  change,
  side,
  renderLink,
}: ChangeProps & Pick<ValueTextProps, 'renderLink'> & { readonly side: 'before' | 'after' }) {
  const { key, type, typeBefore = type } = change
  const shown = { type: side === 'before' ? typeBefore : type, value: change[side], renderLink }
  if (!isOfUser(changeset))
    return <PropertyText {...shown} entityType={changeset.entityType ?? undefined} of={key} />
  if (key === 'account' && typeof shown.value === 'boolean')
    return <span>{shown.value ? changeText.account.some : changeText.account.none}</span>
  return <ValueText {...shown} />
}
