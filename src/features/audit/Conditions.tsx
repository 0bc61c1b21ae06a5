import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { use } from 'react'

import { nameOf } from '../../domain/people/user-fields.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { auditText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { exactTime, preciseMoment } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import classes from './AuditPage.module.css'
import type { Row } from './columns.tsx'
import { type AuditFilter, everything } from './filter.ts'

const filterText = auditText.filter

export interface ConditionsProps {
  readonly filter: AuditFilter
  /** User of the filter; undefined while unknown. */
  readonly person: Row['person']
  readonly onChange: (filter: AuditFilter) => void
}

/** Active filters as chips, each with a button that removes it. */
export function Conditions({ filter, person, onChange }: ConditionsProps) {
  const { shown } = use(ZonesContext)
  const { user, actor, key, kind, from, to } = filter
  const conditions: (readonly [label: string, without: AuditFilter, exact?: string])[] = []
  const exactly = (moment: string) => exactTime(Date.parse(moment), shown)
  const shortly = (moment: string) => preciseMoment(Date.parse(moment), shown)
  if (user !== undefined)
    conditions.push([filterText.isUser((person && nameOf(person)) ?? shortId(user)), { user: undefined }])
  if (actor !== undefined) conditions.push([filterText.isActor(actor), { actor: undefined }])
  if (key !== undefined) conditions.push([filterText.isKey(keyLabel(key)), { key: undefined }])
  if (kind !== undefined) conditions.push([auditText.kinds[kind] ?? kind, { kind: undefined }])
  if (from !== undefined)
    conditions.push([filterText.isFrom(shortly(from)), { from: undefined }, exactly(from)])
  if (to !== undefined) conditions.push([filterText.isTo(shortly(to)), { to: undefined }, exactly(to)])
  if (conditions.length === 0) return null
  return (
    <Group gap="xs" pb="sm">
      <ul aria-label={filterText.list} className={classes.conditions}>
        {conditions.map(([label, without, exact]) => (
          <li key={label} className={classes.condition}>
            <span {...hint(exact)}>{label}</span>
            <IconButton
              size="small"
              aria-label={filterText.remove(label)}
              onClick={() => onChange({ ...filter, ...without })}
            >
              <IconX size={12} />
            </IconButton>
          </li>
        ))}
      </ul>
      {conditions.length > 1 && (
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(everything)}>
          {filterText.reset}
        </Button>
      )}
    </Group>
  )
}
