import { Button, MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'

import { theme } from './theme.ts'

test('a button whose act is under way keeps the focus, and repeats nothing', async () => {
  const acts: string[] = []
  function Act() {
    const [isBusy, setBusy] = useState(false)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          acts.push('submit')
          setBusy(true)
        }}
      >
        <input aria-label="Name" />
        <Button type="submit" loading={isBusy}>
          Save
        </Button>
        <Button disabled>Unavailable</Button>
      </form>
    )
  }
  render(
    <MantineProvider theme={theme}>
      <Act />
    </MantineProvider>,
  )
  const user = userEvent.setup()
  const button = screen.getByRole('button', { name: 'Save' })
  await user.click(button)
  expect(button).toHaveFocus()
  expect(button).toBeEnabled()
  expect(button).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard('{Enter}')
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '{Enter}')
  expect(acts).toEqual(['submit'])
  expect(screen.getByRole('button', { name: 'Unavailable' })).toBeDisabled()
})
