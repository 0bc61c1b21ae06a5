import type { MouseEvent, ReactNode } from 'react'
import { useNavigation } from 'react-router'

import { shellText } from '../messages/index.ts'
import { Mark } from '../ui/Mark.tsx'
import classes from './Shell.module.css'

export interface FrameProps {
  readonly navigation: ReactNode
  /** Button that opens the navigation on narrow screens. */
  readonly burger: ReactNode
  /** Content below the navigation. */
  readonly foot?: ReactNode
  readonly find: ReactNode
  /** The signed-in person and the environment. */
  readonly account: ReactNode
  /** Content between the header and the page. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** Layout around every page. The document itself scrolls, so that the browser restores the scroll position on Back. */
export function Frame({ navigation, burger, foot, find, account, notice, children }: FrameProps) {
  const isUnderWay = useNavigation().location !== undefined
  return (
    <>
      <a href="#main" className={classes.skip} onClick={focusMain}>
        {shellText.skipLink}
      </a>
      <div className={classes.frame}>
        <aside className={classes.side}>
          <Product className={classes.product} />
          {navigation}
          {foot}
        </aside>
        <div className={classes.column}>
          <header className={classes.header}>
            {burger}
            <Product className={classes.headerProduct} />
            {find}
            <span className={classes.space} />
            {account}
          </header>
          {notice}
          <main id="main" tabIndex={-1} data-leaving={isUnderWay || undefined} className={classes.main}>
            {children}
          </main>
        </div>
      </div>
    </>
  )
}

/** Renders the product's name. */
export function Product({ className = classes.product }: { readonly className?: string | undefined }) {
  return (
    <span className={className}>
      <Mark />
      <span>{shellText.product}</span>
    </span>
  )
}

// With a <base>, a link to "#main" alone would leave the page.
function focusMain(event: MouseEvent) {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
