import { Notifications } from '@mantine/notifications'

/** Where messages appear: fetched after the page, which has none to show at first. */
export function Toasts() {
  return <Notifications withinPortal={false} containerWidth={380} />
}
