import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, useState } from 'react'
import { expect, test } from 'vitest'

import { Dialog } from './Dialog.tsx'
import { lazyPart } from './lazy-part.tsx'
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

function Form({ onClose }: Props) {
  const [reason, setReason] = useState('Because ')
  return (
    <Dialog title="Why?" onClose={onClose} actions={<button type="button">Send</button>}>
      <input
        data-autofocus
        aria-label="Reason"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Dialog>
  )
}

function openHeld(part: Promise<ComponentType<Props>>) {
  const Part = lazyPart(() => part)
  function Opener() {
    const [isOpen, setOpen] = useState(false)
    return (
      <MantineProvider env="test">
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        {isOpen && <Part onClose={() => setOpen(false)} />}
        <Toasts />
      </MantineProvider>
    )
  }
  render(<Opener />)
  return screen.getByRole('button', { name: 'Open' })
}

test('keys that are typed before a part is there go into its field, and its end gives the focus back', async () => {
  const { promise, resolve } = Promise.withResolvers<ComponentType<Props>>()
  const button = openHeld(promise)
  await userEvent.click(button)
  await userEvent.keyboard('he g{Backspace}said so')
  resolve(Form)
  const field = await screen.findByLabelText('Reason')
  await waitFor(() => expect(field).toHaveValue('Because he said so'))
  await userEvent.keyboard('.')
  expect(field).toHaveValue('Because he said so.')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button).toHaveFocus())
})

test('Enter that is pressed before a part is there is pressed in its field, with what was typed before', async () => {
  const { promise, resolve } = Promise.withResolvers<ComponentType<Props>>()
  const asked: string[] = []
  function Search() {
    const [word, setWord] = useState('')
    return (
      <Dialog title="Find" onClose={() => undefined}>
        <input
          data-autofocus
          aria-label="Word"
          value={word}
          onChange={({ currentTarget }) => setWord(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && asked.push(word)}
        />
      </Dialog>
    )
  }
  await userEvent.click(openHeld(promise))
  await userEvent.keyboard('volvo{Enter}')
  resolve(Search)
  await waitFor(() => expect(screen.getByLabelText('Word')).toHaveValue('volvo'))
  await waitFor(() => expect(asked).toEqual(['volvo']))
})

test('keys that are typed for a part that fails, or that Escape gives up, go nowhere', async () => {
  const { promise, reject } = Promise.withResolvers<ComponentType<Props>>()
  const button = openHeld(promise)
  await userEvent.click(button)
  await userEvent.keyboard('ge gu')
  await userEvent.keyboard('{Escape}')
  expect(button).toHaveFocus()
  reject(new TypeError('Failed to fetch'))
  expect(await screen.findByText(/couldn’t be loaded/)).toBeVisible()
  expect(button).toHaveFocus()
  expect(screen.queryByRole('textbox')).toBeNull()
})
