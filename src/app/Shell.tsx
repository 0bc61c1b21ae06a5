import { Badge, type BadgeProps, Button } from '@mantine/core'
import { useDocumentTitle, useNetwork } from '@mantine/hooks'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import {
  createPath,
  type Location,
  Outlet,
  type RouteObject,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigation,
  useRevalidator,
} from 'react-router'

import { isOlderRelease, type NoRole as Reason, readNoRole, watchNoRole } from '../api/connection.ts'
import { offers, q } from '../api/index.ts'
import type { Settings } from '../api/settings.ts'
import { useSession } from '../auth/use-session.ts'
import { hasPage } from '../domain/links.ts'
import type { PageHandle } from '../domain/page-route.ts'
import { useRecent } from '../domain/people/recent.ts'
import { AwayContext, PutAway, useAwayTime } from '../domain/put-away/PutAway.tsx'
import { useSettings } from '../domain/settings-context.ts'
import { LeaveGuard } from '../domain/writing/unsaved.tsx'
import { sharedText, shellText } from '../messages/index.ts'
import { AnnouncedTexts, useAnnounced } from '../ui/announced.tsx'
import { HintLayer } from '../ui/Hint.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { isApple, nameControlKey } from '../ui/keys/shortcut.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { isModalOpen } from '../ui/overlay-hooks.ts'
import type { ZoneChoice } from '../ui/time.ts'
import { ZonesContext } from '../ui/Timestamp.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { MessagePage } from './Failure.tsx'
import { FindDialog, FindResults } from './find/FindDialog.tsx'
import { PageKeys } from './keys/Keys.tsx'
import { Navigation, Product } from './Navigation.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { usePrefetch } from './prefetch.ts'
import { SessionGuard } from './SessionGuard.tsx'
import { readZonePreference, storeZonePreference } from './zone-preference.ts'
import classes from './Shell.module.css'

const Labels = lazyPart(async () => (await import('./Labels.tsx')).Labels)
const RunningJobs = lazyPart(async () => (await import('./RunningJobs.tsx')).RunningJobs)
const Toasts = lazyPart(async () => (await import('../ui/Toasts.tsx')).Toasts)

export function Shell({ pages }: { readonly pages: RouteObject[] }) {
  const { environment, timeZone } = useSettings()
  const [shown, setShown] = useState(readZonePreference)
  const zones = useMemo(() => ({ shown, service: timeZone }), [shown, timeZone])
  const onZone = (next: typeof shown) => {
    storeZonePreference(next)
    setShown(next)
  }
  const noRole = useSyncExternalStore(watchNoRole, readNoRole)
  const { revalidate } = useRevalidator()
  const readAgain = useEffectEvent(() => void revalidate())
  // The page was refused like all others, and is read again once there is a role.
  useEffect(() => (noRole ? () => readAgain() : undefined), [noRole])
  const isAway = useAwayTime()
  useFollowedLink()
  useEarlyDefinitions()
  usePrefetch(pages)
  useRouteTitle()
  useFocusOnNavigation()

  return (
    <ZonesContext value={zones}>
      <AwayContext value={isAway}>
        {environment?.colour === 'red' && <div className={classes.production} />}
        <PendingBar />
        <a href="#main" className={classes.skip} onClick={focusMain}>
          {shellText.skipLink}
        </a>
        <div className={classes.frame}>
          <aside className={classes.side}>
            <Navigation />
          </aside>
          <div>
            <header className={classes.header}>
              <NavigationButton />
              <Product className={classes.headerProduct} />
              {!isAway && <FindButton zone={shown} onZone={onZone} />}
              <span className={classes.space} />
              {hasPage('jobs') && !isAway && <RunningJobs />}
              {environment && <EnvironmentBadge {...environment} />}
              <AccountMenu zone={shown} onZone={onZone} />
            </header>
            <OfflineNotice />
            {isOlderRelease() && <p className={classes.offline}>{shellText.olderRelease}</p>}
            <Main>
              {noRole ? (
                <NoRole {...noRole} />
              ) : (
                <PutAway instead={<PageSkeleton />}>
                  <Outlet />
                </PutAway>
              )}
              {!isAway && <HintLayer />}
            </Main>
          </div>
        </div>
        <Labels />
        <LeaveGuard />
        <PageKeys />
        <SessionGuard />
        {/* The only live region exists before its first message, or screen readers would miss it. */}
        <section aria-label={sharedText.notifications} aria-live="polite">
          <AnnouncedTexts />
          {!isAway && <Toasts />}
        </section>
        <ScrollRestoration getKey={placeOf} />
      </AwayContext>
    </ZonesContext>
  )
}

/** Asks for the definitions while the code that reads their labels is still loading. */
function useEarlyDefinitions() {
  const client = useQueryClient()
  useEffect(() => {
    if (offers('listDefinitions')) void client.prefetchQuery(q('listDefinitions'))
  }, [client])
}

/**
 * Returns the key under which a page's scroll position is kept: that of its history entry. An entry made by the
 * browser itself has the key `default`, so its address is used instead. Otherwise a typed address would open at the
 * scroll position of the previous page.
 */
const placeOf = ({ key, pathname, search }: Location) => (key === 'default' ? pathname + search : key)

// With a <base>, a link to "#main" alone would leave the page.
function focusMain(event: MouseEvent) {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}

