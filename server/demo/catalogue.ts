import type { names } from './names.ts'

/** A country of the sample data. Patterns use the syntax of `fillPattern`. */
export interface Country {
  readonly name: string
  /** Percentage of the users. */
  readonly share: number
  readonly language: keyof typeof names
  /** Combines a given name and a family name. */
  readonly fullName: (given: string, family: string) => string
  readonly currency: string
  /** Approximate units of the currency per euro. */
  readonly rate: number
  /** Country code of IBANs, and the pattern of what follows the check digits; undefined if none are generated. */
  readonly iban?: { readonly country: string; readonly account: string }
  /**
   * Pattern of a phone number that the regulator reserves for fiction, so that nobody who tries the demo calls a
   * stranger.
   */
  readonly phone: string
  readonly plate: string
  readonly postcode: string
  /** Street part of an address; `*` stands for the street's name. */
  readonly address: string
  readonly cities: readonly [string, ...string[]]
}

const usual = {
  fullName: (given: string, family: string) => `${given} ${family}`,
  currency: 'EUR',
  rate: 1,
  phone: '+1 202 555 01##',
}

export const countries: readonly [Country, ...Country[]] = [
  {
    ...usual,
    name: 'United Kingdom',
    share: 22,
    language: 'en',
    currency: 'GBP',
    rate: 0.86,
    iban: { country: 'GB', account: '????##############' },
    phone: '+44 7700 900###',
    plate: '??## ???',
    postcode: '??# #??',
    address: '%# *',
    cities: ['London', 'Manchester', 'Leeds', 'Bristol', 'Edinburgh', 'Cardiff', 'Belfast', 'York'],
  },
  {
    ...usual,
    name: 'Germany',
    share: 18,
    language: 'de',
    iban: { country: 'DE', account: '##################' },
    phone: '+49 30 23125 ###',
    plate: '? ?? %###',
    postcode: '#####',
    address: '* %#',
    cities: ['Berlin', 'Hamburg', 'München', 'Köln', 'Leipzig', 'Düsseldorf', 'Nürnberg', 'Lübeck'],
  },
  {
    ...usual,
    name: 'France',
    share: 14,
    language: 'fr',
    iban: { country: 'FR', account: '#######################' },
    phone: '+33 6 39 98 ## ##',
    plate: '??-###-??',
    postcode: '#####',
    address: '%# *',
    cities: ['Lyon', 'Paris', 'Marseille', 'Toulouse', 'Nantes', 'Lille', 'Orléans', 'Besançon'],
  },
  {
    ...usual,
    name: 'Spain',
    share: 9,
    language: 'es',
    iban: { country: 'ES', account: '####################' },
    plate: '#### ???',
    postcode: '#####',
    address: '*, %#',
    cities: ['Madrid', 'Barcelona', 'Málaga', 'Cádiz', 'A Coruña', 'Bilbao', 'Logroño'],
  },
  {
    ...usual,
    name: 'Sweden',
    share: 8,
    language: 'sv',
    currency: 'SEK',
    rate: 11.3,
    iban: { country: 'SE', account: '####################' },
    phone: '+46 70 174 06 %#',
    plate: '??? ##?',
    postcode: '### ##',
    address: '* %#',
    cities: ['Stockholm', 'Göteborg', 'Malmö', 'Umeå', 'Örebro', 'Växjö'],
  },
  {
    ...usual,
    name: 'Poland',
    share: 7,
    language: 'pl',
    currency: 'PLN',
    rate: 4.3,
    iban: { country: 'PL', account: '########################' },
    plate: '?? #####',
    postcode: '##-###',
    address: '* %#',
    cities: ['Warszawa', 'Kraków', 'Łódź', 'Gdańsk', 'Wrocław', 'Rzeszów'],
  },
  {
    ...usual,
    name: 'Italy',
    share: 6,
    language: 'it',
    iban: { country: 'IT', account: '?######################' },
    plate: '?? ###??',
    postcode: '#####',
    address: '*, %#',
    cities: ['Roma', 'Milano', 'Torino', 'Forlì', 'Napoli', 'Bologna'],
  },
  {
    ...usual,
    name: 'Czechia',
    share: 4,
    language: 'cs',
    currency: 'CZK',
    rate: 25,
    iban: { country: 'CZ', account: '####################' },
    plate: '%?# ####',
    postcode: '%## ##',
    address: '* %#',
    cities: ['Praha', 'Brno', 'Plzeň', 'České Budějovice', 'Ústí nad Labem'],
  },
  {
    ...usual,
    name: 'Greece',
    share: 3,
    language: 'el',
    iban: { country: 'GR', account: '#######################' },
    plate: '???-####',
    postcode: '### ##',
    address: '* %#',
    cities: ['Αθήνα', 'Θεσσαλονίκη', 'Πάτρα', 'Ηράκλειο'],
  },
  {
    ...usual,
    name: 'Ukraine',
    share: 3,
    language: 'uk',
    currency: 'UAH',
    rate: 45,
    plate: '?? #### ??',
    postcode: '#####',
    address: '*, %#',
    cities: ['Київ', 'Львів', 'Одеса', 'Харків'],
  },
  {
    ...usual,
    name: 'Japan',
    share: 3,
    language: 'ja',
    fullName: (given, family) => `${family} ${given}`,
    currency: 'JPY',
    rate: 165,
    plate: '品川 ### さ %#-##',
    postcode: '###-####',
    address: '*%丁目%#番地',
    cities: ['東京', '大阪', '京都', '札幌'],
  },
  {
    ...usual,
    name: 'China',
    share: 3,
    language: 'zh',
    fullName: (given, family) => `${family}${given}`,
    currency: 'CNY',
    rate: 7.8,
    plate: '沪?#####',
    postcode: '######',
    address: '*%##号',
    cities: ['上海', '北京', '深圳', '成都'],
  },
]

