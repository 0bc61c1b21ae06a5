import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { ApiError, q } from '../api/index.ts'
import { healthOf, needsAttention } from '../domain/webhooks/health.ts'
import { webhooksMarkText } from '../messages/index.ts'
import { hint } from '../ui/Hint.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import { firstPage } from './first-page.ts'

const markPollMs = 60_000

/**
 * Whether the first page shows its rows. Some pages show a skeleton until then, and no other request should delay
 * them.
 */
function useHasRows(): boolean {
  const [hasRows, setHasRows] = useState(false)
  useEffect(() => {
    let isOver = false
    const changes = new MutationObserver(look)
    function look() {
      if (document.querySelector('main [aria-busy=true]')) return
      changes.disconnect()
      setHasRows(true)
    }
    const begin = async () => {
      await firstPage
      if (isOver) return
      changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
      look()
    }
    void begin()
    return () => {
      isOver = true
      changes.disconnect()
    }
  }, [])
  return hasRows
}

/**
 * Mark beside the webhooks area while a webhook fails or is stopped; renders nothing if that is unknown. Reads the same
 * list as the webhooks page and the home page.
 */
export function WebhooksMark() {
  const enabled = useHasRows()
  const { data = [] } = useQuery({
    ...q('listSubscriptions'),
    enabled,
    staleTime: markPollMs,
    refetchInterval: ({ state: { error } }) =>
      // With a token that does not list its scopes, this list may be refused; polling then stops.
      error instanceof ApiError && error.status === 403 ? false : markPollMs,
  })
  const ailing = data.filter(needsAttention)
  if (ailing.length === 0) return null
  const words = webhooksMarkText.needAttention({ count: ailing.length })
  const isStopped = ailing.some((each) => healthOf(each) === 'stopped')
  return (
    <span style={{ marginInlineStart: 'auto' }} {...hint(words)}>
      <StateMark tone={isStopped ? 'failure' : 'warning'} />
      <span className="ds-visually-hidden"> ({words})</span>
    </span>
  )
}
