import { Checkbox, Kbd, Table } from '@mantine/core'
import { useState } from 'react'

import { isFull } from '../../api/index.ts'
import { areas } from '../../auth/areas.ts'
import { keysText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { nameControlKey } from '../../ui/keys/shortcut.ts'
import { areKeysOn, storeKeysOn } from './preferences.ts'

export function KeysSheet({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn)
  return (
    <Dialog title={keysText.title} onClose={onClose}>
      <Table verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {listKeys().map(([effect, ...keys]) => (
            <Table.Tr key={effect}>
              <Table.Td w={150}>
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
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

/** Lists the keys of each effect; keys that are pressed together form one text. */
function listKeys(): readonly (readonly [effect: keyof typeof keysText.effects, ...keys: string[]])[] {
  const { shift, enter, pageDown } = sharedText.keys
  const control = nameControlKey()
  return [
    ['find', `${control} K`],
    ...(isFull()
      ? ([
          ['search', '/'],
          ['filter', 'f'],
        ] as const)
      : []),
    ...areas.map(({ path }) => [path, 'g', path.charAt(0)] as const),
    ['previousUser', '['],
    ['nextUser', ']'],
    ['edit', 'e'],
    ['add', 'a'],
    ['move', '↑', '↓'],
    ['select', `${shift} ↓`, `${shift} ${pageDown}`, `${control} A`],
    ['save', enter, `${control} S`],
    ['saveAndGoOn', keysText.tab],
    ['undo', `${control} Z`],
    ['shortcuts', '?'],
  ]
}
