import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { userPageText } from '../../messages/index.ts'
import classes from './UserTabs.module.css'

/**
 * The parts of what is known about a user: addresses of their own, so that each can be sent, reloaded and gone back to. The record,
 * which the menu leads to, is one of them while it is open.
 */
export function UserTabs({ userId, pathname }: { readonly userId: string; readonly pathname: string }) {
  const tabs = {
    entities: links.user(userId),
    activity: links.userActivity(userId),
    segments: links.userSegments(userId),
    ...(pathname === links.userRecord(userId) && { record: pathname }),
  }
  const others = new Set([tabs.activity, tabs.segments, tabs.record])
  return (
    <nav aria-label={userPageText.tabs.label} className={classes.root}>
      <ul className={classes.list}>
        {Object.entries(tabs).map(([name, to]) => {
          // The entities have addresses below the user's own.
          const isOpen = name === 'entities' ? !others.has(pathname) : to === pathname
          return (
            <li key={name} data-tab={name}>
              <Link
                to={to}
                preventScrollReset
                aria-current={isOpen ? 'page' : undefined}
                className={classes.tab ?? ''}
              >
                {userPageText.tabs[name as keyof typeof tabs]}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
