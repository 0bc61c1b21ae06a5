import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { homeText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import classes from './HomePage.module.css'
import { ChangesTile } from './ChangesTile.tsx'
import { JobsTile } from './JobsTile.tsx'
import { PeopleTile } from './PeopleTile.tsx'
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
  return (
    <>
      <PageHeader title={homeText.title} />
      <div className={classes.tiles}>
        {sees.events && <ChangesTile />}
        {sees.webhooks && offers('webhooks') && <WebhooksTile />}
        {sees.sensitive && offers('audit') && <SensitiveTile />}
        {sees.jobs && offers('users.batch') && <JobsTile />}
        {sees.segments && offers('segments.counts') && <SegmentsTile />}
        {sees.people && offers('users.lookup') && <PeopleTile />}
      </div>
    </>
  )
}
