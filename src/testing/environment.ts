import { builtinEnvironments, type Environment } from 'vitest/runtime'

/**
 * Vitest environment that runs a browser page (jsdom) and the real service in one process. Modules load as in Node, so
 * that the service finds its files. Objects that both sides exchange (requests, signals, URLs, bytes) are Node's own, because
 * jsdom's look-alikes are incompatible.
 */
const shared = [
  'AbortController',
  'AbortSignal',
  'ArrayBuffer',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'Request',
  'Response',
  'URL',
  'URLSearchParams',
  'Uint8Array',
  'fetch',
] as const

// oxlint-disable-next-line import/no-default-export -- Vitest loads an environment by its default export
export default {
  ...builtinEnvironments.jsdom,
  name: 'console',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const own = shared.map((name) => [name, Object.getOwnPropertyDescriptor(global, name)] as const)
    const page = await builtinEnvironments.jsdom.setup(global, options)
    for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(global, name, descriptor)
    return page
  },
} satisfies Environment
