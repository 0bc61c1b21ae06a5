import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Gauges about the service itself rather than its requests, by name without the service's prefix; `value` is
 * `undefined` if it could not be read.
 */
export type Figures = Readonly<Record<string, { readonly help: string; readonly value: number | undefined }>>

/** Upper bounds of the histogram buckets for response times. */
const seconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Serves the metrics of this process to Prometheus on a separate port. Requests are labelled with their route
 * template, so that no personal data gets into the labels.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: seconds,
    registers: [this.#registry],
  })
  readonly #gauges = new Map<string, Gauge>()
  readonly #figures: () => Promise<Figures>
  readonly #server: Server
  #looking: Promise<Figures> | undefined

  constructor(figures: () => Promise<Figures>) {
    this.#figures = figures
    collectDefaultMetrics({ register: this.#registry })
    this.#server = createServer((request, response) => {
      // A failing scrape must not end the process.
      this.#answer(request, response).catch(() => response.writeHead(500).end())
    })
  }

  /** Measures all requests of an application; call it before the application listens. */
  observe(app: FastifyInstance): void {
    app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
      const route = routeOptions.url ?? 'unknown'
      this.#requests.observe({ method, route, status: statusCode }, elapsedTime / 1000)
      done()
    })
  }

  async listen(port: number, host: string): Promise<number> {
    await once(this.#server.listen(port, host), 'listening')
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer({ url, method }: IncomingMessage, response: ServerResponse) {
    if (url !== '/metrics' || method !== 'GET') return response.writeHead(404).end()
    // Concurrent scrapes share one reading of the store.
    this.#looking ??= this.#figures().finally(() => (this.#looking = undefined))
    for (const [name, { help, value }] of Object.entries(await this.#looking))
      this.#gauge(name, help).set(value ?? Number.NaN)
    return response
      .writeHead(200, { 'content-type': this.#registry.contentType })
      .end(await this.#registry.metrics())
  }

  #gauge(name: string, help: string): Gauge {
    const known = this.#gauges.get(name)
    if (known) return known
    const made = new Gauge({ name: `data_store_${name}`, help, registers: [this.#registry] })
    this.#gauges.set(name, made)
    return made
  }
}
