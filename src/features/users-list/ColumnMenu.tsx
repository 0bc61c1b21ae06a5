import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'

import { userListText, userText } from '../../messages/index.ts'
import type { MenuFace } from '../../ui/LazyMenu.tsx'
import { OpenedMenu } from '../../ui/OpenedMenu.tsx'
import { type ColumnName, columnNames, defaultPreferences, type ListPreferences } from './list-preferences.ts'

export interface ColumnMenuProps {
  readonly preferences: ListPreferences
  readonly onChange: (preferences: ListPreferences) => void
  readonly face: MenuFace
}

/** Which columns the list has, and how high its rows are. */
export function ColumnMenu({ preferences, onChange, face }: ColumnMenuProps) {
  const { columns, density } = preferences
  return (
    <OpenedMenu
      face={face}
      position="bottom-end"
      width={200}
      closeOnItemClick={false}
      checkIcon={<IconCheck size={15} />}
    >
      <Menu.CheckboxGroup
        value={[...columns]}
        onChange={(chosen) => {
          const names = new Set(['name', ...chosen])
          onChange({ density, columns: columnNames.filter((name) => names.has(name)) })
        }}
      >
        <Menu.Label>{userListText.columns.title}</Menu.Label>
        {columnNames.map((name) => (
          <Menu.CheckboxItem key={name} value={name} disabled={name === 'name'}>
            {headers[name]}
          </Menu.CheckboxItem>
        ))}
      </Menu.CheckboxGroup>
      <Menu.Divider />
      <Menu.RadioGroup
        value={density}
        onChange={(next) =>
          onChange({ columns, density: next === 'comfortable' ? 'comfortable' : 'compact' })
        }
      >
        <Menu.Label>{userListText.columns.density}</Menu.Label>
        <Menu.RadioItem value="compact">{userListText.columns.compact}</Menu.RadioItem>
        <Menu.RadioItem value="comfortable">{userListText.columns.comfortable}</Menu.RadioItem>
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item onClick={() => onChange(defaultPreferences)}>{userListText.columns.reset}</Menu.Item>
    </OpenedMenu>
  )
}

const headers: Readonly<Record<ColumnName, string>> = userText.columns
