import { Link } from 'react-router'

import { hasPage, links } from '../../domain/links.ts'
import { userPageText } from '../../messages/index.ts'
import classes from './UserTabs.module.css'

/** Tabs of a user's page, each with a URL of its own. The record has one only while it is open, from the menu. */
export function UserTabs({ userId, pathname }: { readonly userId: string; readonly pathname: string }) {
  const tabs = {
    entities: links.user(userId),
    ...(hasPage('userActivity') && { activity: links.userActivity(userId) }),
    ...(hasPage('userSegments') && { segments: links.userSegments(userId) }),
    ...(pathname === links.userRecord(userId) && { record: pathname }),
  }
  const others = new Set([tabs.activity, tabs.segments, tabs.record])
  return (
    <nav aria-label={userPageText.tabs.label} className={classes.root}>
      <ul className={classes.list}>
        {Object.entries(tabs).map(([name, to]) => {
          // The entities have URLs below the user's own, so every page that is no other tab counts as theirs.
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
