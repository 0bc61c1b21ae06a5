import { tabStorage } from './storage.ts'

/** Before the keys under which a sign-in that leads through this page keeps its state. */
export const redirectPrefix = 'data-store.sign-in.'

/** Where a returning sign-in will lead, before its answer is checked: enough to fetch that page's code ahead. */
export function placeAhead(): string | undefined {
  const stored = tabStorage?.getItem(redirectPrefix + new URLSearchParams(location.search).get('state'))
  try {
    const { data } = JSON.parse(stored ?? '{}') as { data?: { place?: string } }
    return data?.place
  } catch {
    return undefined
  }
}
