import type { PropertyInput } from '#contract/index.ts'
import { type NewEntity, newEntity } from './bulk.ts'
import { carModels, type Country, deliveryNotes } from './catalogue.ts'
import { names, splitWords } from './names.ts'
import { fillPattern, type MakeId, pick, type Random, whole } from './random.ts'

const yearMs = 365.25 * 86_400_000

/** A user being generated, with the data that all of its parts draw on. */
export interface Making {
  readonly id: string
  readonly created: number
  readonly country: Country
  /** Id of the user's spouse. */
  readonly spouse?: string
  readonly random: Random
  readonly makeId: MakeId
  /** Midnight of the reference day, UTC; no generated event is later, except those of plain users. */
  readonly today: number
  /**
   * Whether this is one of many similar users: with no missing, empty or unusual data, and only the properties in
   * `plainKeys`.
   */
  readonly plain: boolean
}

const plainKeys = new Set([
  ...splitWords('birthday phone city loyalty_points vip newsletter'),
  ...splitWords('brand plate mileage first_registration price electric'),
])

/** Cities of plain users, each with an equal share, which the filter benchmarks rely on. */
const plainCities = splitWords(
  'Berlin Brno Gdańsk Köln Leeds Lyon Málaga Malmö Milano Paris Porto Tartu Wien York Zürich',
)

/** Returns true for `share` of the users, a majority, and always for plain users. */
export function holdsUsually({ plain, random }: Making, share: number): boolean {
  return plain || random() < share
}

/** Returns true for `share` of the users, a small part, and never for plain users. */
export function holdsRarely({ plain, random }: Making, share: number): boolean {
  return !plain && random() < share
}

/**
 * Returns the entities of a user: usually a person, up to three cars and up to two addresses, some added later. A plain
 * user has a person and, in half of the cases, a car.
 */
export function entitiesOf(making: Making): NewEntity[] {
  const { id, created, today, random, makeId, plain } = making
  const later = () => (plain ? created : Math.floor(created + random() ** 2 * (today - created)))
  const counted = (...shares: number[]) => {
    let left = random() * 100
    return shares.findIndex((share) => (left -= share) < 0)
  }
  const made: NewEntity[] = []
  const add = (type: string, msecs: number, inputs: readonly PropertyInput[]) =>
    made.push(
      newEntity(makeId, msecs, id, type, plain ? inputs.filter(({ key }) => plainKeys.has(key)) : inputs),
    )
  if (holdsUsually(making, 0.95)) add('person', created, person(making))
  for (let cars = plain ? whole(random, 0, 1) : counted(35, 45, 15, 5); cars > 0; cars--)
    add('car', later(), car(making))
  for (let addresses = plain ? 0 : counted(10, 70, 20); addresses > 0; addresses--)
    add('address', later(), address(making))
  return made
}

/** Collects properties; `false` stands for an absent one. A property with the value `null` is kept. */
function listProperties(...inputs: (PropertyInput | false)[]): PropertyInput[] {
  return inputs.filter((input) => input !== false)
}

function person(making: Making): PropertyInput[] {
  const { random, country, today, spouse, plain } = making
  const birthday = day(today - (18 + random() * 70) * yearMs)
  const [, year = '', month = '', date = ''] = /(\d\d)-(\d\d)-(\d\d)$/.exec(birthday) ?? []
  const status = pick(random, ['GRANTED', 'GRANTED', 'DENIED', 'REVOKED'])
  const statusMs = today - Math.floor(random() * 3 * yearMs)
  const expires =
    status === 'GRANTED' && holdsRarely(making, 0.3) && new Date(statusMs + 2 * yearMs).toISOString()
  return listProperties(
    { key: 'birthday', type: 'DATE', value: holdsRarely(making, 0.03) ? null : birthday },
    holdsUsually(making, 0.85) && {
      key: 'phone',
      type: 'TEXT',
      sensitive: true,
      value: holdsRarely(making, 0.03) ? null : fillPattern(random, country.phone),
    },
    random() < 0.4 && {
      key: 'national_id',
      type: 'TEXT',
      sensitive: true,
      value: fillPattern(random, `${year}${month}${date}-%###`),
    },
    country.iban !== undefined &&
      random() < 0.5 && {
        key: 'iban',
        type: 'TEXT',
        sensitive: true,
        value: iban(random, country.iban),
      },
    holdsUsually(making, 0.75) && {
      key: 'newsletter',
      type: 'PREFERENCE',
      value: { status, statusDate: new Date(statusMs).toISOString(), ...(expires && { expires }) },
    },
    plain && { key: 'city', type: 'TEXT', value: pick(random, plainCities) },
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

function car(making: Making): PropertyInput[] {
  const { random, country, today } = making
  const { brand, model, price, litres } = pick(random, carModels)
  const age = random() ** 1.3 * (litres ? 16 : 8)
  const inspected = age > 2.5 && random() < 0.85 && today - Math.floor(random() * 2.6 * yearMs)
  const paid = Math.round((price * (0.9 + random() * 0.3) * country.rate) / 10) * 10
  return listProperties(
    { key: 'brand', type: 'TEXT', value: brand },
    { key: 'model', type: 'TEXT', value: model },
    {
      key: 'plate',
      type: 'TEXT',
      sensitive: true,
      value: holdsRarely(making, 0.04) ? null : fillPattern(random, country.plate),
    },
    { key: 'mileage', type: 'NUMBER', value: Math.floor(age * (4_000 + random() * 18_000)) },
    { key: 'first_registration', type: 'DATE', value: day(today - age * yearMs) },
    holdsUsually(making, 0.8) && {
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

function address({ random, country }: Making): PropertyInput[] {
  const street = pick(random, names[country.language].streets)
  return listProperties(
    { key: 'street', type: 'TEXT', value: fillPattern(random, country.address).replace('*', street) },
    { key: 'city', type: 'TEXT', value: pick(random, country.cities) },
    {
      key: 'postcode',
      type: 'TEXT',
      value: random() < 0.02 ? null : fillPattern(random, country.postcode),
    },
    { key: 'country', type: 'TEXT', value: country.name },
    random() < 0.4 && {
      key: 'delivery_window',
      type: 'TIME',
      value: pick(random, ['07:30', '08:00', '09:30', '12:00', '17:30', '18:45']),
    },
    random() < 0.12 && { key: 'note', type: 'TEXT', value: pick(random, deliveryNotes) },
  )
}

/** Returns an IBAN with valid check digits (ISO 7064, modulo 97). */
function iban(random: Random, { country, account }: { country: string; account: string }): string {
  const number = fillPattern(random, account)
  const digits = `${number}${country}00`.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${number}`
}

const day = (msecs: number) => new Date(msecs).toISOString().slice(0, 10)
