import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Entity, Segment, User, UserList } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'
import { clearToasts } from '../ui/toast.tsx'

// Tests one form under every failure of network and service, since all forms have the same shell, and every form under
// two: the input stays, the page says what is known, and the next try works. The edit of an entity is tested in save.test.tsx, failures that need a browser in e2e/faults.e2e.ts.

const failed = /not saved|not created|not deleted|couldn’t (create|save|delete)|may have been/i

const json = (status: number, body: string, headers = {}) =>
  new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
const unavailable = (seconds: number) =>
  json(503, '{"code":"unavailable"}', { 'retry-after': String(seconds) })
const html = (status: number) =>
  new Response('<h1>Sign in to the network</h1>', { status, headers: { 'content-type': 'text/html' } })
const lost = (): never => {
  throw new TypeError('Failed to fetch')
}

const faults: readonly (readonly [answer: () => Response, says?: RegExp])[] = [
  [() => json(500, '{"code":"internal","title":"It broke."}')],
  // A page of the gateway.
  [() => html(502)],
  [() => unavailable(7), /in 7 seconds/],
  [() => json(429, '{"code":"too_many"}', { 'retry-after': '9' }), /in 9 seconds/],
  [
    () => {
      throw new DOMException('The time is over.', 'TimeoutError')
    },
  ],
  [lost],
  [() => json(400, '{"code":"bro')],
  // A page in place of an answer.
  [() => html(200)],
]

interface Opened {
  readonly method: string
  readonly submit: () => Promise<void>
  readonly typed: readonly (readonly [field: () => Promise<HTMLElement>, string])[]
  /** Finishes the case after the write was done and its response lost; the first submit has already happened. */
  readonly end: () => Promise<void>
  /** Counts how often the service has done the write. */
  readonly count: () => Promise<number>
}

