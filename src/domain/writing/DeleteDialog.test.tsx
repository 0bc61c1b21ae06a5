import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { ApiError } from '../../api/index.ts'
import { DeleteDialog } from './DeleteDialog.tsx'

function open(mutationFn: () => Promise<void>, onDeleted: () => Promise<void> | void) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <DeleteDialog
          title="Delete?"
          word="it"
          action="Delete"
          deletion={{ mutationFn }}
          failed="Not deleted"
          own={{}}
          onDeleted={onDeleted}
          onClose={() => {}}
        >
          It goes.
        </DeleteDialog>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const field = screen.getByRole('textbox')
  return { field, press: () => fireEvent.keyDown(field, { key: 'Enter' }) }
}

test('takes what is typed as soon as it is there', () => {
  const { field } = open(
    async () => {},
    () => {},
  )
  expect(field).toHaveFocus()
})

test('deletes once, however often it is pressed, until the next page is there', async () => {
  const gone = new ApiError({ status: 404 })
  const remove = vi.fn<() => Promise<void>>(() => Promise.reject(gone))
  const leave = vi.fn<() => Promise<void>>(() => new Promise(() => {}))
  const { field, press } = open(remove, leave)
  fireEvent.change(field, { target: { value: 'it' } })
  press()
  press()
  await waitFor(() => expect(leave).toHaveBeenCalled())
  press()
  await Promise.resolve()
  expect(remove).toHaveBeenCalledOnce()
  expect(leave).toHaveBeenCalledOnce()
})

test('a failed deletion can be tried again', async () => {
  const remove = vi.fn<() => Promise<void>>(() => Promise.reject(new ApiError({ status: 503 })))
  const { field, press } = open(remove, () => {})
  fireEvent.change(field, { target: { value: 'it' } })
  press()
  expect(await screen.findByText('Not deleted')).toBeVisible()
  press()
  await waitFor(() => expect(remove).toHaveBeenCalledTimes(2))
})
