import { Notifications } from '@mantine/notifications'

/** Region for toasts. Its code loads after the page, because no toast is shown at first. */
export function Toasts() {
  return <Notifications withinPortal={false} containerWidth={380} />
}
