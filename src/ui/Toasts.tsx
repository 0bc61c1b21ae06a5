import { Notifications } from '@mantine/notifications'

/** Region for messages. Its code loads after the page, which has none to show at first. */
export function Toasts() {
  return <Notifications withinPortal={false} containerWidth={380} />
}
