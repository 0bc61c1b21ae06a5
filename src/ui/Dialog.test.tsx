import { Button, MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { expect, test, vi } from 'vitest'

import { Dialog } from './Dialog.tsx'

const show = (dialogs: ReactNode) => render(<MantineProvider env="test">{dialogs}</MantineProvider>)
const button = (name: string) => screen.getByRole('button', { name })

test('Enter gives the main answer, which has the focus', async () => {
  const save = vi.fn<() => void>()
  show(
    <Dialog
      title="Save?"
      onClose={() => {}}
      actions={
        <>
          <Button>Back</Button>
          <Button onClick={save}>Save</Button>
        </>
      }
    >
      It changes.
    </Dialog>,
  )
  expect(button('Save')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(save).toHaveBeenCalledOnce()
})

test('an Enter that is held down since it opened the dialog answers nothing', async () => {
  const save = vi.fn<() => void>()
  show(
    <Dialog title="Save?" actions={<Button onClick={save}>Save</Button>}>
      It changes.
    </Dialog>,
  )
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true })
  button('Save').dispatchEvent(held)
  expect(held.defaultPrevented).toBe(true)
})

test('a field for typing has the focus before the buttons', () => {
  show(
    <Dialog title="Why?" actions={<Button>Reveal</Button>}>
      <input data-autofocus />
    </Dialog>,
  )
  expect(screen.getByRole('textbox')).toHaveFocus()
})

test('a button that replaces the pressed one has the focus', async () => {
  function Steps() {
    const [isRunning, setRunning] = useState(false)
    return (
      <Dialog
        title="Export"
        actions={
          <>
            <Button>Cancel</Button>
            {isRunning ? (
              <Button key="pause">Pause</Button>
            ) : (
              <Button key="start" onClick={() => setRunning(true)}>
                Start
              </Button>
            )}
          </>
        }
      >
        A file.
      </Dialog>
    )
  }
  show(<Steps />)
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(button('Pause')).toHaveFocus())
})

test('Escape closes the topmost alone', async () => {
  const [closeBelow, closeAbove] = [vi.fn<() => void>(), vi.fn<() => void>()]
  function Two() {
    const [isAsked, setAsked] = useState(true)
    return (
      <>
        <Dialog title="Review" onClose={closeBelow}>
          Below.
        </Dialog>
        {isAsked && (
          <Dialog
            title="Leave?"
            onClose={() => {
              closeAbove()
              setAsked(false)
            }}
          >
            Above.
          </Dialog>
        )}
      </>
    )
  }
  show(<Two />)
  await userEvent.keyboard('{Escape}')
  expect(closeAbove).toHaveBeenCalledOnce()
  expect(closeBelow).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(closeBelow).toHaveBeenCalledOnce()
})

test('a dialog keeps what is typed where something behind it takes the focus, as a menu does that has just closed', async () => {
  show(
    <>
      <button aria-haspopup="menu">Behind</button>
      <Dialog title="Why?" actions={<Button>Reveal</Button>}>
        <input data-autofocus />
      </Dialog>
    </>,
  )
  await userEvent.keyboard('half')
  screen.getByRole('button', { name: 'Behind', hidden: true }).focus()
  expect(screen.getByRole('textbox')).toHaveFocus()
  await userEvent.keyboard(' of it')
  expect(screen.getByRole('textbox')).toHaveValue('half of it')
})

test('the root of the document is dimmed until the last dialog is closed', () => {
  const root = document.documentElement
  const { rerender } = show([
    <Dialog key="one" title="One">
      First
    </Dialog>,
    <Dialog key="two" title="Two">
      Second
    </Dialog>,
  ])
  expect(root).toHaveAttribute('data-dimmed')
  rerender(
    <MantineProvider env="test">
      {[
        <Dialog key="one" title="One">
          First
        </Dialog>,
      ]}
    </MantineProvider>,
  )
  expect(root).toHaveAttribute('data-dimmed')
  rerender(<MantineProvider env="test">{null}</MantineProvider>)
  expect(root).not.toHaveAttribute('data-dimmed')
})
