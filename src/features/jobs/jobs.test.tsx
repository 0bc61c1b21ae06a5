import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Job } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const soon = { timeout: 60_000 }
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

/** Runs a bulk change of a new user's car to its end. */
async function changePlate(dryRun = false) {
  const ana = await service.create('admin', '/users', { name: 'Ana' })
  await service.create('admin', `/users/${ana}/entities`, { type: 'car', properties: [] })
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B 2' }
  const id = await service.create('steward', '/users/batch', { ids: [ana], set, dryRun })
  const read = async (): Promise<Job> => (await service.call('steward', 'GET', `/jobs/${id}`)).body
  await waitFor(async () => expect((await read()).state).toBe('finished'), soon)
  return { id, job: await read() }
}

/** Opens the console over a service that answers with these jobs. */
function renderJobs(path: string, answer: () => Job | readonly Job[]) {
  const edge = network(service, ({ url }) =>
    new URL(url).pathname.endsWith(path) ? Response.json(answer()) : undefined,
  )
  return renderApp({ service: { ...service, fetch: edge.fetch }, path, role: 'steward' })
}

test('a person without jobs is told where they come from', async () => {
  renderApp({ service, path: '/jobs', role: 'steward' })
  expect(await screen.findByText('No jobs yet')).toBeVisible()
  expect(screen.getByText(/Select users in the list, or open a segment/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to the list of users' })).toBeVisible()
})

test('the address of a job in earlier releases still leads to it', async () => {
  const { id } = await changePlate()
  const { router } = renderApp({ service, path: `/users/batch/${id}`, role: 'steward' })
  await heading('Plate (car)')
  expect(router.state.location.pathname).toBe(`/jobs/${id}`)
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Jobs' })).toBeVisible()
})

test('the navigation leads to the jobs of a person who may have some, and of nobody else', async () => {
  const steward = renderApp({ service, path: '/segments', role: 'steward' })
  await heading('Segments')
  const areas = () => within(screen.getByRole('navigation', { name: 'Main' }))
  await steward.user.click(areas().getByRole('link', { name: 'Jobs' }))
  await heading('Jobs')
  steward.unmount()
  renderApp({ service, path: '/events', role: 'integrator' })
  await heading('Events')
  expect(areas().queryByText('Jobs')).not.toBeInTheDocument()
})

test('a job of a kind that this console does not know shows what all jobs have', async () => {
  const { id, job } = await changePlate()
  const { set: _, ...rest } = job
  renderJobs(`/jobs/${id}`, () => ({ ...rest, kind: 'polish', outcomes: { polished: 4 } }))
  await heading('polish')
  expect(screen.getByText('Finished')).toBeVisible()
  expect(screen.getByText('polished')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Undo/ })).not.toBeInTheDocument()
})

test('the list of jobs says a check in one word beside what it found, and the page says that nothing changed', async () => {
  await changePlate(true)
  const { user } = renderApp({ service, path: '/jobs', role: 'steward' })
  const row = within(await screen.findByRole('table', { name: 'Jobs' })).getAllByRole('row')[1]
  expect(row).toHaveTextContent(/^Plate \(car\) · Bulk change\s?Previewed\s?1 user would change/)
  await user.click(screen.getByRole('link', { name: 'Plate (car)' }))
  expect(await screen.findByText('Preview ready, nothing changed yet')).toBeVisible()
})

test('the list of jobs tells imports apart by their rows, and all jobs by their reasons', async () => {
  const { job } = await changePlate()
  const { set: _, ...rest } = job
  renderJobs('/jobs', () => [
    { ...rest, id: '1', kind: 'import', rows: 488, reason: 'New shop in Lyon' },
    { ...rest, id: '2', kind: 'import', rows: 1 },
    // An earlier release tells no number of rows.
    { ...rest, id: '3', kind: 'import' },
  ])
  const rows = within(await screen.findByRole('table', { name: 'Jobs' })).getAllByRole('row')
  expect(rows[1]).toHaveTextContent(/^Import of 488 rowsNew shop in Lyon/)
  expect(rows[2]).toHaveTextContent(/^Import of 1 row\s?Finished/)
  expect(rows[3]).toHaveTextContent(/^Import\s?Finished/)
})

test('the list of jobs tells exports apart by their segments, and jobs of one hour by the minute', async () => {
  const { job } = await changePlate()
  const filter = { user: 'name', op: 'eq', value: 'Ana' }
  const segment = await service.create('admin', '/segments', { name: 'Drivers in Lyon', filter })
  const { set: _, ...rest } = job
  const file = { format: 'csv', sensitive: 'masked', rows: 1, withheld: 0 }
  renderJobs('/jobs', () => [
    { ...rest, id: '1', kind: 'export', export: file, segment, created: '2024-03-01T09:05:12.000Z' },
    { ...rest, id: '2', kind: 'export', export: file, created: '2024-03-01T09:42:50.000Z' },
    // Deleted since.
    { ...rest, id: '3', kind: 'export', export: file, segment: crypto.randomUUID() },
  ])
  await screen.findByText('All users in “Drivers in Lyon”')
  const rows = within(screen.getByRole('table', { name: 'Jobs' })).getAllByRole('row')
  expect(rows[1]).toHaveTextContent(
    /^Users as CSV · ExportAll users in “Drivers in Lyon”.*Mar 1, 2024, 09:05$/,
  )
  expect(rows[2]).toHaveTextContent(/^Users as CSV · Export\s?Finished.*Mar 1, 2024, 09:42$/)
  expect(rows[3]).toHaveTextContent(/^Users as CSV · ExportUsers in a segment/)
})

test('the counts of an undone job take the place of its buttons', async () => {
  const { id, job } = await changePlate()
  renderJobs(`/jobs/${id}`, () => ({
    ...job,
    state: 'undone',
    undo: true,
    outcomes: { changed: 1, no_entity: 2 },
    undone: { undone: 1 },
  }))
  await heading('Plate (car)')
  const progress = within(screen.getByRole('region', { name: 'Progress' }))
  // The result of the undo comes first, in place of what was changed.
  expect(progress.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Restored',
    'No Car entity',
  ])
  expect(progress.queryByRole('button')).not.toBeInTheDocument()
})

test('an export names its columns by their labels', async () => {
  const columns = ['name', 'person.first_name', 'car.plate']
  const { id, job } = await changePlate()
  const { set: _, ...rest } = job
  renderJobs(`/jobs/${id}`, () => ({
    ...rest,
    kind: 'export',
    export: { format: 'csv', columns, sensitive: 'masked', rows: 1, withheld: 0 },
  }))
  await heading('Users as CSV')
  expect(screen.getByText('Name, First name, Car plate')).toBeVisible()
})

test('a running job tells its speed and the time left, once they are known', async () => {
  const { id, job } = await changePlate()
  const began = performance.now()
  renderJobs(`/jobs/${id}`, () => {
    const done = Math.round((performance.now() - began) / 10)
    return { ...job, state: 'running', done, total: 20_000 }
  })
  await heading('Plate (car)')
  expect(
    await screen.findByText(/of 20,000 · \d+ a second · about [34] minutes left$/, {}, soon),
  ).toBeVisible()
})
