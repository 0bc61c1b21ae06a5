import { useEffect, useRef } from 'react'
import { Link, NavigationType, useLocation, useNavigationType } from 'react-router'

import { links } from '../../domain/links.ts'
import { dictionaryText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import type { TypeRows } from './rows.ts'
import beside from '../../ui/Beside.module.css'
import classes from './TypeIndex.module.css'

/** State of the history entry that a jump makes. The address stays free of names that an integration chose. */
interface JumpState {
  readonly type?: string
}

const useJumpState = () => (useLocation().state ?? {}) as JumpState

/** List of the entity types beside their properties, with the number of users of each. Its links jump to the type. */
export function TypeIndex({ types }: { readonly types: readonly TypeRows[] }) {
  const { type: current } = useJumpState()
  return (
    <nav aria-label={dictionaryText.index} className={beside.index}>
      <ul className={classes.types}>
        {types.map(({ type, label, users }) => (
          <li key={type}>
            <Link
              className={classes.type ?? ''}
              to={links.dictionary()}
              state={{ type } satisfies JumpState}
              // Without this, a link to the address that is open replaces the entry to go back to.
              replace={false}
              preventScrollReset
              aria-current={type === current ? 'location' : undefined}
            >
              <span>{label}</span>
              <span className={classes.users}>{number(users)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export const headingId = (type: string) => `type-${type}`

/**
 * Scrolls to the heading of the type that a jump leads to, and moves the focus there. Belongs to the page, since a list
 * or a section that the filter brings back is no jump.
 */
export function useJump() {
  const { key } = useLocation()
  const { type } = useJumpState()
  // Back, forward and a reload restore the place that was left instead.
  const isJump = useNavigationType() !== NavigationType.Pop
  const done = useRef<string>(undefined)
  useEffect(() => {
    if (type === undefined || !isJump || done.current === key) return
    done.current = key
    const heading = document.getElementById(headingId(type))
    heading?.scrollIntoView({ block: 'start' })
    heading?.focus({ preventScroll: true })
  }, [key, type, isJump])
}
