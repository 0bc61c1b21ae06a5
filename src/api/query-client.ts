import { QueryClient } from '@tanstack/react-query'

/**
 * Answers of the service, in memory only. Repeating a failed read is the transport's business. What is on screen
 * stays fresh for half a minute; a list asks for more with `refetchOnWindowFocus: true` of its own, while a page that
 * is being read or edited never changes underneath somebody who only switched windows.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
