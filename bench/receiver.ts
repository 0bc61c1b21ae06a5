// The receiver of webhooks.bench.ts, in a process of its own: answers 200 and keeps what it got and when.
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
