import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { homeText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import classes from './HomePage.module.css'
import { ChangesTile } from './ChangesTile.tsx'
import { JobsTile } from './JobsTile.tsx'
import { PeopleTile } from './PeopleTile.tsx'
import { HomeSearch } from './HomeSearch.tsx'
import { OwnChangesTile } from './OwnChangesTile.tsx'
import { SegmentsTile } from './SegmentsTile.tsx'
import { SensitiveTile } from './SensitiveTile.tsx'
import { WebhooksTile } from './WebhooksTile.tsx'

/** What may need somebody, as far as the role goes. */
export function HomePage() {
  const sees = {
    events: useDenied('events:read') === undefined,
    webhooks: useDenied('webhooks:manage') === undefined,
    sensitive: useDenied('sensitive:read') === undefined,
    jobs: useDenied('users:read', 'entities:read', 'entities:write') === undefined,
    segments: useDenied('segments:read') === undefined,
    people: useDenied('users:read') === undefined,
  }
  // Who looks somebody up all day begins with that; who watches over the store, with what needs somebody.
  const looksUp = sees.people && !sees.webhooks && !sees.sensitive
  const people = (
    <>
      {sees.people && offers('users.lookup') && <PeopleTile />}
      {sees.people && sees.events && offers('events.filter') && <OwnChangesTile />}
    </>
  )
  return (
    <>
      <PageHeader title={homeText.title} />
      {sees.people && offers('users.search') && <HomeSearch />}
      <div className={classes.tiles}>
        {looksUp && people}
        {sees.events && <ChangesTile />}
        {sees.webhooks && offers('webhooks') && <WebhooksTile />}
        {sees.sensitive && offers('audit') && <SensitiveTile />}
        {sees.jobs && offers('users.batch') && <JobsTile />}
        {sees.segments && offers('segments.counts') && <SegmentsTile />}
        {!looksUp && people}
      </div>
    </>
  )
}
