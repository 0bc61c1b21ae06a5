import { Checkbox, Kbd, Table } from '@mantine/core'
import { useState } from 'react'

import { getConnection } from '../../api/connection.ts'
import { offers } from '../../api/index.ts'
import { areasOf } from '../../auth/areas.ts'
import { useDenial } from '../../auth/use-session.ts'
import { hasPage } from '../../domain/links.ts'
import { keysText, sharedText, shellText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { nameControlKey } from '../../ui/keys/shortcut.ts'
import { areKeysOn, storeKeysOn } from './preferences.ts'

export function KeysSheet({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn)
  const denial = useDenial()
  return (
    <Dialog title={shellText.keys} onClose={onClose}>
      <Table verticalSpacing={2} horizontalSpacing={0}>
        <Table.Tbody>
          {listKeys(denial).map(([effect, ...keys]) => (
            <Table.Tr key={effect}>
              <Table.Td w={150}>
                {keys.map((key) => (
                  <Kbd key={key} display="inline-block" me={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{keysText.effects[effect]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Checkbox
        data-autofocus
        label={keysText.single}
        description={keysText.singleHint}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setOn(checked)
          storeKeysOn(checked)
        }}
      />
    </Dialog>
  )
}

type Line = readonly [effect: keyof typeof keysText.effects, ...keys: string[]]

/** Lists the keys of each effect that the role can have; keys that are pressed together form one text. */
function listKeys(denial: ReturnType<typeof useDenial>): readonly Line[] {
  const { shift, enter, pageDown } = sharedText.keys
  const control = nameControlKey()
  const seesUsers = denial('users:read') === undefined
  const searches = seesUsers && offers('searchUsers')
  const writes = denial('entities:read', 'entities:write') === undefined
  const saves = writes || denial('users:read', 'users:write') === undefined
  const lines: readonly (Line | false)[] = [
    [saves ? 'findOrEdit' : 'find', `${control} K`],
    searches && ['search', '/'],
    searches && ['filter', 'f'],
    ...areasOf(getConnection().features).map(
      ({ path, scopes }): Line | false => denial(...scopes) === undefined && [path, 'g', path.charAt(0)],
    ),
    seesUsers && ['previousUser', '['],
    seesUsers && ['nextUser', ']'],
    writes && ['edit', 'e'],
    writes && ['add', 'a'],
    writes && ['move', '↑', '↓'],
    seesUsers && hasPage('exportUsers') && ['select', `${shift} ↓`, `${shift} ${pageDown}`, `${control} A`],
    saves && [writes ? 'save' : 'saveValue', enter, `${control} S`],
    saves && ['saveAndGoOn', keysText.tab],
    saves && ['undo', `${control} Z`],
    ['shortcuts', '?'],
  ]
  return lines.filter((line) => line !== false)
}