/** The page. The document itself scrolls, because `ScrollRestoration` restores only its scroll position. */
function Main({ children }: { readonly children: ReactNode }) {
  const isUnderWay = useNavigation().location !== undefined
  return (
    <main id="main" tabIndex={-1} data-leaving={isUnderWay || undefined} className={classes.main}>
      {children}
    </main>
  )
}

/** Badge palette of each colour that the settings may name; any other colour is grey. */
const environmentPalettes: Readonly<Record<string, BadgeProps['color']>> = {
  red: 'red',
  orange: 'yellow',
  yellow: 'yellow',
  green: 'green',
  teal: 'green',
  blue: 'indigo',
  indigo: 'indigo',
}

function EnvironmentBadge({ name, colour }: NonNullable<Settings['environment']>) {
  return (
    <Badge
      h={22}
      fz="xs"
      color={environmentPalettes[colour] ?? 'gray'}
      variant={colour === 'red' ? 'filled' : 'light'}
      className={classes.environment ?? ''}
    >
      <span className="ds-visually-hidden">{shellText.environmentBefore} </span>
      {name}
    </Badge>
  )
}

function PendingBar() {
  const { state } = useNavigation()
  return (
    <div className={classes.pending} data-on={state !== 'idle' || undefined}>
      {state !== 'idle' && <output className="ds-visually-hidden">{shellText.loadingPage}</output>}
    </div>
  )
}

/** Shows the link to the page being loaded as pressed. */
function useFollowedLink() {
  const { location: to } = useNavigation()
  // Links contain the base path of the console, and so does the location of a navigation.
  const href = to && createPath(to)
  useEffect(() => {
    if (href === undefined) return undefined
    const links = [...document.links].filter((link) => link.getAttribute('href') === href)
    for (const link of links) link.setAttribute('data-pressed', '')
    return () => {
      for (const link of links) link.removeAttribute('data-pressed')
    }
  }, [href])
}

function OfflineNotice() {
  const { online } = useNetwork()
  useAnnounced(online ? undefined : shellText.offline)
  return !online && <p className={classes.offline}>{shellText.offline}</p>
}

function useRouteTitle() {
  const titles = useMatches().map(({ handle }) => (handle as PageHandle | undefined)?.title)
  const title = titles.findLast((each) => each !== undefined)
  useDocumentTitle(title === undefined ? shellText.product : `${title} · ${shellText.product}`)
}

/** Announces a new page by moving the focus to its heading; not for another page of a list, nor under a dialog. */
function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // Leaves the focus to an open dialog, or on the element that the page itself has focused.
    if (document.querySelector('dialog[open], [role="dialog"], [data-restored]:focus, [data-opened] :focus'))
      return
    // A followed tab or row that is still there and marked as current keeps the focus; it announces the change by
    // itself.
    const focused = document.activeElement
    if (focused?.matches('#main [aria-current]') === true && focused.getClientRects().length > 0) return
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true })
  }, [pathname])
}

/** Replaces every page if the person has no role; includes the details that an administrator needs. */
function NoRole({ claim, holds }: Reason) {
  const session = useSession()
  const { title, body, ...reasons } = shellText.noRole
  return (
    <MessagePage
      title={title}
      body={body}
      action={<Button onClick={() => void session.signOut()}>{shellText.signOut}</Button>}
    >
      {holds === undefined ? reasons.missing({ claim }) : reasons.holds({ claim, values: holds })}
    </MessagePage>
  )
}

const NavigationDrawer = lazyPart(async () => (await import('./NavigationDrawer.tsx')).NavigationDrawer)

function NavigationButton() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <IconButton
        ref={button}
        className={classes.burger}
        size="large"
        aria-label={shellText.openNavigation}
        onPointerEnter={NavigationDrawer.prefetch}
        onFocus={NavigationDrawer.prefetch}
        onClick={() => setIsOpen(true)}
      >
        <IconMenu2 size={18} />
      </IconButton>
      {isOpen && <NavigationDrawer onClose={close} />}
    </>
  )
}

/** Button and shortcut for finding anything from any page. */
function FindButton(commanded: ZoneChoice) {
  const recent = useRecent()
  const [isOpen, setIsOpen] = useState(false)
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return
    if ((!isOpen && isModalOpen()) || event.isComposing) return
    event.preventDefault()
    setIsOpen(!isOpen)
  })
  // Listens from the first paint on: the shortcut may be pressed as soon as the page is visible.
  useLayoutEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    const timer = setTimeout(FindResults.prefetch, idleMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <>
      <Button
        variant="default"
        classNames={{ root: classes.find ?? '', section: classes.findIcon ?? '' }}
        leftSection={<IconSearch size={15} stroke={1.75} aria-hidden />}
        rightSection={<kbd aria-hidden>{nameControlKey()} K</kbd>}
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple() ? 'Meta+K' : 'Control+K'}
        onClick={() => setIsOpen(true)}
        onPointerEnter={FindResults.prefetch}
        onFocus={FindResults.prefetch}
      >
        <span className={classes.findText}>{shellText.find}</span>
      </Button>
      {isOpen && <FindDialog {...commanded} recent={recent} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const idleMs = 3000

function isShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  // On keyboards of other scripts the key has another letter but the same position.
  const isKey = /^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK'
  // On Apple systems Control-K is another command of text fields.
  return isKey && !altKey && !shiftKey && (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey)
}
