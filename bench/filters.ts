// Filters of different kinds, which match anything from none to nearly all users of a loaded store.
import type { Filter, PropertyTest } from '#contract/index.ts'

const person = (...where: PropertyTest[]): Filter => ({ entity: 'person', where })
const car = (...where: PropertyTest[]): Filter => ({ entity: 'car', where })
const lyon = { key: 'city', type: 'TEXT', op: 'eq', value: 'Lyon' } as const
const granted = { key: 'newsletter', type: 'PREFERENCE', op: 'eq', value: { status: 'GRANTED' } } as const
const since2016 = { user: 'since', op: 'before', value: '2016-01-01' } as const
const volvo = { key: 'brand', type: 'TEXT', op: 'eq', value: 'Volvo' } as const
const dear = {
  key: 'price',
  type: 'CURRENCY',
  op: 'gt',
  value: { currency: 'EUR', value: '80000' },
} as const
const many = { key: 'loyalty_points', type: 'NUMBER', op: 'gte', value: 19_000 } as const
const old = { key: 'birthday', type: 'DATE', op: 'before', value: '1935-01-01' } as const
const vip = { key: 'vip', type: 'BOOLEAN', op: 'eq', value: true } as const

export const filters: Readonly<Record<string, Filter>> = {
  'text is': person(lyon),
  'text is one of': person({ ...lyon, op: 'in', value: ['Lyon', 'Paris', 'Wien'] }),
  'text contains': person({ ...lyon, op: 'contains', value: 'mal' }),
  'yes or no': person(vip),
  'number is': person({ key: 'loyalty_points', type: 'NUMBER', op: 'eq', value: 777 }),
  'number at least': person({ key: 'loyalty_points', type: 'NUMBER', op: 'gte', value: 19_000 }),
  'number, nearly all': person({ key: 'loyalty_points', type: 'NUMBER', op: 'lt', value: 19_000 }),
  'amount over': car({
    key: 'price',
    type: 'CURRENCY',
    op: 'gt',
    value: { currency: 'EUR', value: '80000' },
  }),
  'preference, half of all': person(granted),
  'date before': person({ key: 'birthday', type: 'DATE', op: 'before', value: '1935-01-01' }),
  'birthday this week': person({ key: 'birthday', type: 'DATE', op: 'anniversary_within', value: 'P7D' }),
  'sensitive text is': person({ key: 'phone', type: 'TEXT', op: 'eq', value: '+44 7700 900123' }),
  'three tests on one car': car(
    { key: 'brand', type: 'TEXT', op: 'eq', value: 'Volvo' },
    { key: 'electric', type: 'BOOLEAN', op: 'eq', value: true },
    { key: 'mileage', type: 'NUMBER', op: 'lt', value: 50_000 },
  ),
  'no car, half of all': { not: { entity: 'car' } },
  'two cars, nobody': { entity: 'car', min: 2 },
  'name begins with': { user: 'name', op: 'starts_with', value: 'zoë' },
  'e-mail ends with': { user: 'email', op: 'ends_with', value: '77@example.org' },
  'user since': { user: 'since', op: 'before', value: '2016-01-01' },
  'account, 60 % of all': { user: 'account', op: 'eq', value: true },
  'all of three, one not': { all: [person(lyon), person(vip), { not: person(granted) }] },
  'any of two': { any: [{ user: 'ref', op: 'eq', value: 'L-00000777' }, person(vip)] },
}

/** Range filters that match fewer than one user in 400. */
export const rareRanges: Readonly<Record<string, Filter>> = {
  'number over, few': person({ ...many, op: 'gt', value: 19_900 }),
  'date before, few': person({ ...old, value: '1932-01-20' }),
  'amount over, few': car({ ...dear, value: { currency: 'EUR', value: '167000' } }),
  'amount between, few': car({
    ...dear,
    op: 'between',
    value: [
      { currency: 'EUR', value: '80000' },
      { currency: 'EUR', value: '80800' },
    ],
  }),
}

/** Filters with two or three conditions, as people combine them in the list of users. */
export const pairs: Readonly<Record<string, Filter>> = {
  'two on one person': person(lyon, vip),
  'person and car': { all: [person(lyon), car(volvo)] },
  'person and amount': { all: [person(granted), car(dear)] },
  'city and amount': { all: [person(lyon), car(dear)] },
  'amount and not': { all: [car(dear), { not: person(granted) }] },
  'number and not': { all: [person(many), { not: person(vip) }] },
  'city and range': person(lyon, old),
  'two ranges': person(many, old),
  'two ranges, hardly anybody': { all: [person(many, old), car(dear)] },
  'since and yes': { all: [since2016, person(vip)] },
  'name and city': { all: [{ user: 'name', op: 'starts_with', value: 'zoë' }, person(lyon)] },
  'name contains and account': {
    all: [
      { user: 'name', op: 'contains', value: 'ling' },
      { user: 'account', op: 'eq', value: true },
    ],
  },
  'few and city': {
    all: [person({ key: 'loyalty_points', type: 'NUMBER', op: 'eq', value: 777 }), person(lyon)],
  },
  'any of two': { any: [person(many), car(dear)] },
  nobody: { all: [person(lyon), person({ ...lyon, value: 'Paris' })] },
}
