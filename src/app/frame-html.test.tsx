import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import { consoleAddresses } from '#server/http/console.ts'
import { testService } from '#server/testing-hooks.ts'

import { renderApp } from '../testing.tsx'
import { renderFrame } from './frame-html.tsx'

const service = testService()
const frame = renderFrame()

test('there is a skeleton for each address of the console, which begins at the users', () => {
  const named = [...frame.html.matchAll(/data-skeleton="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  expect(new Set(named)).toEqual(new Set(consoleAddresses.filter((address) => address !== '')))
})

/** As in the page, with the styles that a style sheet holds there, and one skeleton of all. */
function inThePage(name: string): HTMLElement {
  const root = document.createElement('div')
  root.innerHTML = frame.html
  for (const [, style, declarations = ''] of frame.css.matchAll(/\[data-style='(\w+)'\] \{ (.*) \}/g))
    for (const element of root.querySelectorAll<HTMLElement>(`[data-style='${style}']`)) {
      element.removeAttribute('data-style')
      element.style.cssText = declarations
    }
  for (const other of root.querySelectorAll(`[data-skeleton]:not([data-skeleton~='${name}'])`)) other.remove()
  for (const wrapper of root.querySelectorAll('[data-frame], div[inert], [data-skeleton]'))
    wrapper.replaceWith(...wrapper.childNodes)
  return root
}

/** One tag a line, without what is only known later: who is signed in, what may be pressed, where on the way we are, the foot. */
function linesOf(root: Element): string[] {
  const late = ':scope > :not(a, :has(main)), output:empty, header > [aria-haspopup=menu], aside > footer'
  for (const element of root.querySelectorAll(late)) element.remove()
  for (const link of root.querySelectorAll('a')) {
    link.setAttribute('href', link.getAttribute('href')?.replace(/^\//, '') ?? '')
    if (!link.closest('nav')) continue
    link.removeAttribute('aria-current')
    link.classList.remove('active')
  }
  root.querySelector('main')?.removeAttribute('aria-busy')
  root.querySelector('[inert]')?.removeAttribute('inert')
  for (const element of root.querySelectorAll('*'))
    for (const { name, value } of [...element.attributes].toSorted((a, b) => a.name.localeCompare(b.name))) {
      element.removeAttribute(name)
      element.setAttribute(name, value)
    }
  return root.innerHTML.replaceAll('><', '>\n<').split('\n')
}

describe('the frame in the page is what React renders first', () => {
  test.each(['users', 'users/:id', 'segments', 'users/new'])('at %s', async (address) => {
    const { container } = renderApp({ service, path: `/${address.replace(':id', crypto.randomUUID())}` })
    const rendered = linesOf(container.cloneNode(true) as Element)
    expect(linesOf(inThePage(address))).toEqual(rendered)
    expect(rendered.length).toBeGreaterThan(50)
    expect(await screen.findByRole('heading', { level: 1, name: /./ })).toBeVisible()
  })
})
