import type { RouteObject } from 'react-router'

/** Fetches the code of a route's page. A failure is met again, and reported, by the navigation itself. */
export async function loadCode({ lazy }: RouteObject): Promise<void> {
  if (typeof lazy === 'object') await Promise.allSettled(Object.values(lazy).map((load) => load?.()))
}
