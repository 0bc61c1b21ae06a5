import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { Callout } from './Callout.tsx'

test('a notice whose text has no part that applies is its title alone', () => {
  const { rerender } = render(
    <Callout title="Checked">
      {false}
      {false}
    </Callout>,
    { wrapper: MantineProvider },
  )
  expect(screen.getByRole('status').querySelector('p')).toBeNull()
  rerender(
    <Callout title="Checked">
      {false}
      {'Two rows are left out.'}
    </Callout>,
  )
  expect(screen.getByText('Two rows are left out.')).toBeVisible()
})
