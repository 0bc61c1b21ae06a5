import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach } from 'vitest'

import type { Entity, Role } from '#contract/index.ts'
import { clearToasts } from '../ui/toast.tsx'
import { type Meet, network } from './network.ts'
import { renderApp, type RenderAppOptions } from './render-app.tsx'

/** Service as started by the server's test support. */
export type Service = RenderAppOptions['service'] & {
  readonly call: (
    role: Role,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly headers: Headers; readonly body: never }>
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

/** One user with one entity and the console pages about them, on the real service; recreated for each test. */
class EntityPages {
  userId = ''
  entityId = ''
  /** Intercepts requests between the console and the service. */
  between: Meet | undefined
  #service: Service | undefined
  #edge = this.#newEdge()

  #newEdge() {
    return network({ fetch: (...asked) => this.service.fetch(...asked) }, (request, onward) =>
      this.between?.(request, onward),
    )
  }

  get service(): Service {
    if (!this.#service) throw new Error('The service has not been started.')
    return this.#service
  }

  /** Requests that reached the network, in order. */
  get requests() {
    return this.#edge.requests
  }

  async start(start: () => Promise<Service>) {
    this.#service = await start()
  }

  async reset() {
    await this.service.reset()
    clearToasts()
    this.between = undefined
    this.#edge = this.#newEdge()
    this.userId = await this.make('/users', { name: 'Ana', email: 'ana@example.org' })
    this.entityId = await this.make(`/users/${this.userId}/entities`, {
      type: 'person',
      properties: [
        { key: 'birthday', type: 'DATE', sensitive: false, value: '1984-02-29' },
        { key: 'city', type: 'TEXT', sensitive: false, value: 'Lyon' },
        { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91-SECRET' },
        { key: 'pin', type: 'TEXT', sensitive: true, value: '4711-SECRET' },
      ],
    })
  }

  writes = () => this.requests.filter(({ method }) => method !== 'GET')

  async open(path = this.#address()) {
    const app = this.#render(path)
    await screen.findByRole('form')
    return app
  }

  /** Opens the user's page, where entities are read. */
  async openRecord(hidden = 'IBAN') {
    const app = this.#render(`/users/${this.userId}`)
    await screen.findByRole('button', { name: `Reveal ${hidden}` })
    return app
  }

  /** Opens the URL of the deleted entity. */
  async openGone() {
    const app = this.#render(this.#address())
    await screen.findByText('This entity doesn’t exist')
    return app
  }

  #address = () => `/users/${this.userId}/entities/${this.entityId}`

  #render(path: string) {
    const { baseUrl, features, token } = this.service
    return renderApp({
      service: { baseUrl, features, token, fetch: this.#edge.fetch },
      path,
      role: 'steward',
    })
  }

  async make(path: string, body: unknown): Promise<string> {
    const { headers } = await this.service.call('admin', 'POST', path, body)
    return headers.get('location')?.split('/').at(-1) ?? ''
  }

  async stored(id = this.entityId): Promise<Entity> {
    return (await this.service.call('admin', 'GET', `/users/${this.userId}/entities/${id}`)).body
  }

  async storedValues(): Promise<Record<string, unknown>> {
    return Object.fromEntries((await this.stored()).properties.map(({ key, value }) => [key, value]))
  }

  /** Writes a property as somebody else. */
  async elsewhere(key: string, value: string) {
    await this.service.call('admin', 'PATCH', `/users/${this.userId}/entities/${this.entityId}`, {
      properties: [{ key, type: 'TEXT', value }],
    })
  }
}

/** Sets up the pages for the tests of a file or a `describe`. */
export function entityPages(start: () => Promise<Service>): EntityPages {
  const pages = new EntityPages()
  beforeAll(() => pages.start(start))
  afterAll(() => pages.service.close())
  beforeEach(() => pages.reset())
  return pages
}

export const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
export const button = (name: string | RegExp) => screen.getByRole('button', { name })

export async function retype(user: UserEvent, name: string, text: string) {
  await user.clear(field(name))
  await user.type(field(name), text)
}

/** Opens the review and confirms the save. */
export async function save(user: UserEvent) {
  await user.click(button('Review…'))
  const review = within(await screen.findByRole('dialog', { name: /^Review/ }))
  await user.click(review.getByRole('button', { name: /^Save \d/ }))
}
