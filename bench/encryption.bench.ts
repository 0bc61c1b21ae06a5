// Benchmarks how much sealing sensitive values costs writers: the same writes with plain and with sensitive properties,
// alternating, on the configured store. The users it creates are deleted at the end.
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { application } from './application.ts'

const rounds = 75
const writesPerRound = 24
const atOnce = 8
const users = 50
/** Lowest acceptable throughput of sensitive writes, as a share of the plain throughput. */
const goal = 0.85

const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { app, token } = await application(database, config)
await app.ready()

const made: string[] = []
let serial = 0

async function send(method: 'POST' | 'PATCH' | 'DELETE', address: string, body?: object): Promise<string> {
  const { statusCode, headers } = await app.inject({
    method,
    url: `/api${address}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  })
  if (statusCode >= 300)
    throw new Error(`${method} ${address.replaceAll(/[\da-f-]{36}/g, '…')}: ${statusCode}`)
  const id = (headers.location ?? '').split('/').at(-1) ?? ''
  if (address === '/users') made.push(id)
  return id
}

/** Returns six properties, like a person in the sample data. If `sensitive`, three of them are sensitive. */
function person(sensitive: boolean) {
  const n = String(++serial)
  return [
    { key: 'city', type: 'TEXT', value: `City ${n}` },
    { key: 'birthday', type: 'DATE', value: '1980-02-29' },
    { key: 'loyalty_points', type: 'NUMBER', value: serial },
    { key: 'phone', type: 'TEXT', sensitive, value: `+44 7700 ${n}` },
    { key: 'iban', type: 'TEXT', sensitive, value: `DE89 3704 0044 0532 ${n}` },
    { key: 'national_id', type: 'TEXT', sensitive, value: `ID ${n}` },
  ]
}

interface Owner {
  readonly user: string
  readonly entity: string
}
async function owners(sensitive: boolean): Promise<Owner[]> {
  const list: Owner[] = []
  for (let index = 0; index < users; index++) {
    const user = await send('POST', '/users', {})
    const entity = await send('POST', `/users/${user}/entities`, {
      type: 'person',
      properties: person(sensitive),
    })
    list.push({ user, entity })
  }
  return list
}

const of = { plain: await owners(false), sensitive: await owners(true) }
const kinds = ['plain', 'sensitive'] as const
type Kind = (typeof kinds)[number]
const ownerOf = (kind: Kind, index: number): Owner => {
  const owner = of[kind][index % users]
  if (!owner) throw new Error('There is no such user.')
  return owner
}

const writes: Record<string, (kind: Kind, index: number) => Promise<unknown>> = {
  'a new user with a person, 3 of 6 properties sensitive': (kind) =>
    send('POST', '/users', { properties: person(kind === 'sensitive') }),
  'a new person of a user, 3 of 6 properties sensitive': (kind, index) =>
    send('POST', `/users/${ownerOf(kind, index).user}/entities`, {
      type: 'person',
      properties: person(kind === 'sensitive'),
    }),
  'another value of a sensitive property': (kind, index) => {
    const { user, entity } = ownerOf(kind, index)
    return send('PATCH', `/users/${user}/entities/${entity}`, {
      properties: [{ key: 'iban', value: `GB33 ${++serial}` }],
    })
  },
  'another value of a plain property': (kind, index) => {
    const { user, entity } = ownerOf(kind, index)
    return send('PATCH', `/users/${user}/entities/${entity}`, {
      properties: [{ key: 'loyalty_points', value: ++serial }],
    })
  },
}

/** Returns the writes per second, and the milliseconds of CPU time per write in this process. */
async function measure(write: (kind: Kind, index: number) => Promise<unknown>, kind: Kind) {
  let next = 0
  const cpu = process.cpuUsage()
  const started = performance.now()
  const worker = async () => {
    while (next < writesPerRound) await write(kind, next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { rate: writesPerRound / seconds, cpuMs: (user + system) / 1000 / writesPerRound }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const percent = (ratio: number) => `${Math.round(ratio * 100)} %`

console.log(
  `${database.engine}; ${atOnce} at a time, ${rounds} rounds of ${writesPerRound} writes of each kind in turn; medians`,
)
let met = true
for (const [name, write] of Object.entries(writes)) {
  for (const kind of kinds) await measure(write, kind)
  const results: Record<Kind, { rate: number; cpuMs: number }[]> = { plain: [], sensitive: [] }
  for (let round = 0; round < rounds; round++)
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed())
      results[kind].push(await measure(write, kind))
  const rates = kinds.map((kind) => median(results[kind].map(({ rate }) => rate)))
  const cpu = kinds.map((kind) => median(results[kind].map(({ cpuMs }) => cpuMs)))
  const [plain = Number.NaN, sensitive = Number.NaN] = rates
  // Compares neighbouring rounds only, so that other load on the machine affects both alike.
  const ratio = median(
    results.sensitive.map(({ rate }, round) => rate / (results.plain[round]?.rate ?? Number.NaN)),
  )
  met &&= ratio >= goal
  console.log(
    `${name}: plain ${Math.round(plain)}/s, sensitive ${Math.round(sensitive)}/s, ${percent(ratio)} of plain; ` +
      `processor ${cpu.map((ms) => ms.toFixed(2)).join(' and ')} ms each`,
  )
}
console.log(`goal of ${percent(goal)} of plain: ${met ? 'met' : 'missed'}`)

for (const user of made) await send('DELETE', `/users/${user}`)
await app.close()
await database.close()
