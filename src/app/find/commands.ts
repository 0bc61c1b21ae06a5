import {
  type Icon,
  IconChartPie,
  IconClock,
  IconCopy,
  IconDeviceDesktop,
  IconDownload,
  IconFileDescription,
  IconHistory,
  IconLogout,
  IconMoon,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconPlus,
  IconSun,
  IconTrash,
  IconUpload,
  IconUsers,
} from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'

import type { Scope } from '#contract/index.ts'
import { type Area, areas } from '../../auth/areas.ts'
import { useDenial, useSession } from '../../auth/use-session.ts'
import { areaIcons } from '../../domain/area-icons.ts'
import { hasPage, links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { entityText, findText, sharedText, shellText, userPageText } from '../../messages/index.ts'
import { copyText } from '../../ui/clipboard.ts'
import { useColorScheme } from '../../ui/color-scheme.ts'
import { localZone, type ZoneChoice } from '../../ui/time.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Option } from './option.ts'

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }

/** Pages offered as commands; pages about one thing are not. */
type LedPage =
  | Area['path']
  | 'newUser'
  | 'newSegment'
  | 'newWebhook'
  | 'exportUsers'
  | 'importUsers'
  | 'batch'
  | 'deletedUsers'

/** Returns pages and actions, also those that the caller may not use. Actions already in effect are left out. */
export function useCommands({ zone, onZone }: ZoneChoice): readonly Option[] {
  const session = useSession()
  const { colorScheme, setColorScheme } = useColorScheme()
  const denied = useDenial()
  const otherZone = zone === 'utc' ? 'local' : 'utc'
  const { words } = findText
  const leads = (
    icon: Icon,
    page: LedPage,
    found: keyof typeof words,
    needed: readonly Scope[],
    shortcut?: string,
  ): readonly Option[] => {
    if (!hasPage(page)) return []
    const to = links[page]()
    const label = shellText.pages[page]
    return [{ id: `page ${to}`, icon, label, to, words: words[found], denied: denied(...needed), shortcut }]
  }
  return [
    ...areas.flatMap(({ path, scopes }) => leads(areaIcons[path], path, path, scopes, `g ${path.charAt(0)}`)),
    ...leads(IconPlus, 'newUser', 'create', ['users:write']),
    ...leads(IconPlus, 'newSegment', 'create', ['segments:write']),
    ...leads(IconPlus, 'newWebhook', 'create', ['webhooks:manage']),
    ...leads(IconDownload, 'exportUsers', 'exportUsers', ['users:read']),
    ...leads(IconUpload, 'importUsers', 'importUsers', ['users:write']),
    ...leads(IconUsers, 'batch', 'batch', ['users:read', 'entities:read', 'entities:write']),
    ...leads(IconTrash, 'deletedUsers', 'deletedUsers', ['users:read']),
    ...(['light', 'dark', 'auto'] as const)
      .filter((scheme) => scheme !== colorScheme)
      .map((scheme) => ({
        id: `scheme ${scheme}`,
        icon: schemeIcons[scheme],
        label: findText.scheme[scheme],
        called: findText.called[scheme],
        words: words.scheme,
        run: () => setColorScheme(scheme),
      })),
    {
      id: `zone ${otherZone}`,
      icon: IconClock,
      label: otherZone === 'utc' ? findText.zone.utc : findText.zone.local({ zone: localZone() }),
      called: findText.called[otherZone],
      words: words.zone,
      run: () => onZone(otherZone),
    },
    {
      id: 'sign out',
      icon: IconLogout,
      label: shellText.signOut,
      words: words.signOut,
      run: () => void session.signOut(),
    },
  ]
}

/** Returns the values on the page that open in their place, each found by its label. */
export function useValues(): readonly Option[] {
  const labels = useSyncExternalStore(watchPage, labelsOfPage)
  if (labels === '') return []
  return controlsOfPage()
    .flatMap(valuesOf)
    .map(({ entity, called, run }, at) => ({
      id: `value ${at}`,
      icon: IconPencil,
      label: entityText.reading.editOf({ label: called }),
      called,
      details: entity === '' ? [] : [entity],
      run,
    }))
}

/** Returns the values that a control of the page leads to: a pencil to its own, and a button to those that it shows. */
function valuesOf(control: HTMLElement) {
  const { edits, shows } = control.dataset
  const entity = control.closest('section')?.querySelector('h2')?.textContent ?? ''
  if (edits !== undefined) return [{ entity, called: edits, run: () => control.click() }]
  return (JSON.parse(shows ?? '[]') as HiddenValues[]).flatMap(({ entity: of, labels }, nth) =>
    labels.map((called, at) => ({
      entity: of,
      called,
      run: () => pencilBehind(control, nth, at - labels.length)?.click(),
    })),
  )
}

/** Values of one entity that a button shows. */
interface HiddenValues {
  /** Title of the entity. */
  readonly entity: string
  readonly labels: readonly string[]
}

/**
 * Presses a button that shows values, and returns the pencil of one of them.
 * @param nth Number of the entity among those that the button shows.
 * @param place Place of the value in its entity, counted from the end. None of the rows that were hidden is open, so each
 * has its pencil.
 */
function pencilBehind(button: HTMLElement, nth: number, place: number): HTMLElement | undefined {
  const sections = () => [...document.querySelectorAll('#main section')]
  const before = sections()
  const own = button.closest('section')
  button.click()
  const entity = own ?? sections().filter((each) => !before.includes(each))[nth]
  if (!entity) return undefined
  const pencils = [...entity.querySelectorAll<HTMLElement>('[data-edits]')]
  const rest = entity.querySelector<HTMLElement>('[data-shows]')
  const hidden = rest ? valuesOf(rest).length : 0
  if (rest && place < -hidden) return pencils.at(place + hidden)
  rest?.click()
  return [...entity.querySelectorAll<HTMLElement>('[data-edits]')].at(place)
}

/** Returns the actions for the user whose page is open. */
export function useThisUser(): readonly Option[] {
  const { userId } = useMatches().at(-1)?.params ?? {}
  const denied = useDenial()
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
      denied: denied('users:write'),
      run: () => editButton.click(),
    },
    {
      id: 'this entity',
      icon: IconPlus,
      label: thisUser.addEntity,
      words: thisUser.words.addEntity,
      denied: denied('entities:write'),
      to: links.newEntity(userId),
    },
    hasPage('userActivity') && {
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
      denied: denied('segments:read'),
      to: links.userSegments(userId),
    },
    {
      id: 'this access',
      icon: IconFileDescription,
      label: userPageText.record.access,
      words: thisUser.words.access,
      denied: denied('entities:read'),
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
    await copyText(userId)
    showToast({ message: findText.thisUser.copied })
  } catch {
    showToast({ message: sharedText.copyFailed, tone: 'failure' })
  }
}

const editButtonOfPage = () => document.querySelector<HTMLElement>('#main [data-edits-user]')

const controlsOfPage = () => [
  ...document.querySelectorAll<HTMLElement>('#main [data-edits], #main [data-shows]'),
]
const labelsOfPage = () =>
  controlsOfPage()
    .map(({ dataset }) => dataset['edits'] ?? dataset['shows'])
    .join('\n')

/** Watches for changes of the page, which may still be loading when the dialog opens. */
function watchPage(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}
