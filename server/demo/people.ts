import { fold, dayMs } from '#contract/index.ts'
import { entitiesOf, type Making, holdsRarely } from './belongings.ts'
import { type Generated, type NewUser, zonelessText } from './bulk.ts'
import { type Country, countries } from './catalogue.ts'
import { historyOf, plainHistory } from './history.ts'
import { names } from './names.ts'
import { pick, type Random, seededIds, seededRandom } from './random.ts'

const seed = 1042
const yearMs = 365.25 * dayMs

interface Household {
  readonly created: number
  readonly id: string
  readonly country: Country
  spouse?: string
}

/**
 * Generates users in order of creation over the two years before a day, each with entities and events. Deterministic
 * for a number and a day.
 */
export function* samplePeople(count: number, today: number): Generator<Generated> {
  const random = seededRandom(seed)
  const emails = new Set<string>()
  for (const [index, household] of households(count, today, random).entries())
    yield generateUser(
      { ...household, random, makeId: seededIds(random), today, plain: false },
      (given, family) => ({
        email: uniqueEmail(random, asciiName(given, family) || `member.${1000 + index}`, emails),
        ref: `C-${1000 + index}`,
      }),
    )
}

/** Creation time of the first plain user. */
const rowStart = Date.UTC(2020, 0, 1)
/** Time between the creations of plain users, short enough that even 10 million are created in the past. */
const rowApartMs = 15_000

/** Returns the plain user with this number in an endless sequence. Deterministic. */
export function plainPerson(index: number): Generated {
  const random = seededRandom(index)
  const makeId = seededIds(random)
  const created = rowStart + index * rowApartMs
  const making = { id: makeId(created), created, country: pickCountry(random), random, makeId }
  return generateUser({ ...making, today: rowStart, plain: true }, () => ({
    email: `user.${index}@example.org`,
    ref: `L-${String(index).padStart(8, '0')}`,
  }))
}

/** Returns the id of the plain user with this number, without generating the rest. */
export function plainPersonId(index: number): string {
  return seededIds(seededRandom(index))(rowStart + index * rowApartMs)
}

type Contact = (given: string, family: string) => { readonly email: string; readonly ref: string }

function generateUser(making: Making, contactOf: Contact): Generated {
  const user = userOf(making, contactOf)
  const entities = entitiesOf(making)
  return { user, entities, ...(making.plain ? plainHistory : historyOf)(making, user, entities) }
}

/** Returns the ids and spouses of all users. Ids are made first, because a spouse may be generated later. */
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

function userOf(making: Making, contactOf: Contact): NewUser {
  const { id, created, today, random, country } = making
  const { given: givenNames, family: familyNames } = names[country.language]
  const given = () => pick(random, givenNames)
  const family = () => pick(random, familyNames)
  const [first, last] = [given(), family()]
  // A few users have a name that is too long for any column of the console's lists.
  const name = holdsRarely(making, 0.005)
    ? `${first} ${given()} ${given()} ${last}-${family()} ${family()}-${family()}`
    : country.fullName(first, last)
  const { email, ref } = contactOf(first, last)
  const eightYearsAgo = today - 8 * yearMs
  const joined = eightYearsAgo + random() * (created - eightYearsAgo)
  // For some users this is the time of creation; for others midnight, as if only the day were known, or a precise time.
  const since =
    random() < 0.3 ? created : random() < 0.6 ? Math.floor(joined / dayMs) * dayMs : Math.floor(joined)
  return {
    id,
    email: holdsRarely(making, 0.03) ? null : email,
    name: holdsRarely(making, 0.02) ? null : name.normalize('NFC'),
    ref: holdsRarely(making, 0.04) ? null : ref,
    created: zonelessText(created),
    since: zonelessText(since),
    account: random() < 0.6,
  }
}

/** Returns `given.family` in ASCII; `''` for scripts other than Latin. */
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
  // Some addresses have capitals: matching must ignore case.
  const spelled = random() < 0.05 ? local.replace(/(^|\.)[a-z]/g, (start) => start.toUpperCase()) : local
  for (let number = 1; ; number++) {
    const email = `${spelled}${number === 1 ? '' : number}@${host}`
    if (taken.has(fold(email))) continue
    taken.add(fold(email))
    return email
  }
}
