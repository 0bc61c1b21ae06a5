import { Box } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { listWithText } from '../../domain/user-list/list-state.ts'
import { homeText, userText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { ChangesTile } from './ChangesTile.tsx'
import { JobsTile } from './JobsTile.tsx'
import { OwnChangesTile } from './OwnChangesTile.tsx'
import { SegmentsTile } from './SegmentsTile.tsx'
import { SensitiveTile } from './SensitiveTile.tsx'
import { UsersTile } from './UsersTile.tsx'
import { WebhooksTile } from './WebhooksTile.tsx'
import classes from './HomePage.module.css'

export function HomePage() {
  const sees = {
    events: useDenied('events:read') === undefined,
    webhooks: useDenied('webhooks:manage') === undefined,
    sensitive: useDenied('sensitive:read') === undefined,
    jobs: useDenied('users:read', 'entities:read', 'entities:write') === undefined,
    segments: useDenied('segments:read') === undefined,
    people: useDenied('users:read') === undefined,
  }
  // Support staff look people up all day, so they see the tiles about people first; operators see those last.
  const looksUp = sees.people && !sees.webhooks && !sees.sensitive
  const people = (
    <>
      {sees.people && <UsersTile />}
      {sees.people && sees.events && <OwnChangesTile />}
    </>
  )
  return (
    <>
      <PageHeader title={homeText.title} />
      {sees.people && <HomeSearch />}
      <div className={classes.tiles}>
        {looksUp && people}
        {sees.events && <ChangesTile />}
        {sees.webhooks && <WebhooksTile />}
        {sees.sensitive && <SensitiveTile />}
        {sees.jobs && <JobsTile />}
        {sees.segments && <SegmentsTile />}
        {!looksUp && people}
      </div>
    </>
  )
}

function HomeSearch() {
  const [text, setText] = useState('')
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Box maw={560} pb="lg">
      <SearchInput
        aria-label={userText.search.label}
        placeholder={userText.search.placeholder}
        clearLabel={userText.search.clear}
        value={text}
        onChange={setText}
        enterKeyHint="search"
        onKeyDown={({ key, nativeEvent }) => {
          // Enter that confirms an IME composition must not start the search.
          if (key !== 'Enter' || nativeEvent.isComposing || text.trim() === '') return
          const { to, state } = listWithText(client, text)
          void navigate(to, { state })
        }}
      />
    </Box>
  )
}
