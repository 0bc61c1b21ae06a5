// A proxy in front of the service that behaves like nginx with `gzip on` and `gzip_types application/json`: it
// compresses JSON responses itself and makes their ETags weak. Started by playwright.config.ts with two arguments: the
// proxy's port and the service's.
import { createServer, request as requestOf } from 'node:http'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

const [port, servicePort] = process.argv.slice(2).map(Number)

const proxy = createServer((request, response) => {
  const { 'accept-encoding': accepted = '', ...headers } = request.headers
  const { method, url } = request
  const options = { host: 'localhost', port: servicePort, method, path: url, headers }
  const forwarded = requestOf(options, (answer) => {
    const answered = { ...answer.headers }
    const isJson = String(answered['content-type']).startsWith('application/json')
    const isPacked = isJson && accepted.includes('gzip') && method !== 'HEAD'
    if (isPacked) {
      delete answered['content-length']
      answered['content-encoding'] = 'gzip'
      if (answered.etag !== undefined) answered.etag = `W/${answered.etag}`
    }
    response.writeHead(answer.statusCode ?? 502, answered)
    // `pipeline` closes the other side if the client gives up or the service ends.
    if (isPacked) pipeline(answer, createGzip(), response, () => {})
    else pipeline(answer, response, () => {})
  })
  forwarded.on('error', () => {
    if (!response.headersSent) response.writeHead(502)
    response.destroy()
  })
  response.on('close', () => forwarded.destroy())
  pipeline(request, forwarded, () => {})
})
proxy.listen(port, 'localhost')
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))
