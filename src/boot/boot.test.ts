import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { openTabs, type TabMessage } from '../auth/tabs.ts'

test('the window of a sign-in over a page hands over where it came back to, and closes once that is received', async () => {
  const consoleUrl = new URL('/', location.href).href
  // The console finds its address by this element, as in index.html.
  document.head.innerHTML = `<base href="${consoleUrl}" />`
  document.body.innerHTML = '<div id="root"></div>'
  const returned = `${consoleUrl}signed-in/popup?code=secret&state=asked`
  history.replaceState(null, '', returned)
  const close = vi.fn<typeof window.close>()
  vi.stubGlobal('close', close)
  const opener = openTabs(consoleUrl)
  const received: TabMessage[] = []
  opener.listen((message) => received.push(message))

  await import('./boot.ts')
  expect(await screen.findByText('Signed in. You can close this window.')).toBeVisible()
  await waitFor(() => expect(received).toEqual([{ type: 'returned', url: returned }]))
  expect(location.href).toBe(`${consoleUrl}signed-in/popup`)
  expect(close).not.toHaveBeenCalled()
  opener.send({ type: 'received', state: 'asked' })
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
})
