// Tests filter sentences in another language: in German, the verb ends a subordinate clause, articles have genders and
// cases, and nouns are capitalized. The tests replace only the catalogue and the language.
import { beforeAll, expect, test, vi } from 'vitest'

import type { Filter } from '#contract/index.ts'
import type { FilterSentenceText } from '../../messages/language/filter-sentence.ts'
import type * as SentenceModule from './sentence.ts'

const german = {
  custom: 'Eigener Filter',
  open: '…',
  hidden: 'ein verborgener Wert',
  hiddenSpan: 'in einem verborgenen Zeitraum',
  everyone: 'Alle Nutzer.',
  nobody: 'Keine Nutzer.',
  users: 'Nutzer, {clause}{end, select, open {} other {.}}',
  allExcept: 'Alle Nutzer außer denen, {clause}{end, select, open {} other {.}}',
  daysIn: 'Tage werden in der Zeitzone {zone} gezählt.',
  withDays: '{sentence} Tage werden in der Zeitzone {zone} gezählt.',
  and: '{place, select, earlier {{first}, {rest}} other {{first} und {rest}}}',
  or: '{place, select, earlier {{first}, {rest}} other {{first} oder {rest}}}',
  oneOf: '{place, select, earlier {{first}, {rest}} other {{first} oder {rest}}}',
  group: '({clause})',
  whoAnyone: 'auf die alles zutrifft',
  whoNobody: 'auf die nichts zutrifft',
  inSegment: 'die im Segment {segment} sind',
  notInSegment: 'die nicht im Segment {segment} sind',
  fields: {
    email: 'E-Mail-Adresse',
    name: 'Name',
    ref: 'Referenz',
    since: 'Beitrittsdatum',
    created: 'Erstellungsdatum',
    account: 'Konto',
  },
  field: '{field} {predicate}',
  whoseField: 'deren {field} {subordinate}',
  whoseFieldIfAny: 'deren {field}, falls vorhanden, {subordinate}',
  withField: {
    email: 'die eine E-Mail-Adresse haben',
    name: 'die einen Namen haben',
    ref: 'die eine Referenz haben',
    since: 'die ein Beitrittsdatum haben',
    created: 'die ein Erstellungsdatum haben',
  },
  withoutField: {
    email: 'die keine E-Mail-Adresse haben',
    name: 'die keinen Namen haben',
    ref: 'die keine Referenz haben',
    since: 'die kein Beitrittsdatum haben',
    created: 'die kein Erstellungsdatum haben',
  },
  account: { yes: 'die ein Konto haben', no: 'die kein Konto haben' },
  nouns: {
    address:
      '{form, select, one {eine Adresse} none {keine Adresse} name {Adresse} other {{count, plural, one {Adresse} other {Adressen}}}}',
    bike: '{form, select, one {ein Fahrrad} none {kein Fahrrad} name {Fahrrad} other {{count, plural, one {Fahrrad} other {Fahrräder}}}}',
    car: '{form, select, one {ein Auto} none {kein Auto} name {Auto} other {{count, plural, one {Auto} other {Autos}}}}',
    contract:
      '{form, select, one {einen Vertrag} none {keinen Vertrag} name {Vertrag} other {{count, plural, one {Vertrag} other {Verträge}}}}',
    order:
      '{form, select, one {eine Bestellung} none {keine Bestellung} name {Bestellung} other {{count, plural, one {Bestellung} other {Bestellungen}}}}',
  },
  otherNoun:
    '{form, select, one {ein Objekt vom Typ {type}} none {kein Objekt vom Typ {type}} name {{type}} other {{count, plural, one {Objekt vom Typ {type}} other {Objekte vom Typ {type}}}}}',
  ofType: '{type}: {label} {predicate}',
  whoseEntity: 'die {thing} haben ({label} {predicate})',
  whoseProperty: 'deren {label} {subordinate}',
  has: 'die {thing} haben',
  hasNot: 'die {noThing} haben',
  hasAtLeast: 'die mindestens {min, number} {things} haben',
  hasFewer: 'die weniger als {min, number} {things} haben',
  where: '{has} ({tests})',
  alone: {
    inSegment: 'im Segment {segment}',
    account: { yes: 'hat ein Konto', no: 'hat kein Konto' },
    has: 'hat {thing}',
    hasAtLeast: 'hat mindestens {min, number} {things}',
    where: '{has}, und zwar:',
  },
  property: '{label} {predicate}',
  propertyWithin: '{label} {predicate}',
  orMissing: '{test} oder fehlt',
  sensitive: '{test}, sensibel',
  notSensitive: '{test}, nicht sensibel',
  predicates: {
    exists: '{clause, select, main {hat einen Wert} other {einen Wert hat}}',
    missing: '{clause, select, main {hat keinen Wert} other {keinen Wert hat}}',
    eq: '{clause, select, main {ist {value}} other {{value} ist}}',
    ne: '{clause, select, main {ist nicht {value}} other {nicht {value} ist}}',
    in: '{clause, select, main {ist {value}} other {{value} ist}}',
    not_in: '{clause, select, main {ist nicht {value}} other {nicht {value} ist}}',
    contains: '{clause, select, main {enthält {value}} other {{value} enthält}}',
    not_contains: '{clause, select, main {enthält {value} nicht} other {{value} nicht enthält}}',
    starts_with: '{clause, select, main {beginnt mit {value}} other {mit {value} beginnt}}',
    ends_with: '{clause, select, main {endet auf {value}} other {auf {value} endet}}',
    lt: '{clause, select, main {ist kleiner als {value}} other {kleiner als {value} ist}}',
    lte: '{clause, select, main {ist höchstens {value}} other {höchstens {value} ist}}',
    gt: '{clause, select, main {ist größer als {value}} other {größer als {value} ist}}',
    gte: '{clause, select, main {ist mindestens {value}} other {mindestens {value} ist}}',
    between:
      '{clause, select, main {liegt } other {}}zwischen {kind, select, day {dem {value}} moment {dem {value}} ago {dem Tag {value}} ahead {dem Tag {value}} other {{value}}} und {toKind, select, day {dem {to}} moment {dem {to}} ago {dem Tag {to}} ahead {dem Tag {to}} other {{to}}}{clause, select, main {} other { liegt}}',
    on: '{clause, select, main {ist } other {}}{kind, select, day {am {value}} moment {am {value}} time {um {value} Uhr} other {{value}}}{clause, select, main {} other { ist}}',
    before:
      '{clause, select, main {liegt } other {}}vor {kind, select, day {dem {value}} moment {dem {value}} ago {dem Tag {value}} ahead {dem Tag {value}} time {{value} Uhr} other {{value}}}{clause, select, main {} other { liegt}}',
    after:
      '{clause, select, main {liegt } other {}}nach {kind, select, day {dem {value}} moment {dem {value}} ago {dem Tag {value}} ahead {dem Tag {value}} time {{value} Uhr} other {{value}}}{clause, select, main {} other { liegt}}',
    within_last: '{clause, select, main {liegt {span}} other {{span} liegt}}',
    within_next: '{clause, select, main {liegt {span}} other {{span} liegt}}',
    older_than: '{clause, select, main {liegt mehr als {value} zurück} other {mehr als {value} zurückliegt}}',
    anniversary_within: '{clause, select, main {jährt sich {span}} other {sich {span} jährt}}',
    granted: '{clause, select, main {ist erteilt} other {erteilt ist}}',
    not_granted: '{clause, select, main {ist nicht erteilt} other {nicht erteilt ist}}',
    expired: '{clause, select, main {ist abgelaufen} other {abgelaufen ist}}',
    expires_within: '{clause, select, main {läuft {span} ab} other {{span} abläuft}}',
  },
  // Opposites are used for fields only, and therefore only in subordinate clauses.
  opposites: {
    exists: 'keinen Wert hat',
    missing: 'einen Wert hat',
    eq: 'nicht {value} ist',
    ne: '{value} ist',
    in: 'nicht {value} ist',
    not_in: '{value} ist',
    contains: '{value} nicht enthält',
    not_contains: '{value} enthält',
    starts_with: 'nicht mit {value} beginnt',
    ends_with: 'nicht auf {value} endet',
    lt: 'nicht kleiner als {value} ist',
    lte: 'nicht höchstens {value} ist',
    gt: 'nicht größer als {value} ist',
    gte: 'nicht mindestens {value} ist',
    between:
      'nicht zwischen {kind, select, day {dem {value}} moment {dem {value}} ago {dem Tag {value}} ahead {dem Tag {value}} other {{value}}} und {toKind, select, day {dem {to}} moment {dem {to}} ago {dem Tag {to}} ahead {dem Tag {to}} other {{to}}} liegt',
    on: 'nicht {kind, select, day {am {value}} moment {am {value}} other {{value}}} ist',
    before:
      'nicht vor {kind, select, day {dem {value}} moment {dem {value}} ago {dem Tag {value}} ahead {dem Tag {value}} other {{value}}} liegt',
    after:
      'nicht nach {kind, select, day {dem {value}} moment {dem {value}} ago {dem Tag {value}} ahead {dem Tag {value}} other {{value}}} liegt',
    within_last: 'nicht {span} liegt',
    within_next: 'nicht {span} liegt',
    older_than: 'nicht mehr als {value} zurückliegt',
    anniversary_within: 'sich nicht {span} jährt',
    granted: 'nicht erteilt ist',
    not_granted: 'erteilt ist',
    expired: 'nicht abgelaufen ist',
    expires_within: 'nicht {span} abläuft',
  },
  text: '„{value}“',
  yes: 'ja',
  no: 'nein',
  amount: '{value} {currency}',
  relationship: { user: 'Nutzer {user}', entity: 'Objekt {entity} des Nutzers {user}' },
  preference: { GRANTED: 'erteilt', DENIED: 'abgelehnt', REVOKED: 'widerrufen' },
  preferenceOf:
    '{dates, select, both {{status} am {since} bis {until}} since {{status} am {since}} until {{status} bis {until}} other {{status}}}',
  // Units are in the dative unless they are alone: "mehr als 2 Jahre", but "vor 2 Jahren" and "in den letzten 2
  // Jahren".
  units: {
    years:
      '{within, select, itself {{count, plural, one {# Jahr} other {# Jahre}}} other {{count, plural, one {# Jahr} other {# Jahren}}}}',
    months:
      '{within, select, itself {{count, plural, one {# Monat} other {# Monate}}} other {{count, plural, one {# Monat} other {# Monaten}}}}',
    weeks: '{count, plural, one {# Woche} other {# Wochen}}',
    days: '{within, select, itself {{count, plural, one {# Tag} other {# Tage}}} other {{count, plural, one {# Tag} other {# Tagen}}}}',
    hours: '{count, plural, one {# Stunde} other {# Stunden}}',
    minutes: '{count, plural, one {# Minute} other {# Minuten}}',
    seconds: '{count, plural, one {# Sekunde} other {# Sekunden}}',
  },
  duration: '{place, select, earlier {{first}, {rest}} other {{first} und {rest}}}',
  ago: 'vor {duration}',
  ahead: 'in {duration}',
  span: '{direction, select, last {in den letzten {duration}} other {in den nächsten {duration}}}',
  singleSpan: {
    years: '{direction, select, last {im letzten Jahr} other {im nächsten Jahr}}',
    months: '{direction, select, last {im letzten Monat} other {im nächsten Monat}}',
    weeks: '{direction, select, last {in der letzten Woche} other {in der nächsten Woche}}',
    days: '{direction, select, last {am letzten Tag} other {am nächsten Tag}}',
    hours: '{direction, select, last {in der letzten Stunde} other {in der nächsten Stunde}}',
    minutes: '{direction, select, last {in der letzten Minute} other {in der nächsten Minute}}',
    seconds: '{direction, select, last {in der letzten Sekunde} other {in der nächsten Sekunde}}',
  },
} as const

