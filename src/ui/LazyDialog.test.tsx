import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, useState } from 'react'
import { expect, test } from 'vitest'

import { Dialog } from './Dialog.tsx'
import { LazyDialog } from './LazyDialog.tsx'
import { Toasts } from './Toasts.tsx'

interface Props {
  readonly onClose: () => void
}

function Page({ load }: { readonly load: () => Promise<ComponentType<Props>> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <input aria-label="Typed" />
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      {isOpen && <LazyDialog load={load} given={{ onClose: () => setOpen(false) }} />}
    </>
  )
}

const Question = ({ onClose }: Props) => (
  <Dialog title="Really?" onClose={onClose}>
    It changes.
  </Dialog>
)

test('what cannot be loaded is said, leaves the page as it is, and is loaded with the next press', async () => {
  let isOffline = true
  const load = async () => {
    if (isOffline) throw new TypeError('Failed to fetch')
    return Question
  }
  render(
    <MantineProvider env="test">
      <Page load={load} />
      <Toasts />
    </MantineProvider>,
  )
  await userEvent.type(screen.getByLabelText('Typed'), 'unsaved')
  const button = screen.getByRole('button', { name: 'Ask' })
  await userEvent.click(button)
  expect(await screen.findByText(/could not be loaded/)).toBeVisible()
  expect(screen.getByLabelText('Typed')).toHaveValue('unsaved')
  isOffline = false
  await userEvent.click(button)
  expect(await screen.findByRole('dialog', { name: 'Really?' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button).toHaveFocus())
})
