import type { Faker } from '@faker-js/faker'

import type { PropertyInput } from '#contract/index.ts'
import { type NewEntity, newEntity } from './bulk.ts'
import { carModels, type Country, deliveryNotes } from './catalogue.ts'
import { filled, type MakeId, pick, type Random, whole } from './random.ts'

const yearMs = 365.25 * 86_400_000

/** Who is being made: what all parts of a user draw on. */
export interface Making {
  readonly id: string
  readonly created: number
  readonly country: Country
  /** Whom the user is married to. */
  readonly spouse?: string
  readonly faker: Faker
  readonly random: Random
  readonly makeId: MakeId
  /** The reference day's midnight, UTC: nothing happens later. */
  readonly today: number
}

/** What a user owns: a person, up to three cars, up to two addresses; some of it added later. */
export function entitiesOf(making: Making): NewEntity[] {
  const { id, created, today, random, makeId } = making
  const later = () => Math.floor(created + random() ** 2 * (today - created))
  const counted = (...shares: number[]) => {
    let left = random() * 100
    return shares.findIndex((share) => (left -= share) < 0)
  }
  const made: NewEntity[] = []
  const add = (type: string, msecs: number, inputs: readonly PropertyInput[]) =>
    made.push(newEntity(makeId, msecs, id, type, inputs))
  if (random() < 0.95) add('person', created, person(making))
  for (let cars = counted(35, 45, 15, 5); cars > 0; cars--) add('car', later(), car(making))
  for (let addresses = counted(10, 70, 20); addresses > 0; addresses--)
    add('address', later(), address(making))
  return made
}

/** `false` stands for a property that this one does not have; one with `null` has no value. */
function listed(...inputs: (PropertyInput | false)[]): PropertyInput[] {
  return inputs.filter((input) => input !== false)
}

function person({ random, faker, country, today, spouse }: Making): PropertyInput[] {
  const birthday = day(today - (18 + random() * 70) * yearMs)
  const [, year = '', month = '', date = ''] = /(\d\d)-(\d\d)-(\d\d)$/.exec(birthday) ?? []
  const status = pick(random, ['GRANTED', 'GRANTED', 'GRANTED', 'DENIED', 'REVOKED'])
  const statusMs = today - Math.floor(random() * 3 * yearMs)
  const expires = status === 'GRANTED' && random() < 0.3 && new Date(statusMs + 2 * yearMs).toISOString()
  return listed(
    { key: 'birthday', type: 'DATE', value: random() < 0.03 ? null : birthday },
    random() < 0.85 && {
      key: 'phone',
      type: 'TEXT',
      sensitive: true,
      value: random() < 0.03 ? null : filled(random, country.phone),
    },
    random() < 0.4 && {
      key: 'national_id',
      type: 'TEXT',
      sensitive: true,
      value: filled(random, `${year}${month}${date}-%###`),
    },
    country.iban !== undefined &&
      random() < 0.5 && {
        key: 'iban',
        type: 'TEXT',
        sensitive: true,
        value: faker.finance.iban({ countryCode: country.iban }),
      },
    random() < 0.75 && {
      key: 'newsletter',
      type: 'PREFERENCE',
      value: { status, statusDate: new Date(statusMs).toISOString(), ...(expires && { expires }) },
    },
    { key: 'language', type: 'TEXT', value: random() < 0.1 ? 'en' : country.language },
    { key: 'loyalty_points', type: 'NUMBER', value: Math.floor(random() ** 3 * 20_000) },
    { key: 'vip', type: 'BOOLEAN', value: random() < 0.06 },
    random() < 0.3 && {
      key: 'contact_email',
      type: 'EMAIL',
      value: random() < 0.05 ? null : `contact.${whole(random, 1, 99_999)}@example.com`,
    },
    spouse !== undefined && { key: 'spouse', type: 'RELATIONSHIP', value: { user: spouse } },
  )
}

function car({ random, country, today }: Making): PropertyInput[] {
  const { brand, model, price, litres } = pick(random, carModels)
  const age = random() ** 1.3 * (litres ? 16 : 8)
  const inspected = age > 2.5 && random() < 0.85 && today - Math.floor(random() * 2.6 * yearMs)
  const paid = Math.round((price * (0.9 + random() * 0.3) * country.rate) / 10) * 10
  return listed(
    { key: 'brand', type: 'TEXT', value: brand },
    { key: 'model', type: 'TEXT', value: model },
    {
      key: 'plate',
      type: 'TEXT',
      sensitive: true,
      value: random() < 0.04 ? null : filled(random, country.plate),
    },
    { key: 'mileage', type: 'NUMBER', value: Math.floor(age * (4_000 + random() * 18_000)) },
    { key: 'first_registration', type: 'DATE', value: day(today - age * yearMs) },
    random() < 0.8 && {
      key: 'price',
      type: 'CURRENCY',
      value: { currency: country.currency, value: paid.toFixed(country.currency === 'JPY' ? 0 : 2) },
    },
    { key: 'electric', type: 'BOOLEAN', value: litres === undefined },
    litres !== undefined && { key: 'engine_litres', type: 'DECIMAL', value: pick(random, litres) },
    {
      key: 'inspected_at',
      type: 'DATETIME',
      value: inspected === false ? null : new Date(inspected).toISOString(),
    },
    random() < 0.35 && {
      key: 'brochure',
      type: 'URL',
      value: `https://www.example.com/brochures/${encodeURIComponent(`${brand} ${model}`.toLowerCase().replaceAll(' ', '-'))}.pdf`,
    },
  )
}

function address({ random, faker, country }: Making): PropertyInput[] {
  return listed(
    { key: 'street', type: 'TEXT', value: faker.location.streetAddress() },
    { key: 'city', type: 'TEXT', value: pick(random, country.cities) },
    { key: 'postcode', type: 'TEXT', value: random() < 0.02 ? null : faker.location.zipCode() },
    { key: 'country', type: 'TEXT', value: country.name },
    random() < 0.4 && {
      key: 'delivery_window',
      type: 'TIME',
      value: pick(random, ['07:30', '08:00', '09:30', '12:00', '17:30', '18:45']),
    },
    random() < 0.12 && { key: 'note', type: 'TEXT', value: pick(random, deliveryNotes) },
  )
}

const day = (msecs: number) => new Date(msecs).toISOString().slice(0, 10)
