import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'

import { hint, HintLayer } from './Hint.tsx'
import { theme } from './theme.ts'

interface PageProps {
  readonly reason: string | undefined
  readonly isSent?: boolean
}

function Page({ reason, isSent = false }: PageProps) {
  return (
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      {!isSent && <button {...hint(reason)}>Send</button>}
      <HintLayer />
    </MantineProvider>
  )
}

test('a hint shows on hover, follows what it says, and is over when there is nothing to say', async () => {
  const { rerender } = render(<Page reason="A test is on its way" />)
  const button = screen.getByRole('button', { name: 'Send' })
  await userEvent.hover(button)
  expect(await screen.findByRole('tooltip')).toHaveTextContent('A test is on its way')
  expect(button).toHaveAccessibleDescription('A test is on its way')
  rerender(<Page reason="Try again in a minute" />)
  expect(await screen.findByText('Try again in a minute')).toBeVisible()
  rerender(<Page reason={undefined} />)
  await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
  expect(button).not.toHaveAccessibleDescription()
})

test('a hint goes with its element', async () => {
  const { rerender } = render(<Page reason="de" />)
  await userEvent.hover(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByRole('tooltip')).toHaveTextContent('de')
  rerender(<Page reason="de" isSent />)
  await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
})

test('a hint that is the name of its button is not read as its description, too', async () => {
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <button {...hint('History of City')} aria-label="History of City" />
      <HintLayer />
    </MantineProvider>,
  )
  const button = screen.getByRole('button', { name: 'History of City' })
  await userEvent.hover(button)
  expect(await screen.findByRole('tooltip')).toHaveTextContent('History of City')
  expect(button).not.toHaveAccessibleDescription()
})

test('a hint shows the keys after its words, or the keys alone where the element has a text', async () => {
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <button {...hint('The next one', ']')} aria-label="Next" />
      <button {...hint(undefined, 'Mod+S')}>Save</button>
      <HintLayer />
    </MantineProvider>,
  )
  const next = screen.getByRole('button', { name: 'Next' })
  expect(next).toHaveAttribute('aria-keyshortcuts', ']')
  await userEvent.hover(next)
  expect(await screen.findByRole('tooltip')).toHaveTextContent('The next one ]')
  expect(next).toHaveAccessibleDescription('The next one')
  const save = screen.getByRole('button', { name: 'Save' })
  expect(save).toHaveAttribute('aria-keyshortcuts', 'Control+S')
  await userEvent.hover(save)
  await expect.poll(() => screen.getByRole('tooltip').textContent.replaceAll(/\s/g, '')).toBe('CtrlS')
  expect(save).not.toHaveAccessibleDescription()
  await userEvent.unhover(save)
  await userEvent.tab()
  expect(next).toHaveFocus()
  expect(await screen.findByText('The next one')).toBeVisible()
  await userEvent.tab()
  expect(save).toHaveFocus()
  await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
})

test('a hint that is only a single key stays away while single keys are off', async () => {
  document.documentElement.toggleAttribute('data-no-single-keys', true)
  onTestFinished(() => document.documentElement.removeAttribute('data-no-single-keys'))
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <button {...hint(undefined, 'e')}>Edit</button>
      <button {...hint(undefined, 'Mod+S')}>Save</button>
      <HintLayer />
    </MantineProvider>,
  )
  await userEvent.hover(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('tooltip')).not.toBeNull()
  await userEvent.hover(screen.getByRole('button', { name: 'Edit' }))
  await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
})

test('a pointer that only passes opens no hint; one that reads hint after hint does not wait again', async () => {
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <p {...hint('first_name')}>First name</p>
      <p {...hint('last_name')}>Last name</p>
      <HintLayer />
    </MantineProvider>,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const over = (name: string) => {
    act(() => {
      fireEvent.pointerOver(screen.getByText(name))
    })
  }
  const rest = (ms: number) => {
    act(() => {
      vi.advanceTimersByTime(ms)
    })
  }
  over('First name')
  rest(250)
  over('Last name')
  rest(250)
  expect(screen.queryByText('first_name')).toBeNull()
  expect(screen.queryByText('last_name')).toBeNull()
  rest(50)
  vi.useRealTimers()
  expect(await screen.findByText('last_name')).toBeVisible()
  over('First name')
  expect(await screen.findByText('first_name')).toBeVisible()
})

test('a hint goes with Escape', async () => {
  render(<Page reason="Why" />)
  await userEvent.hover(screen.getByRole('button'))
  await screen.findByRole('tooltip')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
})
