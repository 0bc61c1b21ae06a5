import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { AnnouncedTexts } from './announced.tsx'
import { Announced } from './AnnouncedPart.tsx'

function Page({ count }: { readonly count: number | undefined }) {
  return (
    <>
      <div role="log">
        <AnnouncedTexts />
      </div>
      {count !== undefined && (
        <Announced as="p">
          <b>{count}</b> users
        </Announced>
      )}
    </>
  )
}

const announced = () => Array.from(screen.getByRole('log').querySelectorAll('p'), (said) => said.textContent)

test('a part of a page is announced whenever its text changes, as long as it is there', () => {
  const { rerender } = render(<Page count={1} />)
  expect(announced()).toEqual([])
  rerender(<Page count={2} />)
  expect(announced()).toEqual(['2 users'])
  // Drawn again without a change, it is not read again.
  const [said] = screen.getByRole('log').querySelectorAll('p')
  rerender(<Page count={2} />)
  expect(screen.getByRole('log').querySelector('p')).toBe(said)
  rerender(<Page count={3} />)
  expect(announced()).toEqual(['3 users'])
  rerender(<Page count={undefined} />)
  expect(announced()).toEqual([])
})
