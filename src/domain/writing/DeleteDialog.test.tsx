import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { DeleteDialog } from './DeleteDialog.tsx'

test('takes what is typed as soon as it is there', () => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <DeleteDialog
          title="Delete?"
          word="it"
          action="Delete"
          deletion={{}}
          failed="Not deleted"
          own={{}}
          onDeleted={() => {}}
          onClose={() => {}}
        >
          It goes.
        </DeleteDialog>
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(screen.getByRole('textbox')).toHaveFocus()
})
