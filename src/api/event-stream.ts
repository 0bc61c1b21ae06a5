import { createParser } from 'eventsource-parser'

import type { Event } from '#contract/index.ts'
import { ApiError, readFailure } from './api-error.ts'
import { getConnection, queryString, requestOptions } from './connection.ts'

/** Silence after which the connection counts as dead; the service sends heartbeats more often. */
const silenceMs = 60_000

/**
 * Reads `GET /events/stream`: each event after `query.after`, oldest first, as it happens. Reads server-sent events
 * with fetch, since EventSource cannot send a token. Resolves when the service ends the stream, for example because the
 * token has expired; rejects on failure. To continue, call it again after the last event received. `onOpen` is called
 * once the service has accepted the request.
 */
export async function readEventStream(
  query: Readonly<Record<string, string | undefined>>,
  onEvent: (event: Event) => void,
  signal: AbortSignal,
  onOpen: () => void = () => undefined,
): Promise<void> {
  const { apiUrl, tokens, fetch: fetcher = fetch } = getConnection()
  const silence = new AbortController()
  const either = AbortSignal.any([signal, silence.signal])
  const ask = (token: string) =>
    fetcher(`${apiUrl}/events/stream${queryString(query)}`, {
      ...requestOptions,
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}` },
      signal: either,
    })
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  try {
    heard()
    const token = await tokens.token()
    let response = await ask(token)
    if (response.status === 401) response = await ask(await tokens.tokenAfter(token))
    if (!response.ok || !response.body) throw await readFailure(response, false)
    onOpen()
    const parser = createParser({
      onEvent({ data }) {
        const event = eventIn(data)
        if (event) onEvent(event)
      },
    })
    // Not every browser iterates a stream.
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      heard()
      parser.feed(read.value)
    }
  } catch (cause) {
    if (signal.aborted || cause instanceof ApiError) throw cause
    throw new ApiError({ status: 0, code: silence.signal.aborted ? 'timeout' : 'network', cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Parses one message of the stream; returns undefined if it lacks a required field of an event. */
function eventIn(data: string): Event | undefined {
  const event = JSON.parse(data) as Partial<Event> | null
  return typeof event?.id === 'string' &&
    typeof event.eventtime === 'string' &&
    typeof event.type === 'string'
    ? ({ ...event, properties: event.properties ?? {} } as Event)
    : undefined
}
