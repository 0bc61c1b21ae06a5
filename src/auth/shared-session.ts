import type { Settings } from '../api/settings.ts'
import { HeldSession } from './held-session.ts'
import { KeptSession } from './kept-session.ts'
import { openTabs, type TabMessage, type Tabs } from './tabs.ts'

/** Where the tabs of this browser share one session, and this tab keeps it for its next load. */
export interface SharedSession {
  readonly tabs: Tabs
  /** What the other tabs have said since this page began to load; once. */
  readonly heardAhead: () => readonly TabMessage[]
  readonly kept: KeptSession
  readonly held: HeldSession
}

export function openSharedSession(settings: Settings): SharedSession {
  const { consoleUrl } = settings
  const tabs = openTabs(consoleUrl)
  const heard: TabMessage[] = []
  const stopHearing = tabs.listen((message) => heard.push(message))
  return {
    tabs,
    heardAhead: () => {
      stopHearing()
      return heard
    },
    kept: new KeptSession(settings),
    held: new HeldSession(consoleUrl),
  }
}
