import { MantineProvider, Menu } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'

import { lazyPart } from './lazy-part.tsx'
import { type OpenedProps, OpeningButton } from './OpeningButton.tsx'
import { PopoverForm } from './PopoverForm.tsx'

function Form({ face, label }: OpenedProps & { readonly label: string }) {
  return (
    <PopoverForm face={face} widthPx={200}>
      {() => <input aria-label={label} />}
    </PopoverForm>
  )
}

test('a button pressed before the code is there opens its form once it is, and has the focus after it', async () => {
  const line = Promise.withResolvers<void>()
  const LateForm = lazyPart(async () => {
    await line.promise
    return Form
  })
  function Page() {
    const [count, setCount] = useState(0)
    return (
      <MantineProvider env="test">
        <button onClick={() => setCount(count + 1)}>Draw again</button>
        <OpeningButton
          face={<button>Jump</button>}
          opens="dialog"
          part={LateForm}
          props={{ label: `To ${count}` }}
        />
      </MantineProvider>
    )
  }
  render(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Draw again' }))
  const button = () => screen.getByRole('button', { name: 'Jump' })
  expect(button()).toHaveAttribute('aria-haspopup', 'dialog')
  await userEvent.click(button())
  expect(screen.queryByRole('dialog')).toBeNull()
  line.resolve()
  const field = await screen.findByRole('textbox', { name: 'To 1' })
  await waitFor(() => expect(field).toHaveFocus())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button()).toHaveFocus())
  expect(screen.queryByRole('dialog')).toBeNull()
})

function Items({ face }: OpenedProps) {
  return (
    <Menu transitionProps={{ duration: 0 }}>
      <Menu.Target>{face}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

test('a menu that is pressed before its code is there has the keys once it is', async () => {
  const line = Promise.withResolvers<void>()
  const LateMenu = lazyPart(async () => {
    await line.promise
    return Items
  })
  const { container } = render(
    <MantineProvider env="test">
      <OpeningButton face={<button>Account</button>} opens="menu" part={LateMenu} props={{}} />
    </MantineProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Account' }))
  line.resolve()
  await screen.findByRole('menu')
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('menuitem', { name: 'Sign out' })).toHaveFocus()
  expect(container.ownerDocument.querySelector('textarea')).toBeNull()
})
