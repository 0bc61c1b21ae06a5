// Sends 200,000 (REQUESTS) requests generated from the API description, in rounds that each begin with an empty
// store. SEED repeats the requests of an earlier run.
import { fuzz, inWords } from '#server/fuzzing/fuzzing.ts'
import { setup } from '#server/testing/postgresql.ts'
import { startTestService } from '#server/testing/service.ts'

const count = Number(process.env.REQUESTS ?? 200_000)
const perRound = 20_000
const firstSeed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

const end = await setup()
const service = await startTestService()
const { port } = await service.listen()
const startMs = performance.now()
let wrong = 0
for (let sent = 0; sent < count; sent += perRound) {
  const seed = firstSeed + sent / perRound
  await service.reset()
  const { faults } = await fuzz(service, { port, count: Math.min(perRound, count - sent), seed })
  wrong += faults.length
  console.log(`SEED=${seed}: ${faults.length} faults`)
  for (const fault of faults) console.log(inWords(fault))
}
const seconds = Math.round((performance.now() - startMs) / 1000)
console.log(`${count.toLocaleString('en')} requests in ${seconds} s, ${wrong} kinds of faults`)
await service.close()
await end()
process.exitCode = wrong === 0 ? 0 : 1
