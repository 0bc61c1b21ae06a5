// The webhook receiver of webhooks.bench.ts, in a separate process. Answers 200 and records what it received and when.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let got: [id: string, atMs: number][] = []
const server = createServer((request, response) => {
  request.resume()
  if (request.method === 'GET') {
    response.end(JSON.stringify(got))
    got = []
    return
  }
  request.on('end', () => {
    got.push([String(request.headers['webhook-id']), Date.now()])
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
