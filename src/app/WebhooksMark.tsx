import { useQuery } from '@tanstack/react-query'

import { ApiError } from '../api/index.ts'
import { subscriptionsQuery } from '../domain/queries/webhooks.ts'
import { healthOf, needsAttention } from '../domain/webhooks/health.ts'
import { webhooksMarkText } from '../messages/index.ts'
import { hint } from '../ui/Hint.tsx'
import { StateMark } from '../ui/StateMark.tsx'

const minuteMs = 60_000

/** Once the first page has its rows: some stand with a skeleton until then, and nothing is to take the line from them. */
export function withRows(): Promise<typeof WebhooksMark> {
  return new Promise((resolve) => {
    const changes = new MutationObserver(look)
    function look() {
      if (document.querySelector('main [aria-busy=true]')) return
      changes.disconnect()
      resolve(WebhooksMark)
    }
    changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
    look()
  })
}

/**
 * Beside the area of webhooks, while one of them fails; nothing where that is not known. From the list of them that the
 * page of webhooks and the home page read.
 */
function WebhooksMark() {
  const { data = [] } = useQuery({
    ...subscriptionsQuery(),
    staleTime: minuteMs,
    refetchInterval: ({ state: { error } }) =>
      // Whose token says nothing of its scopes may be refused them.
      error instanceof ApiError && error.status === 403 ? false : minuteMs,
  })
  const ailing = data.filter(needsAttention)
  if (ailing.length === 0) return null
  const words = webhooksMarkText(ailing.length)
  const isStopped = ailing.some((each) => healthOf(each) === 'stopped')
  return (
    <span style={{ marginInlineStart: 'auto' }} {...hint(words)}>
      <StateMark tone={isStopped ? 'failure' : 'warning'} />
      <span className="ds-visually-hidden"> ({words})</span>
    </span>
  )
}
