// Clients that write continuously and remember which writes were acknowledged.
import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A record that only one writer changes, so that its expected state is known. */
interface Record {
  readonly path: string
  readonly kind: 'user' | 'entity'
  /** Latest acknowledged value, and the values sent after it (`perhaps`), whose writes may have succeeded. */
  acknowledged: string
  readonly perhaps: string[]
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export class Writers {
  /** Times at which writes were acknowledged, in milliseconds. */
  readonly acknowledgedMs: number[] = []
  /** Every value of an acknowledged write. */
  readonly values: string[] = []
  /** Number of occurrences of each answer; a refusal without `Retry-After` is counted separately. */
  readonly answers = new Map<string, number>()
  /** Number of reads that returned an older state than the one acknowledged before. */
  wrong = 0
  slowestMs = 0
  readonly #base: string
  readonly #token: () => string
  readonly #records: Record[] = []
  readonly #running: Promise<void>[]
  #isStopped = false

  constructor(base: string, token: () => string, count: number) {
    this.#base = base
    this.#token = token
    this.#running = Array.from({ length: count }, () => this.#write())
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running)
  }

  /** Counts the records whose latest acknowledged value is missing. A value sent later also counts as present. */
  async lost(): Promise<number> {
    const agent = new Agent({ keepAlive: true })
    let lost = 0
    for (const record of this.#records) {
      const { status, body } = await this.#send(agent, 'GET', record.path)
      if (status !== 200 || !isOf(record, body)) lost++
    }
    agent.destroy()
    return lost
  }

  async #write(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const own: Record[] = []
    while (!this.#isStopped) {
      const known = own[Math.floor(Math.random() * own.length)]
      if (!known || Math.random() < 0.2) {
        const made = await this.#make(
          agent,
          own.findLast(({ kind }) => kind === 'user'),
        )
        if (made) own.push(made)
      } else await this.#change(agent, known)
    }
    this.#records.push(...own)
    agent.destroy()
  }

  async #make(agent: Agent, user: Record | undefined): Promise<Record | undefined> {
    const value = randomUUID()
    const kind = user && Math.random() < 0.5 ? 'entity' : 'user'
    const where = user && kind === 'entity' ? `${user.path}/entities` : '/users'
    const reply = await this.#send(agent, 'POST', where, bodyOf(kind, value))
    if (reply.status !== 201) return undefined
    this.#acknowledge(value)
    return {
      path: `${where}/${reply.headers.location?.split('/').at(-1)}`,
      kind,
      acknowledged: value,
      perhaps: [],
    }
  }

  async #change(agent: Agent, record: Record): Promise<void> {
    const value = randomUUID()
    record.perhaps.push(value)
    const { status } = await this.#send(agent, 'PATCH', record.path, bodyOf(record.kind, value))
    if (status !== 204 && status !== 303) return
    this.#acknowledge(value)
    record.acknowledged = value
    record.perhaps.length = 0
    if (Math.random() > 0.2) return
    const read = await this.#send(agent, 'GET', record.path)
    if (read.status === 200 && !isOf(record, read.body)) this.wrong++
  }

  #acknowledge(value: string): void {
    this.acknowledgedMs.push(performance.now())
    this.values.push(value)
  }

  async #send(agent: Agent, method: string, where: string, body?: object): Promise<Reply> {
    const sentMs = performance.now()
    const reply = await exchange(agent, `${this.#base}${where}`, method, this.#token(), body)
    this.slowestMs = Math.max(this.slowestMs, performance.now() - sentMs)
    const { status, headers } = reply
    const answer =
      typeof status === 'number' && status >= 429 && headers['retry-after'] === undefined
        ? `${status} without Retry-After`
        : String(status)
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
    return { ...reply, status: Number(status) }
  }
}

const bodyOf = (kind: Record['kind'], value: string) =>
  kind === 'user' ? { name: value } : { type: 'note', properties: [{ key: 'value', type: 'TEXT', value }] }

const isOf = ({ acknowledged, perhaps }: Record, body: string) =>
  [acknowledged, ...perhaps].some((value) => body.includes(value))

/** Sends one request. `status` is the error code if there is no response. */
function exchange(
  agent: Agent,
  url: string,
  method: string,
  token: string,
  body: object | undefined,
): Promise<Omit<Reply, 'status'> & { readonly status: number | string }> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resolve({ status: error.code ?? error.message, headers: {}, body: '' })
    const sent = request(url, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('error', failed)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    sent.on('error', failed)
    sent.end(body && JSON.stringify(body))
  })
}
