import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, save } from '../../../testing/entity-pages.tsx'

const options = () => screen.queryAllByRole('option').filter((option) => option.tagName !== 'OPTION')
const listOffered = () => options().map(({ textContent }) => textContent)
/** Returns the links inside the form, except the one that closes the editor. */
const links = () =>
  within(screen.getByRole('form'))
    .queryAllByRole('link')
    .filter(({ textContent }) => textContent !== 'Close editor')

async function addProperty(user: Awaited<ReturnType<typeof pages.open>>['user'], type: string) {
  await user.click(button('Add property'))
  await user.keyboard('made')
  await user.selectOptions(field('Type of Made'), type)
}

const pages = entityPages(() => startTestService())

describe('the key of a property', () => {
  const another = () =>
    pages.make(`/users/${pages.userId}/entities`, {
      type: 'person',
      properties: [
        { key: 'joined', type: 'DATE', sensitive: false, value: '2020-01-01' },
        { key: 'phone', type: 'TEXT', sensitive: true, value: '+34' },
        { key: 'city', type: 'TEXT', sensitive: false, value: 'Lyon' },
      ],
    })

  test('is offered from what entities of the type have, and brings its type and its mark along', async () => {
    await another()
    const { user } = await pages.open()
    await user.click(button('Add property'))
    const names = [expect.stringMatching(/^Joined Date/), expect.stringMatching(/^Phone TextSensitive/)]
    await waitFor(() => expect(listOffered()).toEqual(names))
    await user.keyboard('jo{Enter}')
    expect(field('Value of Joined')).toHaveFocus()
    expect(options()).toEqual([])
    expect(field('Type of Joined')).toHaveValue('DATE')
    expect(field('Joined is sensitive')).not.toBeChecked()

    // Choosing another key before anything else is typed replaces type and sensitivity.
    await user.clear(field('Property: Joined'))
    await user.keyboard('ph{Enter}')
    expect(field('Type of Phone')).toHaveValue('TEXT')
    expect(field('Phone is sensitive')).toBeChecked()
  })

  test('close to a known one, or of another type than everybody else’s, is said while it is typed', async () => {
    await another()
    const { user } = await pages.open()
    await user.click(button('Add property'))
    await user.keyboard('joind')
    const advice = await screen.findByText(/^1 user has “joined” \(Date\)\./)
    expect(advice).toBeVisible()
    await user.click(button('Use “joined”'))
    expect(field('Property: Joined')).toBeVisible()
    expect(field('Type of Joined')).toHaveValue('DATE')
    expect(screen.queryByText(/user has “joined”/)).toBeNull()

    await user.selectOptions(field('Type of Joined'), 'TEXT')
    expect(await screen.findByText(/^1 user has “joined” \(Date\)\./)).toBeVisible()
    await user.click(button('Use the type Date'))
    expect(field('Type of Joined')).toHaveValue('DATE')
  })

  test('changes nothing that was chosen by hand or typed', async () => {
    await another()
    const { user } = await pages.open()
    await user.click(button('Add property'))
    await user.type(field('Value of new property'), 'May')
    await user.type(field('Property: new property'), 'joi')
    await user.click(await screen.findByRole('option', { name: /joined/i }))
    expect(field('Type of Joined')).toHaveValue('TEXT')
    expect(field('Value of Joined')).toHaveValue('May')
  })

  test('may be any other: nothing is chosen unasked, and Escape closes the list alone', async () => {
    await another()
    const { user } = await pages.open()
    await user.click(button('Add property'))
    await user.keyboard('joi')
    await screen.findByRole('option', { name: /joined/i })
    await user.keyboard('{Escape}')
    expect(options()).toEqual([])
    expect(field('Property: Joi')).toHaveValue('joi')
    await user.keyboard('{ArrowDown}')
    expect(options()).toHaveLength(2)
    await user.tab()
    expect(options()).toEqual([])
    expect(field('Property: Joi')).toHaveValue('joi')
  })
})

