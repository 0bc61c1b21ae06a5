import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import path from 'node:path'
import { createServer } from 'vite'

import type { ConsoleSettings } from './http/console.ts'

/** Serves the console from its sources with hot reload, inside the service's own server. */
export async function openDevelopmentConsole(
  server: Server,
  settings: ConsoleSettings,
): Promise<{
  handle: (request: IncomingMessage, response: ServerResponse) => void
  close: () => Promise<void>
}> {
  const vite = await createServer({
    root: path.join(import.meta.dirname, '..'),
    appType: 'spa',
    server: { middlewareMode: true, hmr: { server } },
  })
  return {
    handle(request, response) {
      if (request.url === '/config.json') {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(settings))
      } else vite.middlewares(request, response)
    },
    close: () => vite.close(),
  }
}
