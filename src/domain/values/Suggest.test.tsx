import { MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { Suggest } from './Suggest.tsx'

test('closes its list where the focus comes and goes before anything is drawn', () => {
  const onOpenChange = vi.fn<(isOpen: boolean) => void>()
  render(
    <MantineProvider>
      <Suggest
        label="Key"
        value=""
        onChange={() => undefined}
        listLabel="Known keys"
        options={['city']}
        idOf={(option) => option}
        renderOption={(option) => option}
        onChoose={() => undefined}
        onOpenChange={onOpenChange}
      />
    </MantineProvider>,
  )
  const input = screen.getByRole('combobox', { name: 'Key' })
  act(() => input.focus())
  expect(screen.getByRole('option', { name: 'city' })).toBeInTheDocument()
  act(() => input.blur())
  act(() => {
    input.focus()
    input.blur()
  })
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  expect(onOpenChange.mock.calls).toEqual([[true], [false], [true], [false]])
})
