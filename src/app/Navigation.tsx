import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { NavLink } from 'react-router'

import { version } from '../../package.json'
import { getConnection } from '../api/connection.ts'
import { ApiError, q } from '../api/index.ts'
import { type Area, areasOf } from '../auth/areas.ts'
import { useDenied } from '../auth/use-session.ts'
import { areaIcons } from '../domain/area-icons.ts'
import { links } from '../domain/links.ts'
import { useSettings } from '../domain/settings-context.ts'
import { healthOf, needsAttention } from '../domain/webhooks/health.ts'
import { shellText, webhooksMarkText } from '../messages/index.ts'
import { DisabledReason } from '../ui/DisabledReason.tsx'
import { hint } from '../ui/Hint.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import { showKeys } from './keys/Keys.tsx'
import classes from './Shell.module.css'

/** Product, areas and foot, beside the page or in a drawer. */
export function Navigation({ onFollow }: { readonly onFollow?: () => void }) {
  const { environment, apiUrl } = useSettings()
  const { features } = getConnection()
  return (
    <>
      <Product />
      <nav aria-label={shellText.navigation}>
        <ul className={classes.links}>
          {areasOf(features).map((area) => (
            <AreaLink key={area.path} area={area} onFollow={onFollow} />
          ))}
        </ul>
      </nav>
      <footer className={classes.foot}>
        <Anchor
          component="button"
          type="button"
          onClick={() => {
            onFollow?.()
            document.dispatchEvent(new Event(showKeys))
          }}
        >
          {shellText.keys}
        </Anchor>
        {/* For a service without additions, the address of its API description is unknown. */}
        {Object.keys(features).length > 0 && (
          <Anchor href={`${apiUrl}/docs`} target="_blank" rel="noreferrer">
            {shellText.foot.api}
          </Anchor>
        )}
        {environment && <span>{environment.name}</span>}
        <span>{shellText.foot.version({ version })}</span>
      </footer>
    </>
  )
}

function AreaLink({ area, onFollow }: { readonly area: Area; readonly onFollow: (() => void) | undefined }) {
  const { path, scopes, isHidden } = area
  const denied = useDenied(...scopes)
  const Icon = areaIcons[path]
  if (isHidden && denied !== undefined) return null
  return (
    <li>
      <DisabledReason reason={denied}>
        <NavLink to={links[path]()} className={classes.link ?? ''} {...(onFollow && { onClick: onFollow })}>
          <Icon size={17} stroke={1.75} aria-hidden />
          <span>{shellText.pages[path]}</span>
          {path === 'webhooks' && denied === undefined && <WebhooksMark />}
        </NavLink>
      </DisabledReason>
    </li>
  )
}

const markPollMs = 60_000

/** Whether the first page shows its rows, which some show after a skeleton: no other request should delay them. */
export function useHasRows(): boolean {
  const [hasRows, setHasRows] = useState(false)
  useEffect(() => {
    const changes = new MutationObserver(look)
    function look() {
      if (document.querySelector('main [aria-busy=true]')) return
      changes.disconnect()
      setHasRows(true)
    }
    changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
    look()
    return () => changes.disconnect()
  }, [])
  return hasRows
}

/** Mark beside the webhooks area while a webhook fails or is stopped; nothing if that is unknown. */
function WebhooksMark() {
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

export function Product({ className = classes.product }: { readonly className?: string | undefined }) {
  return (
    <span className={className}>
      <Mark />
      <span>{shellText.product}</span>
    </span>
  )
}

/** Logo of the product: rows of a store. Keep in sync with `public/favicon.svg` and the development sign-in page. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden>
      <rect width="24" height="24" rx="6" fill="var(--mantine-color-indigo-6)" />
      <path d="M6 7.5h12M6 12h12M6 16.5h7" stroke="#fff" strokeWidth="2.25" strokeLinecap="round" />
    </svg>
  )
}
