/** Handler that may answer a request instead of the service, or after it; returns undefined to pass the request on. */
export type Meet = (
  request: Request,
  onward: () => Promise<Response>,
) => Response | Promise<Response | undefined> | undefined

interface SeenRequest {
  readonly method: string
  /** Path with the query string. */
  readonly path: string
  readonly body: unknown
  readonly headers: Headers
}

/** Network between console and service: records every request and can intercept it. */
export function network(service: { readonly fetch: typeof fetch }, meet: Meet = () => undefined) {
  const requests: SeenRequest[] = []
  return {
    requests,
    /** Returns the requests other than GET as `[method, body]`. */
    writes: () => requests.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body]),
    meet(next: Meet) {
      meet = next
    },
    /** Makes the next request of this method fail before it reaches the service. */
    loseNext(method: string) {
      meet = (request) => {
        if (request.method !== method) return undefined
        meet = () => undefined
        throw new TypeError('Failed to fetch')
      }
    },
    fetch: (async (input, init) => {
      const request = new Request(input, init)
      const { pathname, search } = new URL(request.url)
      const text = await request.clone().text()
      const isJson = request.headers.get('content-type') === 'application/json'
      requests.push({
        method: request.method,
        path: pathname + search,
        body: isJson ? JSON.parse(text) : text === '' ? undefined : text,
        headers: request.headers,
      })
      const onward = () => service.fetch(input, init)
      return (await meet(request, onward)) ?? onward()
    }) satisfies typeof fetch,
  }
}
