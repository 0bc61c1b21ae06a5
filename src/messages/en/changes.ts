/** Texts about what one write changed. */
export const changeText = {
  label: 'What changed',
  key: 'What',
  before: 'Before',
  after: 'After',
  none: 'Only the order changed.',
  wasNot: 'Not set',
  removed: 'Removed',
  /** Stands in for a sensitive value that is hidden, by operation. */
  secret: {
    add: 'Sensitive value, added',
    change: 'Sensitive value, changed',
    remove: 'Sensitive value, removed',
  } as { readonly change: string; readonly [op: string]: string },
  entityType: 'Entity type',
  type: ({ before, after }: { readonly before: string; readonly after: string }) => `${before} → ${after}`,
  account: (has: boolean) => (has ? 'active' : 'none'),
  becameSensitive: 'now sensitive',
  becamePlain: 'no longer sensitive',
}
