import { use, useLayoutEffect } from 'react'
import { Outlet } from 'react-router'

import { HeldContext } from '../put-away/put-away.ts'
import { NextPageContext } from './next-page.ts'
import classes from './PageOutlet.module.css'

export interface PageOutletProps {
  /** As the route's handle says. */
  readonly name: string
  /** It holds all of a page, which begins at its top; else a part of one, in its place. */
  readonly isWhole?: boolean
}

const hidden = { visibility: 'hidden' } as const

/**
 * A route's outlet, with the next page's skeleton while that page takes long to come. The page that is left stays
 * mounted behind it as it was, for when the way is given up.
 */
export function PageOutlet({ name, isWhole = false }: PageOutletProps) {
  const next = use(NextPageContext)
  const { Skeleton } = (next?.outlet === name && next) || {}
  const note = use(HeldContext)?.note
  useFocusKept(Skeleton !== undefined)
  return (
    // React hands on what is typed in dialogs, too, which stand elsewhere in the document.
    <div className={classes.root} data-leaving={Skeleton && true} onInput={note}>
      <div inert={Skeleton !== undefined} style={Skeleton && hidden}>
        <Outlet />
      </div>
      {next && Skeleton && (
        <div className={isWhole ? classes.whole : undefined}>
          <Skeleton key={next.pathname} next={next} />
        </div>
      )}
    </div>
  )
}

/** What had the focus when the page was left has it again where that page is there again. */
function useFocusKept(isLeaving: boolean): void {
  useLayoutEffect(() => {
    const focused = isLeaving ? document.activeElement : null
    return () => {
      const isFree = document.activeElement === document.body
      if (focused instanceof HTMLElement && focused.isConnected && isFree)
        focused.focus({ preventScroll: true })
    }
  }, [isLeaving])
}