describe('a relationship', () => {
  const inputs = () => ['user', 'entity'].map((part) => field(`Value of Made, ${part} id`).value)

  test('finds a user, then one of their entities, and names both', async () => {
    const bo = await pages.make('/users', { name: 'Bo Lindqvist', email: 'bo@example.org', ref: 'C-7' })
    const car = await pages.make(`/users/${bo}/entities`, {
      type: 'car',
      properties: [
        { key: 'brand', type: 'TEXT', sensitive: false, value: 'Volvo' },
        { key: 'plate', type: 'TEXT', sensitive: true, value: 'SECRET-1' },
      ],
    })
    const { user } = await pages.open()
    await addProperty(user, 'RELATIONSHIP')
    await user.type(field('Value of Made, user id'), 'lindq')
    await waitFor(() => expect(listOffered()).toEqual(['Bo Lindqvistbo@example.org · C-7']))
    // Text typed to find a user appears in no URL.
    expect(links()).toEqual([])
    await user.keyboard('{Enter}')
    expect(inputs()).toEqual([bo, ''])
    await waitFor(() =>
      expect(
        links()
          .map(({ textContent }) => textContent)
          .join(),
      ).toContain('Bo Lindqvist'),
    )

    await user.tab()
    expect(await screen.findByRole('option', { name: /car · Volvo/ })).toBeVisible()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(inputs()).toEqual([bo, car])
    const link = await screen.findByRole('link', { name: /^Bo Lindqvist › car · Volvo/ })
    expect(link).toHaveAttribute('href', `/users/${bo}/entities/${car}`)
    expect(document.body).not.toHaveTextContent('SECRET-1')
    expect(pages.requests.map(({ path }) => path).join()).not.toContain('lindq')

    await save(user)
    await waitFor(async () =>
      expect(await pages.storedValues()).toMatchObject({ made: { user: bo, entity: car } }),
    )
  })

  test('nobody found is said, and a text is no id', async () => {
    const { user } = await pages.open()
    await addProperty(user, 'RELATIONSHIP')
    await user.type(field('Value of Made, user id'), 'zzzz')
    expect(await screen.findByText('No users found.')).toBeVisible()
    await user.keyboard('{Enter}')
    // Enter in this input does not submit the form.
    expect(screen.queryByText('Give the id of a user.')).not.toBeInTheDocument()
    await user.tab()
    expect(screen.getByText('Give the id of a user.')).toBeVisible()
  })

  test('to what has gone is kept, and says so', async () => {
    const bo = await pages.make('/users', { name: 'Bo' })
    const car = await pages.make(`/users/${bo}/entities`, { type: 'car' })
    const gone = await pages.make('/users', { name: 'Cy' })
    await pages.service.call('admin', 'PATCH', `/users/${pages.userId}/entities/${pages.entityId}`, {
      properties: [
        { key: 'spouse', type: 'RELATIONSHIP', sensitive: false, value: { user: gone } },
        { key: 'car', type: 'RELATIONSHIP', sensitive: false, value: { user: bo, entity: car } },
      ],
    })
    await pages.service.call('admin', 'DELETE', `/users/${gone}`)
    await pages.service.call('admin', 'DELETE', `/users/${bo}/entities/${car}`)
    await pages.open()
    await waitFor(() => expect(screen.getAllByText(/not found/)).toHaveLength(2))
    expect(field('Value of Spouse, user id')).toHaveValue(gone)
    expect(links().map((link) => link.getAttribute('href'))).toEqual([`/users/${bo}`])
  })
})

