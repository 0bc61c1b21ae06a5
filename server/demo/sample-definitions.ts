import { definitionsFile } from '#contract/index.ts'
import { definitionsOf } from '../definitions/rules.ts'
import { storeDefinitions } from '../definitions/storage.ts'
import type { Database } from '../sealing/database.ts'

const fraud = { purpose: 'Telling people apart who give the same name', basis: 'legitimate_interests' }
const payouts = { purpose: 'Payouts', basis: 'contract' }

const ofPerson = [
  { key: 'birthday', label: { en: 'Birthday', de: 'Geburtstag' }, type: 'DATE', group: 'Basics', order: 10 },
  {
    key: 'language',
    label: { en: 'Language', de: 'Sprache' },
    description: { en: 'Language of letters', de: 'Sprache der Briefe' },
    type: 'TEXT',
    choices: [
      { value: 'en', label: { en: 'English', de: 'Englisch' } },
      { value: 'de', label: { en: 'German', de: 'Deutsch' } },
      { value: 'fr', label: { en: 'French', de: 'Französisch' } },
      { value: 'es', label: { en: 'Spanish', de: 'Spanisch' } },
      { value: 'sv', label: { en: 'Swedish', de: 'Schwedisch' } },
      { value: 'pl', label: { en: 'Polish', de: 'Polnisch' } },
      { value: 'it', label: { en: 'Italian', de: 'Italienisch' } },
      { value: 'cs', label: { en: 'Czech', de: 'Tschechisch' } },
      { value: 'el', label: { en: 'Greek', de: 'Griechisch' } },
      { value: 'uk', label: { en: 'Ukrainian', de: 'Ukrainisch' } },
      { value: 'ja', label: { en: 'Japanese', de: 'Japanisch' } },
      { value: 'zh', label: { en: 'Chinese', de: 'Chinesisch' } },
    ],
    group: 'Basics',
    order: 20,
  },
  {
    key: 'phone',
    label: { en: 'Phone', de: 'Telefon' },
    type: 'TEXT',
    sensitive: true,
    mask: 'last4',
    group: 'Contact',
    order: 30,
    purpose: 'Questions about an order',
    basis: 'contract',
    recipients: 'Parcel services',
    keptFor: 'P3Y',
  },
  {
    key: 'newsletter',
    label: { en: 'Newsletter', de: 'Newsletter' },
    type: 'PREFERENCE',
    group: 'Contact',
    order: 40,
    purpose: 'Monthly newsletter',
    basis: 'consent',
  },
  {
    key: 'iban',
    label: { en: 'IBAN', de: 'Kontonummer' },
    type: 'TEXT',
    sensitive: true,
    mask: 'last4',
    group: 'Payment',
    order: 50,
    ...payouts,
    recipients: 'The bank',
    keptFor: 'P10Y',
  },
  {
    key: 'national_id',
    label: { en: 'National ID', de: 'Ausweisnummer' },
    type: 'TEXT',
    sensitive: true,
    group: 'Payment',
    order: 60,
    ...fraud,
    keptFor: 'P1Y',
  },
]

const ofCar = [
  { key: 'brand', label: { en: 'Brand', de: 'Marke' }, type: 'TEXT', order: 10 },
  { key: 'model', label: { en: 'Model', de: 'Modell' }, type: 'TEXT', order: 20 },
  {
    key: 'plate',
    label: { en: 'Plate', de: 'Kennzeichen' },
    type: 'TEXT',
    sensitive: true,
    mask: 'first1',
    order: 30,
    purpose: 'Insurance of the car',
    basis: 'contract',
    recipients: 'The insurer',
    keptFor: 'P5Y',
  },
  { key: 'mileage', label: { en: 'Mileage', de: 'Kilometerstand' }, type: 'NUMBER', unit: 'km', order: 40 },
  {
    key: 'engine_litres',
    label: { en: 'Engine size', de: 'Hubraum' },
    type: 'DECIMAL',
    unit: 'l',
    order: 50,
  },
]

const ofAddress = [
  { key: 'street', label: { en: 'Street', de: 'Straße' }, type: 'TEXT', order: 10 },
  { key: 'postcode', label: { en: 'Postcode', de: 'Postleitzahl' }, type: 'TEXT', order: 20 },
  { key: 'city', label: { en: 'City', de: 'Ort' }, type: 'TEXT', order: 30 },
]

/**
 * Definitions for about half of the sample's keys, so that both can be seen: what somebody defined and what is inferred
 * from values.
 */
const sampleDefinitions = {
  entityTypes: [
    {
      type: 'person',
      label: { en: 'Person', de: 'Person' },
      plural: { en: 'People', de: 'Personen' },
      icon: 'person',
      properties: ofPerson,
    },
    {
      type: 'car',
      label: { en: 'Car', de: 'Auto' },
      plural: { en: 'Cars', de: 'Autos' },
      icon: 'car',
      properties: ofCar,
    },
    {
      type: 'address',
      label: { en: 'Address', de: 'Adresse' },
      plural: { en: 'Addresses', de: 'Adressen' },
      icon: 'home',
      properties: ofAddress,
    },
  ],
}

/** Inserts the definitions of the sample. They record no event, as they are nobody's act. */
export async function insertSampleDefinitions(database: Database): Promise<void> {
  const definitions = definitionsOf(definitionsFile.parse(sampleDefinitions))
  await database.sql.transaction().execute((transaction) => storeDefinitions(transaction, definitions, []))
}
