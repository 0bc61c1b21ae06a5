import {
  IconChartPie,
  IconCopy,
  IconFileDescription,
  IconHistory,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconPlus,
} from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { hasPage, links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { findText, sharedText, userPageText } from '../../messages/index.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Option } from './option.ts'

/** Returns the actions for the user whose page is open. */
export function useThisUser(): readonly Option[] {
  const { userId } = useMatches().at(-1)?.params ?? {}
  const cannotEdit = useDenied('users:write')
  const cannotAdd = useDenied('entities:write')
  const cannotRead = useDenied('entities:read')
  const cannotSeeSegments = useDenied('segments:read')
  const pins = usePins()
  const editButton = useSyncExternalStore(watchPage, editButtonOfPage)
  if (userId === undefined) return []
  const isPinned = pins.ids.includes(userId)
  const { thisUser } = findText
  const options: readonly (Option | false | null)[] = [
    editButton && {
      id: 'this edit',
      icon: IconPencil,
      label: thisUser.edit,
      words: thisUser.words.edit,
      denied: cannotEdit,
      run: () => editButton.click(),
    },
    {
      id: 'this entity',
      icon: IconPlus,
      label: thisUser.addEntity,
      words: thisUser.words.addEntity,
      denied: cannotAdd,
      to: links.newEntity(userId),
    },
    {
      id: 'this activity',
      icon: IconHistory,
      label: userPageText.tabs.activity,
      words: thisUser.words.activity,
      to: links.userActivity(userId),
    },
    hasPage('userSegments') && {
      id: 'this segments',
      icon: IconChartPie,
      label: thisUser.segments,
      denied: cannotSeeSegments,
      to: links.userSegments(userId),
    },
    {
      id: 'this access',
      icon: IconFileDescription,
      label: userPageText.record.access,
      words: thisUser.words.access,
      denied: cannotRead,
      to: links.subjectAccess(userId),
    },
    pins.toggle !== undefined && {
      id: 'this pin',
      icon: isPinned ? IconPinnedOff : IconPin,
      label: isPinned ? thisUser.unpin : thisUser.pin,
      words: thisUser.words.pin,
      run: () => pins.toggle?.(userId),
    },
    { id: 'this id', icon: IconCopy, label: sharedText.copyId, run: () => void copyId(userId) },
  ]
  return options.filter((option) => option !== false && option !== null)
}

async function copyId(userId: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(userId)
    showToast({ message: findText.thisUser.copied })
  } catch {
    showToast({ message: sharedText.copyFailed, tone: 'failure' })
  }
}

const editButtonOfPage = () => document.querySelector<HTMLElement>('#main [data-edits-user]')

/** Watches for changes of the page, which may still be loading when the dialog opens. */
function watchPage(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}
