import type { Settings } from '../api/settings.ts'
import { SessionLock } from './session-lock.ts'
import { SessionStore } from './session-store.ts'
import { openTabs, type TabMessage, type Tabs } from './tabs.ts'

/** Session shared by the tabs of this browser, with this tab's own copy for its next load. */
export interface SessionChannel {
  readonly tabs: Tabs
  /** Returns the messages that other tabs have sent since this page began to load, and stops collecting more. */
  readonly takeEarlyMessages: () => readonly TabMessage[]
  readonly store: SessionStore
  readonly lock: SessionLock
}

export function openSessionChannel(settings: Settings): SessionChannel {
  const { consoleUrl } = settings
  const tabs = openTabs(consoleUrl)
  const heard: TabMessage[] = []
  const stopHearing = tabs.listen((message) => heard.push(message))
  return {
    tabs,
    takeEarlyMessages: () => {
      stopHearing()
      return heard
    },
    store: new SessionStore(settings),
    lock: new SessionLock(consoleUrl),
  }
}
