import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

test.each([
  { what: 'a user', path: '/users/new', field: 'Name', typed: 'Ana', next: 'Ana' },
  {
    what: 'an entity',
    path: '/users/:id/entities/new',
    field: 'Entity type',
    typed: 'car',
    role: 'form',
    next: 'car',
  },
  { what: 'a segment', path: '/segments/new', field: 'Name', typed: 'All of them', next: 'All of them' },
  {
    what: 'a webhook',
    path: '/webhooks/new',
    field: 'Address',
    typed: 'https://example.org/hook',
    next: 'example.org created',
  },
])(
  '$what is made once, however often its form is sent until the next page is there',
  async ({ role = 'heading', ...form }) => {
    const id = await service.create('admin', '/users', { name: 'Somebody' })
    const edge = network(service)
    const path = form.path.replace(':id', id)
    const { user } = renderApp({ service: { ...service, fetch: edge.fetch }, path })
    const field = await screen.findByLabelText(form.field)
    await user.type(field, form.typed)
    const send = () => {
      const element = field.closest('form')
      if (element) fireEvent.submit(element)
    }
    send()
    const sending = setInterval(send)
    try {
      await screen.findByRole(role, { name: form.next })
    } finally {
      clearInterval(sending)
    }
    const isMaking = /\/(users|entities|segments|subscriptions)$/
    const made = edge.requests.filter((each) => each.method === 'POST' && isMaking.test(each.path))
    expect(made).toHaveLength(1)
  },
)
