import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'

import { Dialog } from './Dialog.tsx'
import { earlyPart, lazyPart, readEarlyParts } from './lazy-part.tsx'
import { Toasts } from './Toasts.tsx'

interface Props {
  readonly onClose: () => void
}

let isOffline = true
const Question = lazyPart(async () => {
  if (isOffline) throw new TypeError('Failed to fetch')
  return Loaded
})

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <input aria-label="Typed" />
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      {isOpen && <Question onClose={() => setOpen(false)} />}
    </>
  )
}

const Loaded = ({ onClose }: Props) => (
  <Dialog title="Really?" onClose={onClose}>
    It changes.
  </Dialog>
)

test('a part that fails to load is reported, leaves the page as it is, and loads with the next press', async () => {
  render(
    <MantineProvider env="test">
      <Page />
      <Toasts />
    </MantineProvider>,
  )
  await userEvent.type(screen.getByLabelText('Typed'), 'unsaved')
  const button = screen.getByRole('button', { name: 'Ask' })
  await userEvent.click(button)
  expect(await screen.findByText(/couldn’t be loaded/)).toBeVisible()
  expect(screen.getByLabelText('Typed')).toHaveValue('unsaved')
  isOffline = false
  await userEvent.click(button)
  expect(await screen.findByRole('dialog', { name: 'Really?' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button).toHaveFocus())
})

test('an early part of a later page loads with that page, before it is pressed', async () => {
  await readEarlyParts()
  let isAsked = false
  const later = earlyPart(async () => {
    isAsked = true
    return Loaded
  })
  expect(isAsked).toBe(true)
  await waitFor(() => expect(later.isRead()).toBe(true))
})
