import { Checkbox, Kbd, Table } from '@mantine/core'
import { useState } from 'react'

import { areKeysOn, storeKeysOn } from '../preferences.ts'
import { keysText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { isApple } from '../../ui/keys/platform.ts'

/** All keys that do something, and a way to do without those that are a single letter. */
export function KeysSheet({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn)
  return (
    <Dialog title={keysText.title} onClose={onClose}>
      <Table verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {keysText.keys(isApple() ? '⌘' : 'Ctrl').map(({ keys, does }) => (
            <Table.Tr key={does}>
              <Table.Td w={150}>
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{does}</Table.Td>
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
