import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'

import { parseMoment } from '#contract/reading/moments.ts'
import { momentInFull } from '../../ui/moments.tsx'
import { MomentField, MomentInput } from './moment-fields.tsx'

test.each([
  ['2024-03-01T09:30:00', '2024-03-01T09:30:00'],
  ['2024-03-01 09:30', '2024-03-01T09:30:00'],
  ['2024-03-01 09:30:05.250', '2024-03-01T09:30:05.250'],
  ['2024-03-01', '2024-03-01T00:00:00'],
  [' 2024-03-01  09:30 ', '2024-03-01T09:30:00'],
  ['1 Mar 2024, 09:30', '2024-03-01T09:30:00'],
  ['Mar 1, 2024, 09:30:05', '2024-03-01T09:30:05'],
  ['1 March 2024', '2024-03-01T00:00:00'],
  ['1.3.2024 9:30', '2024-03-01T09:30:00'],
  ['29 Feb 2024, 9:30 pm', '2024-02-29T21:30:00'],
  ['4 Sept 2024, 23:59', '2024-09-04T23:59:00'],
])('a moment typed as %s is %s', (typed, moment) => expect(parseMoment(typed, 'en')).toBe(moment))

test.each([
  '',
  '3/4/2024 09:30',
  '30 Feb 2024',
  '2024-02-30',
  '2024-13-01 09:30',
  '09:30',
  'yesterday',
  '1 Mar',
])('a text that means no moment, or several, stays as typed: %s', (typed) =>
  expect(parseMoment(typed, 'en')).toBe(typed),
)

test('a moment that is written is read back, to the second', () => {
  for (const moment of ['2024-03-01T09:30:00', '2024-09-04T23:59:07', '1999-12-31T00:00:00'])
    expect(parseMoment(momentInFull(moment), 'en')).toBe(moment)
})

function Form() {
  const [value, setValue] = useState('2024-03-01T09:30:00')
  return (
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <MomentInput label="From (UTC)" value={value} onChange={setValue} />
      <output>{value}</output>
    </MantineProvider>
  )
}

test('a moment is shown as elsewhere on the page, typed in any way, and picked in the calendar', async () => {
  const { container } = render(<Form />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'From (UTC)' })
  expect(field).toHaveValue(momentInFull('2024-03-01T09:30:00'))
  expect(field.value).toMatch(/Mar.*2024, 09:30$/)
  await userEvent.clear(field)
  await userEvent.type(field, '2.4.2025 7:05')
  expect(field).toHaveValue('2.4.2025 7:05')
  expect(screen.getByRole('status')).toHaveTextContent('2025-04-02T07:05:00')
  await userEvent.tab()
  expect(field).toHaveValue(momentInFull('2025-04-02T07:05:00'))
  await userEvent.clear(field)
  await userEvent.type(field, '3/4/2025')
  await userEvent.tab()
  expect(field).toHaveValue('3/4/2025')
  expect(screen.getByRole('button', { name: /From \(UTC\)$/ })).toBeEnabled()
  const picker = container.querySelector('input[type="datetime-local"]')
  if (picker) fireEvent.change(picker, { target: { value: '2023-01-02T03:04' } })
  expect(field).toHaveValue(momentInFull('2023-01-02T03:04:00'))
  expect(screen.getByRole('status')).toHaveTextContent('2023-01-02T03:04:00')
})

function ConsentDate({ stored }: { readonly stored: string }) {
  const [value, setValue] = useState(stored)
  return (
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <MomentField kind="datetime" label="Since (UTC)" value={value} onChange={setValue} isToSecond />
      <output>{value}</output>
    </MantineProvider>
  )
}

test('a stored moment shown to the second keeps its milliseconds until another is typed', async () => {
  const stored = '2024-03-01T09:30:12.345Z'
  render(<ConsentDate stored={stored} />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Since (UTC)' })
  expect(field).toHaveValue('Mar 1, 2024, 09:30:12')
  await userEvent.type(field, '0{Backspace}')
  expect(screen.getByRole('status')).toHaveTextContent(stored)
  await userEvent.tab()
  expect(screen.getByRole('status')).toHaveTextContent(stored)
  await userEvent.type(field, '{Backspace}3')
  expect(screen.getByRole('status')).toHaveTextContent('2024-03-01T09:30:13.000Z')
  await userEvent.tab()
  expect(field).toHaveValue('Mar 1, 2024, 09:30:13')
})
