import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'

import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'

import { userList, users } from '../../messages/index.ts'
import { type ColumnName, columnNames, defaultPreferences } from './list-preferences.ts'
import { ColumnsFace, type ColumnsProps } from './UsersFrame.tsx'

/** Which columns the list has, and how high its rows are. Mounted by the click that wants it, so it opens at once. */
export function ColumnMenu({ preferences, onChange }: ColumnsProps) {
  const { columns, density } = preferences
  return (
    <Menu
      defaultOpened
      returnFocus
      position="bottom-end"
      width={200}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      closeOnItemClick={false}
      checkIcon={<IconCheck size={15} />}
    >
      <Menu.Target>
        <ColumnsFace data-hint={undefined} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup
          value={[...columns]}
          onChange={(chosen) => {
            const names = new Set(['name', ...chosen])
            onChange({ density, columns: columnNames.filter((name) => names.has(name)) })
          }}
        >
          <Menu.Label>{userList.columns.title}</Menu.Label>
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
          <Menu.Label>{userList.columns.density}</Menu.Label>
          <Menu.RadioItem value="compact">{userList.columns.compact}</Menu.RadioItem>
          <Menu.RadioItem value="comfortable">{userList.columns.comfortable}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => onChange(defaultPreferences)}>{userList.columns.reset}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const headers: Readonly<Record<ColumnName, string>> = users.columns
