import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { ConfirmByTyping } from './ConfirmByTyping.tsx'

test('takes what is typed as soon as it is there', () => {
  render(
    <MantineProvider env="test">
      <ConfirmByTyping title="Delete?" word="it" action="Delete" onConfirm={() => {}} onClose={() => {}}>
        It goes.
      </ConfirmByTyping>
    </MantineProvider>,
  )
  expect(screen.getByRole('textbox')).toHaveFocus()
})
