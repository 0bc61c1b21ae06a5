import type { Settings } from '../api/settings.ts'
import { HeldSession } from './held-session.ts'
import { KeptSession } from './kept-session.ts'
import { openTabs, type TabMessage, type Tabs } from './tabs.ts'

/** Session that the tabs of this browser share, with this tab's own copy for its next load. */
export interface SharedSession {
  readonly tabs: Tabs
  /** Returns the messages that other tabs have sent since this page began to load, and stops collecting more. */
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