describe('a currency', () => {
  test('no longer in use is accepted when typed, and marked; only current ones are suggested', async () => {
    const { user } = await pages.open()
    await addProperty(user, 'CURRENCY')
    await user.type(field('Value of Made, amount'), '12')
    await user.type(field('Value of Made, currency'), 'de')
    expect(screen.queryByText('No longer used')).not.toBeInTheDocument()
    await user.type(field('Value of Made, currency'), 'm')
    expect(screen.getByText('No longer used')).toBeVisible()
    const offered = [...document.querySelectorAll('datalist option')].map((option) =>
      option.getAttribute('value'),
    )
    expect(offered).toEqual(expect.arrayContaining(['EUR', 'XCG', 'ZWG', 'CLF', 'VED']))
    expect(offered).not.toContain('DEM')
    await user.keyboard('{Enter}')
    await waitFor(async () =>
      expect(await pages.storedValues()).toMatchObject({ made: { currency: 'DEM', value: '12' } }),
    )
  })

  test.each(['XCG', 'ZWG', 'UYW', 'XAD', 'ANG'])('%s is an amount to read', async (currency) => {
    await pages.service.call('admin', 'PATCH', `/users/${pages.userId}/entities/${pages.entityId}`, {
      properties: [{ key: 'fee', type: 'CURRENCY', value: { currency, value: '1234.5' } }],
    })
    await pages.open()
    expect(field('Value of Fee, amount')).toHaveValue('1234.5')
    expect(field('Value of Fee, currency')).toHaveValue(currency)
  })
})

describe('another spelling', () => {
  test('an amount pasted with its currency fills both inputs', async () => {
    const { user } = await pages.open()
    await addProperty(user, 'CURRENCY')
    await user.click(field('Value of Made, amount'))
    await waitFor(async () => {
      await user.clear(field('Value of Made, amount'))
      await user.paste('1.234,50 €')
      expect(field('Value of Made, amount')).toHaveValue('1234.50')
    })
    expect(field('Value of Made, currency')).toHaveValue('EUR')
  })

  test.each([
    ['TIME', '8:30', '08:30'],
    ['DATE', '31.12.2024', 'Dec 31, 2024'],
    ['DECIMAL', '12,50', '12.50'],
    ['NUMBER', '1 234,5', '1234.5'],
    ['EMAIL', 'Bo <bo@example.org>', 'bo@example.org'],
  ])(
    'an unambiguous %s is normalised when its input loses the focus: %s becomes %s',
    async (type, typed, becomes) => {
      const { user } = await pages.open()
      await addProperty(user, type)
      await user.type(field('Value of Made'), typed)
      await user.tab()
      await waitFor(() => expect(field('Value of Made')).toHaveValue(becomes))
      expect(field('Value of Made')).toBeValid()
      expect(screen.queryByText('Did you mean:')).not.toBeInTheDocument()
    },
  )

  test('is accepted before Enter sends the form, with the contents of the other inputs', async () => {
    const { user } = await pages.open()
    await addProperty(user, 'CURRENCY')
    await user.type(field('Value of Made, currency'), '€')
    await user.tab()
    await waitFor(() => expect(field('Value of Made, currency')).toHaveValue('EUR'))
    await user.type(field('Value of Made, amount'), '1.234,50{Enter}')
    await waitFor(async () =>
      expect(await pages.storedValues()).toMatchObject({ made: { currency: 'EUR', value: '1234.50' } }),
    )
  })

  test('an untouched stored value is left as it is when its input loses the focus', async () => {
    await pages.service.call('admin', 'PATCH', `/users/${pages.userId}/entities/${pages.entityId}`, {
      properties: [{ key: 'seen', type: 'TEXT', value: '31.12.2024' }],
    })
    const { user } = await pages.open()
    await user.selectOptions(field('Type of Seen'), 'DATE')
    await user.click(field('Value of Seen'))
    await user.tab()
    expect(field('Value of Seen')).toHaveValue('31.12.2024')
  })

  test('is written as elsewhere on the page once it is left, and stored as ever', async () => {
    const { user } = await pages.open()
    const born = () => field('Value of Birthday')
    expect(born()).toHaveValue('Feb 29, 1984')
    await user.click(born())
    expect(born()).toHaveAttribute('placeholder', 'e.g. Mar 1, 2024')
    await user.tab()
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
    await user.clear(born())
    await user.type(born(), '1990-01-02')
    expect(born()).toHaveValue('1990-01-02')
    await user.tab()
    expect(born()).toHaveValue('Jan 2, 1990')
    await addProperty(user, 'DATETIME')
    await user.type(field('Value of Made (UTC)'), '3 Feb 2024 7:05:09')
    await user.tab()
    expect(field('Value of Made (UTC)')).toHaveValue('Feb 3, 2024, 07:05:09')
    await user.selectOptions(field('Type of Made'), 'TEXT')
    // A text is shown as it is stored, even if it looks like a date.
    expect(field('Value of Made')).toHaveValue('2024-02-03T07:05:09.000Z')
    await user.selectOptions(field('Type of Made'), 'DATETIME')
    expect(field('Value of Made (UTC)')).toHaveValue('Feb 3, 2024, 07:05:09')
    await save(user)
    await waitFor(async () =>
      expect(await pages.storedValues()).toMatchObject({
        birthday: '1990-01-02',
        made: '2024-02-03T07:05:09.000Z',
      }),
    )
  })

  test('that may mean two things is refused, and both are offered', async () => {
    const { user } = await pages.open()
    await addProperty(user, 'DATE')
    await user.type(field('Value of Made'), '3/1/2024')
    await user.tab()
    expect(screen.getByText('Enter a valid date, such as Mar 1, 2024.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Use Mar 1, 2024: Value of Made' })).toBeVisible()
    expect(screen.getByText('Did you mean:')).toBeVisible()
    await user.click(button('Use Jan 3, 2024: Value of Made'))
    expect(field('Value of Made')).toHaveValue('Jan 3, 2024')
    expect(field('Value of Made')).toHaveFocus()
    expect(screen.queryByText('Did you mean:')).not.toBeInTheDocument()
  })
})

