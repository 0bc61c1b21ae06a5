import { Menu } from '@mantine/core'
import { IconCheck, IconColumns3, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'

import { maxColumns } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { columnLabel } from '../../domain/labels.ts'
import { userListText, userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { columnNames, defaultPreferences, type ListPreferences } from './columns.tsx'

const AddColumn = lazyPart(async () => (await import('./AddColumn.tsx')).AddColumn)
const menuText = userListText.columns

interface ColumnMenuProps {
  /** Whether properties can be columns. */
  readonly isFull: boolean
  readonly preferences: ListPreferences
  readonly onChange: (changed: Partial<ListPreferences>) => void
}

/** Button that opens the choice of the list's columns and density. */
export function ColumnMenu({ isFull, preferences, onChange }: ColumnMenuProps) {
  const { columns, properties, density } = preferences
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Menu position="bottom-end" width={220} closeOnItemClick={false} checkIcon={<IconCheck size={15} />}>
        <Menu.Target>
          <IconButton
            data-choose-columns
            bordered
            size="large"
            aria-label={userText.chooseColumns}
            {...hint(userText.chooseColumns)}
          >
            <IconColumns3 size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.CheckboxGroup
            value={[...columns]}
            onChange={(chosen) => {
              const names = new Set(['name', ...chosen])
              onChange({ columns: columnNames.filter((name) => names.has(name)) })
            }}
          >
            <Menu.Label>{menuText.title}</Menu.Label>
            {columnNames.map((name) => (
              <DisabledReason key={name} reason={name === 'name' ? menuText.always : undefined}>
                <Menu.CheckboxItem value={name}>{userText.columns[name]}</Menu.CheckboxItem>
              </DisabledReason>
            ))}
          </Menu.CheckboxGroup>
          {isFull && (
            <PropertyColumns
              chosen={properties}
              onChange={(next) => onChange({ properties: next })}
              onAdd={() => setAdding(true)}
            />
          )}
          <Menu.Divider />
          <Menu.RadioGroup
            value={density}
            onChange={(next) => onChange({ density: next === 'comfortable' ? next : 'compact' })}
          >
            <Menu.Label>{menuText.density}</Menu.Label>
            <Menu.RadioItem value="compact">{menuText.compact}</Menu.RadioItem>
            <Menu.RadioItem value="comfortable">{menuText.comfortable}</Menu.RadioItem>
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item onClick={() => onChange(defaultPreferences)}>{menuText.reset}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAdding && (
        <AddColumn
          chosen={properties}
          onAdd={(name) => onChange({ properties: [...properties, name] })}
          onClose={() => {
            flushSync(() => setAdding(false))
            // The menu item that opened the form is gone, so the focus moves to the button.
            document.querySelector<HTMLElement>('[data-choose-columns]')?.focus()
          }}
        />
      )}
    </>
  )
}

interface PropertyColumnsProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  readonly onAdd: () => void
}

/**
 * Menu section for property columns. A removed column stays in the menu until the menu closes, so that it can be added
 * again.
 */
function PropertyColumns({ chosen, onChange, onAdd }: PropertyColumnsProps) {
  const denied = useDenied('entities:read')
  const [listed, setListed] = useState(chosen)
  if (chosen.some((name) => !listed.includes(name))) setListed([...new Set([...listed, ...chosen])])
  const full = chosen.length >= maxColumns ? menuText.full({ max: maxColumns }) : undefined
  return (
    <>
      <Menu.Divider />
      <Menu.CheckboxGroup
        value={[...chosen]}
        onChange={(next) => onChange(listed.filter((name) => next.includes(name)))}
      >
        <Menu.Label>{menuText.properties}</Menu.Label>
        {listed.map((name) => (
          <Menu.CheckboxItem key={name} value={name} disabled={denied !== undefined} {...hint(name)}>
            {columnLabel(name)}
          </Menu.CheckboxItem>
        ))}
      </Menu.CheckboxGroup>
      <DisabledReason reason={denied ?? full}>
        <Menu.Item leftSection={<IconPlus size={15} />} closeMenuOnClick onClick={onAdd}>
          {menuText.add}
        </Menu.Item>
      </DisabledReason>
    </>
  )
}
