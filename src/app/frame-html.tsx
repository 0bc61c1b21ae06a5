import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import {
  createMemoryRouter,
  matchRoutes,
  Outlet,
  type RouteObject,
  RouterProvider,
  StaticRouter,
} from 'react-router'

import { PageOutlet } from '../domain/next-page/PageOutlet.tsx'
import { areas } from '../auth/areas.ts'
import { theme } from '../ui/theme.ts'
import { AccountFace } from './AccountButton.tsx'
import { FindFace } from './FindButton.tsx'
import { burger, Frame } from './Frame.tsx'
import { AreaLink, AreaList } from './Navigation.tsx'
import { shellOutlet } from './next-page.ts'
import { pages } from './router.tsx'

/**
 * The frame with the skeletons of all pages, as it is painted before any script: what React will render first. Which
 * skeleton shows is said by attributes of the document, from `src/boot/first.ts`; without them, none of it does.
 */
export function renderFrame(): { readonly html: string; readonly css: string } {
  const routes = pages(new QueryClient())
  const addresses = addressesOf(routes)
  const frame = markupOf(
    <StaticRouter location="/">
      <Frame
        isStatic
        navigation={
          <AreaList>
            {areas.map((area) => (
              <li key={area.path}>
                <AreaLink area={area} />
              </li>
            ))}
          </AreaList>
        }
        burger={<Inert>{burger}</Inert>}
        find={
          <Inert>
            <FindFace />
          </Inert>
        }
        account={
          <Inert>
            <AccountFace />
          </Inert>
        }
      >
        {null}
      </Frame>
    </StaticRouter>,
  )
  const main = markupOfSkeletons(
    addresses.map((address) => [address, skeletonAt(routes, `/${address.replaceAll(':', '')}`)]),
  )
  const { html, rules } = withoutStyles(
    `<div data-frame>${frame.replace('</main>', () => `${main}</main>`)}</div>`,
  )
  const shown = addresses.map((address) => `:root[data-skeleton='${address}'] [data-skeleton~='${address}']`)
  const css = [
    ...rules,
    `:root:not([data-skeleton]) [data-frame], [data-frame] [data-skeleton] { display: none }`,
    `[data-frame], [data-frame] div[inert], ${shown.join(', ')} { display: contents }`,
    // Not known yet: which areas there are, where another server sends the page; and who is signed in.
    ...areas.flatMap(({ path, feature }) =>
      feature === undefined
        ? []
        : [`:root:not([data-${path}]) [data-frame] li:has([href='${path}']) { display: none }`],
    ),
    `@media (min-width: 481px) { [data-frame] [aria-haspopup='menu'] { visibility: hidden } }`,
  ]
  // Addresses are relative to the page's <base>, which is not known yet.
  return { html: html.replaceAll(' href="/', ' href="'), css: css.join('\n') }
}

/** Each with the addresses that it stands at. Those that only have another head share what is below it. */
function markupOfSkeletons(skeletons: readonly (readonly [address: string, markup: string])[]): string {
  const heads = /<header .*?<\/header>/s
  const only = (those: typeof skeletons, markup: string) =>
    `<div data-skeleton="${those.map(([address]) => address).join(' ')}">${markup}</div>`
  const alike = Map.groupBy(skeletons, ([, markup]) => markup.replace(heads, '<header>'))
  return [...alike]
    .map(([around, those]) => {
      const byHead = Map.groupBy(those, ([, markup]) => heads.exec(markup)?.[0] ?? '')
      const head = [...byHead].map(([markup, same]) => only(same, markup)).join('')
      return only(
        those,
        around.replace('<header>', () => head),
      )
    })
    .join('')
}

/** With `:id` for any id. Below the console's own address, which leads to one of them. */
function addressesOf(routes: readonly RouteObject[], above: readonly string[] = []): string[] {
  return routes.flatMap(({ path, children = [] }) => {
    const parts = path === undefined ? above : [...above, path]
    const own = path === undefined || path === '*' ? [] : [parts.join('/').replaceAll(/:\w+/g, ':id')]
    return [...own, ...addressesOf(children, parts)]
  })
}

/** What the router renders while the code and the data of a page are on their way, in what the shell renders it in. */
function skeletonAt(routes: RouteObject[], path: string): string {
  const branch = (matchRoutes(routes, path) ?? []).map(({ route }) => route)
  const waiting = branch.findIndex(({ lazy, loader }) => lazy !== undefined || loader !== undefined)
  const fallback = branch
    .slice(0, waiting + 1)
    .findLast(({ HydrateFallback }) => HydrateFallback)?.HydrateFallback
  // The same routes with nothing to wait for.
  const children = branch
    .slice(1)
    .reduceRight<RouteObject[]>((below, { path: own, handle, HydrateFallback }) => {
      const Component = (HydrateFallback === fallback && HydrateFallback) || Outlet
      return [{ ...(own !== undefined && { path: own }), handle, Component, children: below }]
    }, [])
  const shell = { element: <PageOutlet name={shellOutlet} isWhole />, children }
  return markupOf(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([shell], { initialEntries: [path] })} />
    </QueryClientProvider>,
  )
}

function markupOf(content: ReactNode): string {
  return renderToStaticMarkup(
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false}>
      {content}
    </MantineProvider>,
  )
}

/** What would do nothing without its script. */
function Inert({ children }: { readonly children: ReactNode }) {
  return <div inert>{children}</div>
}

/** The page's policy forbids `style` attributes: each becomes a rule that is as strong. */
function withoutStyles(markup: string): { html: string; rules: string[] } {
  const names = new Map<string, string>()
  const html = markup.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    const name = names.get(style) ?? `s${names.size}`
    names.set(style, name)
    return ` data-style="${name}"`
  })
  const rules = [...names].map(([style, name]) => `#root [data-style='${name}'] { ${unescaped(style)} }`)
  return { html, rules }
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
}