describe.each(['all', 'none'] as const)('additions: %s', (additions) => {
  const service = testService({ additions })
  beforeEach(() => {
    clearToasts()
    return service.reset()
  })

  const read = async <Body,>(path: string): Promise<Body> => (await service.call('admin', 'GET', path)).body
  const countUsers = async (name: string) =>
    (await read<UserList>('/users')).users.filter((user) => user.name === name).length
  const countSegments = async (name: string) =>
    (await read<Segment[]>('/segments')).filter((segment) => segment.name === name).length
  const button = (name: string | RegExp) => screen.findByRole('button', { name })
  const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
  const alert = async (text: RegExp) => {
    const all = await screen.findAllByRole('alert')
    const said = all.find(({ textContent }) => text.test(textContent))
    if (!said)
      throw new Error(`No alert says ${text}, but: ${all.map((each) => each.textContent).join(' | ')}`)
    return said
  }
  type App = ReturnType<typeof renderApp>
  type Start = (path: string) => App

  async function deletion(
    app: App,
    word: string | undefined,
    action: string,
    parts: Pick<Opened, 'end' | 'count'>,
  ): Promise<Opened> {
    const field = () => screen.findByRole('textbox', { name: /^Type/ })
    if (word !== undefined) await app.user.type(await field(), word)
    const submit = async () => app.user.click(await button(action))
    return {
      method: 'DELETE',
      submit,
      typed: word === undefined ? [] : [[field, word]],
      ...parts,
    }
  }
  async function chooseDeletion(app: App, item: string) {
    await app.user.click(await button('More actions'))
    await app.user.click(await screen.findByRole('menuitem', { name: item }))
  }

  const forms: Record<string, (start: Start) => Promise<Opened>> = {
    async 'a new entity'(start) {
      const id = await service.create('admin', '/users', { name: 'Ana' })
      const { user } = start(`/users/${id}/entities/new`)
      const type = () => screen.findByLabelText('Entity type')
      const brand = () => screen.findByRole('textbox', { name: 'Value of Brand' })
      await user.type(await type(), 'car')
      await user.keyboard('{Escape}')
      await user.type((await screen.findAllByLabelText(/^Property: /))[0] ?? document.body, 'brand')
      await user.keyboard('{Escape}')
      await user.type(await brand(), 'Volvo')
      return {
        method: 'POST',
        submit: async () => user.click(await button('Create entity')),
        typed: [
          [type, 'car'],
          [brand, 'Volvo'],
        ],
        end: async () => void (await screen.findByText('Car added')),
        count: async () => (await read<Entity[]>(`/users/${id}/entities`)).length,
      }
    },

    async "a user's own fields"(start) {
      const id = await service.create('admin', '/users', { name: 'Before', ref: 'R-1' })
      const { user } = start(`/users/${id}`)
      await user.click(await button('Edit'))
      const name = () => screen.findByRole('textbox', { name: 'Name' })
      await user.clear(await name())
      await user.type(await name(), 'After')
      const submit = async () => user.click(await button(/^Save/))
      return {
        method: 'PATCH',
        submit,
        typed: [[name, 'After']],
        end: async () => {
          await waitFor(() => alert(/Your changes may have been saved/))
          expect(await name()).toHaveValue('After')
          await submit()
          await heading('After')
        },
        count: async () => ((await read<User>(`/users/${id}`)).name === 'After' ? 1 : 0),
      }
    },

    async 'a new user'(start) {
      const { user } = start('/users/new')
      const name = () => screen.findByRole('textbox', { name: 'Name' })
      const email = () => screen.findByRole('textbox', { name: 'E-mail' })
      await user.type(await name(), 'Ana')
      await user.type(await email(), 'ana@example.org')
      const submit = async () => user.click(await button('Create user'))
      return {
        method: 'POST',
        submit,
        typed: [
          [name, 'Ana'],
          [email, 'ana@example.org'],
        ],
        end: async () => {
          await waitFor(() => alert(/The user may have been created/))
          await submit()
          // Without an idempotency key the repeated write finds the existing user.
          if (additions === 'none') await screen.findByText('This user already exists')
          else await heading('Ana')
        },
        count: () => countUsers('Ana'),
      }
    },

    async 'a new segment'(start) {
      const { user } = start('/segments/new')
      const name = () => screen.findByRole('textbox', { name: 'Name' })
      const filter = () => screen.findByLabelText('Filter as JSON')
      const text = '{"all":[{"user":"name","op":"eq","value":"x"}]}'
      await user.type(await name(), 'Ours')
      await user.click(await screen.findByText('JSON'))
      await user.clear(await filter())
      await user.click(await filter())
      await user.paste(text)
      const submit = async () => user.click(await button('Create segment'))
      return {
        method: 'POST',
        submit,
        typed: [
          [name, 'Ours'],
          [filter, text],
        ],
        end: async () => {
          await waitFor(() => alert(/The segment may have been created/))
          expect(await name()).toHaveValue('Ours')
          // Without an idempotency key a repeated write cannot be told from the first.
          if (additions === 'none') return void (await screen.findByText(/Check the list of segments before/))
          await submit()
          await heading('Ours')
        },
        count: () => countSegments('Ours'),
      }
    },

    async 'deleting an entity'(start) {
      const id = await service.create('admin', '/users', { name: 'Ana' })
      const entity = await service.create('admin', `/users/${id}/entities`, { type: 'car', properties: [] })
      const app = start(`/users/${id}/entities/${entity}`)
      await app.user.click(await button('Delete this car'))
      return deletion(app, undefined, 'Delete car', {
        // The page checks by itself whether the entity is deleted.
        end: async () => void (await screen.findByText('Car deleted')),
        count: async () => 1 - (await read<Entity[]>(`/users/${id}/entities`)).length,
      })
    },

    async 'deleting a user'(start) {
      const id = await service.create('admin', '/users', { name: 'Ana', ref: 'R-1' })
      const app = start(`/users/${id}`)
      await chooseDeletion(app, 'Delete user…')
      const opened = await deletion(app, 'delete', 'Delete user', {
        end: async () => {
          await waitFor(() => alert(/The user may have been deleted/))
          await opened.submit()
          await screen.findByText(/^Ana deleted/)
        },
        count: async () => 1 - (await countUsers('Ana')),
      })
      return opened
    },

    async 'deleting a segment'(start) {
      const id = await service.create('admin', '/segments', { name: 'Ours', filter: { all: [] } })
      const app = start(`/segments/${id}`)
      await chooseDeletion(app, 'Delete segment…')
      const opened = await deletion(app, 'Ours', 'Delete segment', {
        end: async () => {
          await waitFor(() => alert(/The segment may have been deleted/))
          await opened.submit()
          await screen.findByText('“Ours” deleted')
        },
        count: async () => 1 - (await countSegments('Ours')),
      })
      return opened
    },
  }

  /** Opens a form whose writes can be made to fail. */
  async function openForm(name: string) {
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView')
    const edge = network(service)
    const form = await forms[name]?.((path) =>
      renderApp({ service: { ...service, fetch: edge.fetch }, path }),
    )
    if (!form) throw new Error(`There is no form for ${name}.`)
    const { method, submit, typed, count } = form
    const isWrite = (request: Request) => request.method === method && !request.url.endsWith('/search')
    /** Submits while writes are answered so, and expects the failure and what was typed. Returns how many were sent. */
    const fail = async (answer: (attempt: number) => Response, says = failed, meets = isWrite) => {
      let met = 0
      edge.meet((request) => (meets(request) ? answer((met += 1)) : undefined))
      await submit()
      await waitFor(() => expect(met).toBeGreaterThan(0))
      const said = await waitFor(() => alert(failed))
      await waitFor(() => expect(said).toHaveTextContent(says))
      // A dialog is always in view; the failure of a form is scrolled into view.
      const isInSight = () =>
        said.closest('[role=dialog]') ??
        seen.mock.contexts.find((element) => (element as Element).contains(said))
      await waitFor(() => expect(isInSight()).toBeTruthy())
      for (const [field, value] of typed) expect(await field()).toHaveValue(value)
      expect(await count()).toBe(0)
      edge.meet(() => undefined)
      return met
    }
    return { ...form, edge, isWrite, fail }
  }

  test.each(Object.keys(forms))('%s: a failure keeps what was typed, and it is done once', async (name) => {
    const { edge, isWrite, fail, submit, end, count } = await openForm(name)
    await fail(() => unavailable(7), /in 7 seconds/)
    let isDone = false
    edge.meet(async (request, onward) => {
      if (!isWrite(request) || isDone) return undefined
      isDone = true
      await onward()
      return lost()
    })
    await submit()
    await end()
    expect(await count()).toBe(1)
  })

  test('a user’s own fields: every fault keeps what was typed', async () => {
    const { fail } = await openForm("a user's own fields")
    for (const [answer, says] of faults) await fail(answer, says)
    // The whole network fails.
    await fail(lost, failed, () => true)
  })

  test('a write that its token fails is repeated with a new one', async () => {
    const { fail } = await openForm("a user's own fields")
    const refused = json(401, '{"code":"invalid_token"}', { 'www-authenticate': 'Bearer' })
    expect(await fail((attempt) => (attempt === 1 ? refused : unavailable(5)), /in 5 seconds/)).toBe(2)
  })
})
