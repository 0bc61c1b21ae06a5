import { Faker, generateMersenne53Randomizer } from '@faker-js/faker'

import { fold } from '#contract/index.ts'
import { entitiesOf, type Making } from './belongings.ts'
import { type Generated, type NewUser, zonelessText } from './bulk.ts'
import { type Country, countries } from './catalogue.ts'
import { historyOf } from './history.ts'
import { pick, type Random, seededIds } from './random.ts'

const seed = 1042
const dayMs = 86_400_000
const yearMs = 365.25 * dayMs

interface Household {
  readonly created: number
  readonly id: string
  readonly country: Country
  spouse?: string
}

/**
 * Users in order of creation over the two years before a day, each with entities and events. The same number and day
 * give the same users.
 */
export function* samplePeople(count: number, today: number): Generator<Generated> {
  const randomizer = generateMersenne53Randomizer(seed)
  const random = () => randomizer.next()
  const fakers = new Map<Country, Faker>()
  const emails = new Set<string>()
  for (const [index, household] of households(count, today, random).entries()) {
    const { country } = household
    const faker = fakers.get(country) ?? new Faker({ locale: [...country.locale], randomizer })
    fakers.set(country, faker)
    const making = { ...household, faker, random, makeId: seededIds(random), today }
    const user = userOf(making, index, emails)
    const entities = entitiesOf(making)
    yield { user, entities, ...historyOf(making, user, entities) }
  }
}

/** Ids come first: a spouse may be somebody who is made later. */
function households(count: number, today: number, random: Random): Household[] {
  const start = today - 2 * yearMs
  const made: Household[] = []
  for (let index = 0; index < count; index++) {
    const created = Math.floor(start + ((index + random()) / count) * 2 * yearMs)
    const before = made.at(-1)
    const married = before !== undefined && before.spouse === undefined && random() < 0.04
    const id = seededIds(random)(created)
    if (married) before.spouse = id
    made.push({
      created,
      id,
      country: married ? before.country : pickCountry(random),
      ...(married && { spouse: before.id }),
    })
  }
  return made
}

function pickCountry(random: Random): Country {
  let left = random() * 100
  return countries.find(({ share }) => (left -= share) < 0) ?? countries[0]
}

function userOf(making: Making, index: number, emails: Set<string>): NewUser {
  const { id, created, today, random, faker, country } = making
  const sex = random() < 0.5 ? 'female' : 'male'
  const given = faker.person.firstName(sex)
  const family = faker.person.lastName(sex)
  // Somebody has a name that no column is wide enough for.
  const name =
    random() < 0.005
      ? `${given} ${faker.person.firstName(sex)} ${faker.person.firstName(sex)} ${family}-${faker.person.lastName(sex)} ${faker.person.lastName(sex)}-${faker.person.lastName(sex)}`
      : country.fullName(given, family)
  const email = uniqueEmail(random, asciiName(given, family) || `member.${1000 + index}`, emails)
  const eightYearsAgo = today - 8 * yearMs
  const joined = eightYearsAgo + random() * (created - eightYearsAgo)
  // Customers of old came with a day, those of today with a moment.
  const since =
    random() < 0.3 ? created : random() < 0.6 ? Math.floor(joined / dayMs) * dayMs : Math.floor(joined)
  return {
    id,
    email: random() < 0.03 ? null : email,
    name: random() < 0.02 ? null : name.normalize('NFC'),
    ref: random() < 0.04 ? null : `C-${1000 + index}`,
    created: zonelessText(created),
    since: zonelessText(since),
    account: random() < 0.6,
  }
}

/** `given.family` in ASCII; `''` for scripts other than Latin. */
function asciiName(given: string, family: string): string {
  const ascii = (text: string) =>
    text
      .toLowerCase()
      .replace(/[ßæœøłđð]/g, (letter) => ({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l' })[letter] ?? 'd')
      .normalize('NFD')
      .replace(/[^a-z0-9-]/g, '')
  const [first, last] = [ascii(given), ascii(family)]
  return first && last ? `${first}.${last}` : ''
}

function uniqueEmail(random: Random, local: string, taken: Set<string>): string {
  const host = pick(random, ['example.org', 'example.com', 'example.net'])
  // Some write themselves with capitals: matching must not mind.
  const spelled = random() < 0.05 ? local.replace(/(^|\.)[a-z]/g, (start) => start.toUpperCase()) : local
  for (let number = 1; ; number++) {
    const email = `${spelled}${number === 1 ? '' : number}@${host}`
    if (taken.has(fold(email))) continue
    taken.add(fold(email))
    return email
  }
}
