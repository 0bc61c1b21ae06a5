import { type ComponentType, type ReactNode, useRef } from 'react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { PutAway } from '../../domain/put-away/PutAway.tsx'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { shellText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar, SkeletonRows, SkeletonTitle } from '../../ui/skeletons/SkeletonRows.tsx'
import { useCameNear } from '../../ui/use-came-near.ts'
import classes from './UserLayout.module.css'

interface UserLayoutProps {
  readonly identity: ReactNode
  /** Further facts below `identity`; shown only if the page has room for two columns. */
  readonly more?: ReactNode
  /** Timeline beside the content; shown only if the page has room for three columns. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** Lays out the columns of a user's page. The width of the page, not of the window, decides how many there are. */
export function UserLayout({ identity, more, beside, children }: UserLayoutProps) {
  return (
    <div className={classes.page}>
      <div
        className={classes.columns}
        data-beside={beside === undefined || beside === false ? undefined : ''}
      >
        <div className={classes.side}>
          {identity}
          {more !== undefined && <div className={classes.more}>{more}</div>}
        </div>
        <div className={classes.main}>{children}</div>
        {beside}
      </div>
    </div>
  )
}

export interface BesideProps {
  readonly userId: string
  /** Handed in, because this file is part of every first page, and the texts of a user's page are not. */
  readonly label: string
  readonly Timeline: ComponentType<{ readonly userId: string }>
}

/** Timeline column that loads its code and data only once it is on or near the screen. */
export function Beside({ userId, label, Timeline }: BesideProps) {
  const element = useRef<HTMLElement>(null)
  const isNear = useCameNear(element)
  return (
    <aside ref={element} aria-label={label} className={classes.beside}>
      <div className={classes.head}>
        <h2 className={classes.title}>{label}</h2>
        <Link to={links.userActivity(userId)} preventScrollReset>
          {shellText.allActivity}
        </Link>
      </div>
      {isNear && (
        <PutAway>
          <Timeline userId={userId} />
        </PutAway>
      )}
    </aside>
  )
}

export function UserSkeleton() {
  return (
    <>
      <PageHeader
        above={<BackToList />}
        mark={<SkeletonBar width="32px" height="32px" />}
        title={<SkeletonTitle width="200px" />}
      />
      <UserLayout identity={<SkeletonRows rows={6} />} beside={<div className={classes.beside} />}>
        <SkeletonRows rows={12} />
      </UserLayout>
    </>
  )
}
