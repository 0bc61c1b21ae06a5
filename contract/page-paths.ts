interface Page {
  /** Path below the console's own address, with its parameters. */
  readonly path: string
  /** True if a service without additions has no such page. */
  readonly isFullOnly?: true
}

/**
 * Pages of the console. Each has the same name in `links` (src/domain/links.ts). The parameters are ids, never personal
 * data.
 */
export const pages = {
  home: { path: '/home', isFullOnly: true },
  users: { path: '/users' },
  newUser: { path: '/users/new' },
  importUsers: { path: '/users/import', isFullOnly: true },
  importJob: { path: '/users/import/:jobId', isFullOnly: true },
  exportUsers: { path: '/users/export', isFullOnly: true },
  batch: { path: '/users/batch', isFullOnly: true },
  /** Address of a job in earlier releases. */
  batchJob: { path: '/users/batch/:jobId', isFullOnly: true },
  deletedUsers: { path: '/users/deleted', isFullOnly: true },
  deletionReceipt: { path: '/users/deleted/:userId', isFullOnly: true },
  user: { path: '/users/:userId' },
  userActivity: { path: '/users/:userId/activity', isFullOnly: true },
  userSegments: { path: '/users/:userId/segments', isFullOnly: true },
  userRecord: { path: '/users/:userId/record' },
  subjectAccess: { path: '/users/:userId/access' },
  newEntity: { path: '/users/:userId/entities/new' },
  entity: { path: '/users/:userId/entities/:entityId' },
  segments: { path: '/segments' },
  newSegment: { path: '/segments/new' },
  segment: { path: '/segments/:segmentId' },
  editSegment: { path: '/segments/:segmentId/edit', isFullOnly: true },
  events: { path: '/events' },
  event: { path: '/events/:eventId' },
  webhooks: { path: '/webhooks', isFullOnly: true },
  newWebhook: { path: '/webhooks/new', isFullOnly: true },
  webhook: { path: '/webhooks/:subscriptionId', isFullOnly: true },
  editWebhook: { path: '/webhooks/:subscriptionId/edit', isFullOnly: true },
  recoverWebhook: { path: '/webhooks/:subscriptionId/recover', isFullOnly: true },
  dictionary: { path: '/dictionary', isFullOnly: true },
  jobs: { path: '/jobs', isFullOnly: true },
  job: { path: '/jobs/:jobId', isFullOnly: true },
  audit: { path: '/audit', isFullOnly: true },
} as const satisfies Readonly<Record<string, Page>>

export type PageName = keyof typeof pages

/** Whether the console has the page, over a full service (`isFull`) or over one without additions. */
export function offersPage(name: PageName, isFull: boolean): boolean {
  return isFull || !('isFullOnly' in pages[name])
}

/** Names of a page's parameters, such as `userId` and `entityId` for the page of an entity. */
export type PageParam<Name extends PageName> = ParamOf<(typeof pages)[Name]['path']>
type ParamOf<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? ParamOf<Part> | ParamOf<Rest>
  : Path extends `:${infer Param}`
    ? Param
    : never

/** Returns the address of a page, with its parameters encoded. */
export function pagePath<Name extends PageName>(
  name: Name,
  params: Readonly<Record<PageParam<Name>, string>>,
): string {
  const values: Readonly<Record<string, string>> = params
  return pages[name].path.replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(values[param] ?? ''))
}

/**
 * Finds the page for a path below the console's own address; `undefined` if there is none. The parameters are not
 * decoded.
 */
export function findPage(
  path: string,
): { readonly name: PageName; readonly params: Readonly<Record<string, string>> } | undefined {
  const parts = path.split('/')
  const matches = Object.entries(pages).flatMap(([name, page]) => {
    const params = paramsOf(page.path.split('/'), parts)
    return params ? [{ name: name as PageName, params }] : []
  })
  // A literal segment takes precedence over a parameter: users/new is not the page of a user.
  return matches.toSorted(
    (one, other) => Object.keys(one.params).length - Object.keys(other.params).length,
  )[0]
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const expected = pattern[index] ?? ''
    if (expected.startsWith(':') && part !== '') params[expected.slice(1)] = part
    else if (expected !== part) return undefined
  }
  return params
}
