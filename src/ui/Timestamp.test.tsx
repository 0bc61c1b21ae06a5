import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'

import { Timestamp } from './Timestamp.tsx'

afterEach(() => vi.useRealTimers())

test('a time since the clock of the page last moved is past, and one to come is ahead', async () => {
  vi.useFakeTimers()
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const page = render(<Timestamp value={at(0)} />)
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  page.rerender(
    <>
      <Timestamp value={at(0)} />
      <Timestamp value={at(20)} />
    </>,
  )
  expect(screen.getAllByText(/./).map(({ textContent }) => textContent)).toEqual(['just now', 'in a moment'])
})
