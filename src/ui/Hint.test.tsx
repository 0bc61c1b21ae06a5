import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { theme } from './theme.ts'
import { hint, HintLayer } from './Hint.tsx'

function Page({ reason }: { readonly reason: string | undefined }) {
  return (
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <button {...hint(reason)}>Send</button>
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

test('a hint goes with Escape', async () => {
  render(<Page reason="Why" />)
  await userEvent.hover(screen.getByRole('button'))
  await screen.findByRole('tooltip')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
})