let sentences: typeof SentenceModule
beforeAll(async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE')
  vi.resetModules()
  vi.doMock('../../messages/language/format.ts', async (importOriginal) => ({
    ...(await importOriginal<object>()),
    language: 'de',
    dateLocale: 'de-DE',
  }))
  vi.doMock('../../messages/en/segments.ts', async (importOriginal) => {
    const { defineMessages } = await import('../../messages/language/message.ts')
    const filterSentenceText: FilterSentenceText = defineMessages(german)
    return { ...(await importOriginal<object>()), filterSentenceText }
  })
  sentences = await import('./sentence.ts')
})

const vw: Filter = {
  entity: 'car',
  where: [
    { key: 'marke', type: 'TEXT', op: 'eq', value: 'VW' },
    { key: 'baujahr', type: 'NUMBER', op: 'gte', value: 2015 },
  ],
}
const berlin: Filter = {
  entity: 'address',
  where: [{ key: 'ort', type: 'TEXT', op: 'in', value: ['Berlin', 'Potsdam'] }],
}
const inBerlin = 'Tage werden in der Zeitzone Europe/Berlin gezählt.'
const segment = '01890a5d-ac96-774b-bcce-b302099a8057'

test.each<[string, Filter, string]>([
  [
    'nested groups',
    {
      all: [
        vw,
        { any: [berlin, { not: { any: [{ user: 'account', op: 'eq', value: true }, { entity: 'bike' }] } }] },
      ],
    },
    'Nutzer, die ein Auto haben (Marke ist „VW“ und Baujahr ist mindestens 2015) und (die eine Adresse haben (Ort ist „Berlin“ oder „Potsdam“) oder (die kein Konto haben und die kein Fahrrad haben)).',
  ],
  [
    'three conditions, with commas',
    {
      all: [{ entity: 'order' }, { user: 'ref', op: 'missing' }, { user: 'account', op: 'eq', value: true }],
    },
    'Nutzer, die eine Bestellung haben, die keine Referenz haben und die ein Konto haben.',
  ],
  [
    'a field, with the verb last',
    { user: 'email', op: 'ends_with', value: '@example.org' },
    'Nutzer, deren E-Mail-Adresse auf „@example.org“ endet.',
  ],
  [
    'one of a list',
    { user: 'name', op: 'in', value: ['Ana', 'Bo', 'Cy'] },
    'Nutzer, deren Name „Ana“, „Bo“ oder „Cy“ ist.',
  ],
  [
    'a negated field',
    { not: { user: 'name', op: 'starts_with', value: 'A' } },
    'Alle Nutzer außer denen, deren Name mit „A“ beginnt.',
  ],
  [
    'a negated field within a group',
    { all: [{ entity: 'car' }, { not: { user: 'name', op: 'contains', value: 'a' } }] },
    'Nutzer, die ein Auto haben und deren Name, falls vorhanden, „a“ nicht enthält.',
  ],
  ['a negated entity', { not: { entity: 'contract' } }, 'Nutzer, die keinen Vertrag haben.'],
  [
    'a count, and an amount',
    {
      entity: 'contract',
      min: 3,
      where: [{ key: 'beitrag', type: 'CURRENCY', op: 'gt', value: { currency: 'EUR', value: '12500.50' } }],
    },
    'Nutzer, die mindestens 3 Verträge haben (Beitrag ist größer als 12.500,50 EUR).',
  ],
  ['a negated count', { not: { entity: 'address', min: 2 } }, 'Nutzer, die weniger als 2 Adressen haben.'],
  [
    'a type without a known noun',
    { entity: 'race_horse', min: 2 },
    'Nutzer, die mindestens 2 Objekte vom Typ race horse haben.',
  ],
  [
    'one test of an entity',
    { entity: 'contract', where: [{ key: 'beginn', type: 'DATE', op: 'on', value: '2024-03-01' }] },
    'Nutzer, die einen Vertrag haben (Beginn ist am 1. März 2024).',
  ],
  [
    'a value that may be missing, and a mark',
    {
      entity: 'car',
      where: [
        { key: 'marke', type: 'TEXT', op: 'ne', value: 'VW', orMissing: true },
        { key: 'kennzeichen', type: 'TEXT', op: 'exists', sensitive: true },
      ],
    },
    'Nutzer, die ein Auto haben ((Marke ist nicht „VW“ oder fehlt) und Kennzeichen hat einen Wert, sensibel).',
  ],
  [
    'days that have passed',
    { user: 'created', op: 'within_last', value: 'P30D' },
    `Nutzer, deren Erstellungsdatum in den letzten 30 Tagen liegt. ${inBerlin}`,
  ],
  [
    'a single week',
    { user: 'created', op: 'within_last', value: 'P1W' },
    `Nutzer, deren Erstellungsdatum in der letzten Woche liegt. ${inBerlin}`,
  ],
  [
    'an age of years and months',
    { user: 'since', op: 'older_than', value: 'P2Y6M' },
    `Nutzer, deren Beitrittsdatum mehr als 2 Jahre und 6 Monate zurückliegt. ${inBerlin}`,
  ],
  [
    'an anniversary',
    {
      entity: 'person',
      where: [{ key: 'geburtstag', type: 'DATE', op: 'anniversary_within', value: 'P7D' }],
    },
    `Nutzer, deren Geburtstag sich in den nächsten 7 Tagen jährt. ${inBerlin}`,
  ],
  [
    'an anniversary in a hidden period',
    {
      entity: 'person',
      where: [{ key: 'geburtstag', type: 'DATE', op: 'anniversary_within', masked: true }],
    } as unknown as Filter,
    'Nutzer, deren Geburtstag sich in einem verborgenen Zeitraum jährt.',
  ],
  [
    'a range of days that move',
    { user: 'since', op: 'between', value: [{ ago: 'P3M' }, { ahead: 'P1D' }] },
    `Nutzer, deren Beitrittsdatum zwischen dem Tag vor 3 Monaten und dem Tag in 1 Tag liegt. ${inBerlin}`,
  ],
  [
    'a moment',
    { all: [{ entity: 'car' }, { not: { user: 'created', op: 'before', value: '2024-03-01T09:30:00Z' } }] },
    'Nutzer, die ein Auto haben und deren Erstellungsdatum nicht vor dem 1. März 2024, 09:30 UTC liegt.',
  ],
  [
    'a time of day',
    { entity: 'person', where: [{ key: 'termin', type: 'TIME', op: 'on', value: '09:30' }] },
    'Nutzer, deren Termin um 09:30 Uhr ist.',
  ],
  [
    'a consent',
    {
      entity: 'person',
      where: [{ key: 'einwilligung', type: 'PREFERENCE', op: 'expires_within', value: 'P1M' }],
    },
    `Nutzer, deren Einwilligung im nächsten Monat abläuft. ${inBerlin}`,
  ],
  [
    'segments',
    { any: [{ segment }, { not: { segment: 'other' } }] },
    'Nutzer, die im Segment „Abwanderer“ sind oder die nicht im Segment „Neue“ sind.',
  ],
  ['everyone but nobody', { not: { any: [] } }, 'Alle Nutzer.'],
])('%s in German', (_, filter, sentence) => {
  const segmentName = (id: string) => (id === segment ? 'Abwanderer' : 'Neue')
  expect(sentences.sentenceOf(filter, { tz: 'Europe/Berlin', segmentName })).toBe(sentence)
})

test('a condition by itself in German has its verb second', () => {
  const tested = { key: 'erstzulassung', type: 'DATE', op: 'after', value: '2024-03-01' } as const
  expect(sentences.testInWords('car', tested)).toBe('Erstzulassung liegt nach dem 1. März 2024')
  expect(sentences.conditionInBrief({ entity: 'car', where: [tested] })).toBe(
    'Auto: Erstzulassung liegt nach dem 1. März 2024',
  )
  expect(sentences.conditionInBrief({ user: 'email', op: 'contains', value: '@' })).toBe(
    'E-Mail-Adresse enthält „@“',
  )
})

test('an unfinished filter in German shows its gaps', () => {
  const open = { all: [{ user: 'name', op: 'eq' }, { entity: '' }, { segment: '' }] } as Filter
  expect(sentences.sentenceOfParts(open)).toBe(
    'Nutzer, deren Name … ist, die ein Objekt vom Typ … haben und die im Segment … sind.',
  )
  expect(sentences.sentenceOfParts({ not: {} } as unknown as Filter)).toBe('Alle Nutzer außer denen, …')
})