export interface CarModel {
  readonly brand: string
  readonly model: string
  /** Price when new, in euros. */
  readonly price: number
  /** Engine sizes in litres; undefined for an electric car. */
  readonly litres?: readonly [string, ...string[]]
}

export const carModels: readonly [CarModel, ...CarModel[]] = [
  { brand: 'Volvo', model: 'XC40', price: 42_000, litres: ['1.5', '2.0'] },
  { brand: 'Volvo', model: 'V60', price: 49_000, litres: ['2.0'] },
  { brand: 'Volvo', model: 'EX30', price: 38_500 },
  { brand: 'Polestar', model: '2', price: 51_000 },
  { brand: 'Polestar', model: '4', price: 63_000 },
  { brand: 'Volkswagen', model: 'Golf', price: 31_000, litres: ['1.0', '1.5', '2.0'] },
  { brand: 'Volkswagen', model: 'Passat Variant', price: 43_000, litres: ['1.5', '2.0'] },
  { brand: 'Volkswagen', model: 'ID.3', price: 37_000 },
  { brand: 'Škoda', model: 'Octavia', price: 32_000, litres: ['1.5', '2.0'] },
  { brand: 'Škoda', model: 'Enyaq', price: 47_000 },
  { brand: 'BMW', model: '320d', price: 52_000, litres: ['2.0'] },
  { brand: 'BMW', model: 'X5', price: 92_000, litres: ['3.0', '4.4'] },
  { brand: 'BMW', model: 'i4', price: 60_000 },
  { brand: 'Mercedes-Benz', model: 'C 220 d', price: 54_000, litres: ['2.0'] },
  { brand: 'Mercedes-Benz', model: 'S 580', price: 141_000, litres: ['4.0'] },
  { brand: 'Renault', model: 'Clio', price: 21_000, litres: ['0.9', '1.0', '1.6'] },
  { brand: 'Renault', model: 'Mégane E-Tech', price: 39_000 },
  { brand: 'Peugeot', model: '208', price: 23_000, litres: ['1.2', '1.5'] },
  { brand: 'Citroën', model: 'C3', price: 18_000, litres: ['1.2'] },
  { brand: 'SEAT', model: 'León', price: 29_000, litres: ['1.0', '1.5'] },
  { brand: 'Fiat', model: '500', price: 19_000, litres: ['0.9', '1.2'] },
  { brand: 'Fiat', model: '500e', price: 31_000 },
  { brand: 'Toyota', model: 'Corolla', price: 33_000, litres: ['1.8', '2.0'] },
  { brand: 'Toyota', model: 'Yaris', price: 24_000, litres: ['1.0', '1.5'] },
  { brand: 'Ford', model: 'Focus', price: 30_000, litres: ['1.0', '1.5'] },
  { brand: 'Tesla', model: 'Model 3', price: 42_000 },
]

export const deliveryNotes: readonly [string, ...string[]] = [
  'Ring twice, the bell sticks.\nIf nobody answers: the neighbour on the left takes parcels.',
  'Gate code on request.\nDog is friendly.\nPlease close the gate.',
  'Second courtyard, staircase C, 4th floor.\nNo lift.',
  'Deliver to reception on weekdays.\nSaturdays: side entrance.',
]