describe('a new entity', () => {
  test('begins with the keys of the last one of its type, of which blank ones are left out', async () => {
    await pages.make(`/users/${pages.userId}/entities`, {
      type: 'car',
      properties: [
        { key: 'brand', type: 'TEXT', sensitive: false, value: 'Volvo' },
        { key: 'plate', type: 'TEXT', sensitive: true, value: 'SECRET-1' },
        { key: 'price', type: 'CURRENCY', sensitive: false, value: { currency: 'EUR', value: '1' } },
      ],
    })
    const bo = await pages.make('/users', { name: 'Bo' })
    await pages.make(`/users/${bo}/entities`, {
      type: 'car',
      properties: [{ key: 'colour', type: 'TEXT', sensitive: false, value: 'red' }],
    })
    const { user, router } = await pages.open(`/users/${pages.userId}/entities/new`)
    await user.type(field('Entity type'), 'car')
    expect(await screen.findByRole('button', { name: 'All known properties for car (4)' })).toBeVisible()
    await user.click(button('Properties of this user’s last car (3)'))
    expect(screen.queryByLabelText('Property: new property')).not.toBeInTheDocument()
    expect(field('Type of Price')).toHaveValue('CURRENCY')
    expect(field('Plate is sensitive')).toBeChecked()
    expect(field('Value of Brand')).toHaveValue('')
    await user.type(field('Value of Plate'), 'AB-1')

    // Typed values stay when further keys are added.
    await user.click(button('All known properties for car (4)'))
    expect(field('Value of Plate')).toHaveValue('AB-1')
    expect(field('Property: Colour')).toHaveValue('colour')
    await user.click(button('Create entity'))
    await waitFor(() => expect(router.state.location.pathname).not.toContain('/new'))
    const { properties } = await pages.stored(router.state.location.pathname.split('/').at(-1))
    expect(properties).toMatchObject([{ key: 'plate', type: 'TEXT', sensitive: true, value: 'AB-1' }])
    expect(properties).toHaveLength(1)
  })
})
